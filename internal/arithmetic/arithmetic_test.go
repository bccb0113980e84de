package arithmetic

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestMultiplyAndAdd: products and sums agree with those of big integers, at the ends of the range
// most of all.
func TestMultiplyAndAdd(t *testing.T) {
	extremes := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 32, -3, -2, -1, 0, 1, 2, 3, 1 << 31, 1 << 32, math.MaxInt64 / 2, math.MaxInt64}
	factor := rapid.OneOf(rapid.Int64(), rapid.SampledFrom(extremes), rapid.Int64Range(-1<<33, 1<<33))
	rapid.Check(t, func(t *rapid.T) {
		a, b := factor.Draw(t, "a"), factor.Draw(t, "b")
		want := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		fits := new(big.Int).Abs(want).Cmp(big.NewInt(math.MaxInt64)) <= 0
		got, ok := Multiply(a, b)
		if ok != fits || ok && got != want.Int64() {
			t.Errorf("%d × %d: %d, %t", a, b, got, ok)
		}
		want.Add(big.NewInt(a), big.NewInt(b))
		fits = new(big.Int).Abs(want).Cmp(big.NewInt(math.MaxInt64)) <= 0
		if got, ok := Add(a, b); ok != fits || ok && got != want.Int64() {
			t.Errorf("%d + %d: %d, %t", a, b, got, ok)
		}
	})
}
