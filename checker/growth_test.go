package checker_test

import (
	"context"
	"testing"
	"time"

	"pnmc/checker"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// TestGrowthBesideInhibitors: a place grows without end though it inhibits a transition, which need
// not fire for that; where the one that adds to it is inhibited, it does not.
func TestGrowthBesideInhibitors(t *testing.T) {
	for _, inhibits := range []string{"other", "grow"} {
		var b petri.Builder
		p, _ := b.AddPlace("p", "", 0)
		q, _ := b.AddPlace("q", "", 1)
		grow, _ := b.AddTransition("grow", "")
		b.AddOutput(grow, p, 1)
		other, _ := b.AddTransition("other", "")
		b.AddInput(q, other, 1)
		inhibited, want := other, checker.Infinite
		if inhibits == "grow" {
			inhibited, want = grow, checker.Number(3)
		}
		if err := b.AddInhibitor(p, inhibited, 3); err != nil {
			t.Fatal(err)
		}
		net, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		sum := logic.Sum{Terms: []logic.Term{{Place: uint32(p), Coefficient: 1}}}
		product := logic.Product{Coefficient: 1, Factors: []logic.Sum{sum, {Constant: 1, Terms: []logic.Term{{Place: uint32(q), Coefficient: 1}}}}}
		for i, number := range []logic.Polynomial{{Sum: sum}, {Products: []logic.Product{product}}} { // p, and p*(q + 1)
			want := want
			if n, ok := want.Number(); ok && i == 1 {
				want = checker.LargeNumber(n.Add(n, n))
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			a, err := checker.Ask(ctx, checker.Problem{Net: net}, checker.Bound{Sum: number.Sum, Products: number.Products})
			cancel()
			if err != nil || !a.Value.Equal(want) {
				t.Errorf("an arc that inhibits %s: %v, %v, want %v", inhibits, a.Value, err, want)
			}
			if a.Witness.Ground == checker.Pump && !witness.ConfirmsPump(net, a.Witness.Run, a.Witness.Cycle, number) {
				t.Errorf("%v and %v show nothing", a.Witness.Run, a.Witness.Cycle)
			}
		}
	}
}
