package labelling

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestWide: a sum of products is what package big says.
func TestWide(t *testing.T) {
	number := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-2, 2), rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64}))
	rapid.Check(t, func(t *rapid.T) {
		var sum wide
		want := new(big.Int)
		for range rapid.IntRange(0, 9).Draw(t, "terms") {
			a, b := number.Draw(t, "a"), number.Draw(t, "b")
			sum.add(a, b)
			want.Add(want, new(big.Int).Mul(big.NewInt(a), big.NewInt(b)))
		}
		if got := sum.number(); got.Cmp(want) != 0 || sum.sign() != want.Sign() {
			t.Fatalf("%v with sign %d, expected %v", got, sum.sign(), want)
		}
	})
}
