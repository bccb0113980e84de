package labelling

import (
	"cmp"
	"math/big"
	"math/bits"

	"pnmc/internal/arithmetic"
)

// wide is a sum of products of 64-bit numbers. It holds the positive and the negative part
// separately, in words of 64 bits each, the lowest first. Up to 2^64 products fit. Package big does
// the same, but allocates for each of them.
type wide struct{ positive, negative [3]uint64 }

// add adds a·b.
func (w *wide) add(a, b int64) {
	to := &w.positive
	if (a < 0) != (b < 0) {
		to = &w.negative
	}
	high, low := bits.Mul64(arithmetic.Magnitude(a), arithmetic.Magnitude(b))
	var carry uint64
	to[0], carry = bits.Add64(to[0], low, 0)
	to[1], carry = bits.Add64(to[1], high, carry)
	to[2] += carry
}

// sign returns that of the sum.
func (w wide) sign() int {
	for i := 2; i >= 0; i-- {
		if c := cmp.Compare(w.positive[i], w.negative[i]); c != 0 {
			return c
		}
	}
	return 0
}

// number returns the sum.
func (w wide) number() *big.Int {
	positive, negative := new(big.Int), new(big.Int)
	for i := 2; i >= 0; i-- {
		positive.Lsh(positive, 64).Or(positive, new(big.Int).SetUint64(w.positive[i]))
		negative.Lsh(negative, 64).Or(negative, new(big.Int).SetUint64(w.negative[i]))
	}
	return positive.Sub(positive, negative)
}
