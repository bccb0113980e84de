// Package arithmetic has integer arithmetic that reports when 64 bits are not enough. What
// comes in are weights, counts and coefficients of nets and formulas; readers, invariants,
// expressions and replays use it.
package arithmetic

import (
	"math"
	"math/bits"
)

// Small bounds numbers whose sums and products of pairs cannot overflow.
const Small = 1 << 28

// Multiply returns a times b; ok is false where the product is beyond ±(2^63-1).
func Multiply(a, b int64) (product int64, ok bool) {
	high, low := bits.Mul64(Magnitude(a), Magnitude(b))
	if high != 0 || low > math.MaxInt64 {
		return 0, false
	}
	return a * b, true
}

// Add returns a plus b; ok is false where the sum is beyond ±(2^63-1).
func Add(a, b int64) (sum int64, ok bool) {
	sum = a + b
	return sum, (sum > a) == (b > 0) && sum != math.MinInt64
}

// Magnitude returns |a|, also of the least integer.
func Magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// CommonDivisor returns the greatest common divisor of a and b; of 0 and b it is b.
func CommonDivisor(a, b uint64) uint64 {
	for a != 0 {
		a, b = b%a, a
	}
	return b
}
