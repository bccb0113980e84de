package checker_test

import (
	"context"
	"math"
	"math/big"
	"testing"
	"time"

	"pnmc/checker"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// TestBoundsBeyond63Bits: the bound of a sum with large coefficients is the number that the
// definition gives, of any size.
func TestBoundsBeyond63Bits(t *testing.T) {
	net := petritest.Kanban(2)
	g, complete := petritest.Explore(net, 10_000)
	if !complete {
		t.Fatal("more markings than expected")
	}
	const half = 1 << 62
	for _, sum := range []logic.Sum{
		{Terms: []logic.Term{{Place: 0, Coefficient: math.MaxInt64}}},
		{Terms: []logic.Term{{Place: 0, Coefficient: half}, {Place: 1, Coefficient: half}}},
		{Constant: math.MaxInt64, Terms: []logic.Term{{Place: 0, Coefficient: half}, {Place: 1, Coefficient: -half / 2}, {Place: 2, Coefficient: 3 * half / 4}}},
		{Constant: math.MinInt64, Terms: []logic.Term{{Place: 0, Coefficient: math.MinInt64}, {Place: 1, Coefficient: math.MinInt64}}},
		{Constant: 1, Terms: []logic.Term{{Place: 0, Coefficient: 2}, {Place: 1, Coefficient: 4}}},
	} {
		var want *big.Int
		for _, m := range g.Markings {
			value := big.NewInt(sum.Constant)
			for _, term := range sum.Terms {
				value.Add(value, new(big.Int).Mul(big.NewInt(term.Coefficient), big.NewInt(m[petri.Place(term.Place)])))
			}
			if want == nil || value.Cmp(want) > 0 {
				want = value
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		answer, err := checker.Ask(ctx, checker.Problem{Net: net}, checker.Bound{Sum: sum})
		cancel()
		if err != nil || !answer.Value.Equal(checker.LargeNumber(want)) {
			t.Errorf("%v: %v, %v, %v, want %v", sum, answer.Value, answer.Reason, err, want)
		}
	}
}
