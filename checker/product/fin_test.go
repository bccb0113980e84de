package product_test

import (
	"errors"
	"testing"

	"pnmc/checker"
	"pnmc/checker/diagram"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/automatatest"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/symbolic"
)

// TestApproachesWithFin: conditions with Fin, which all approaches but one need another
// automaton for.
func TestApproachesWithFin(t *testing.T) {
	net := petritest.Philosophers(3)
	space, err := symbolic.Explore(t.Context(), net, symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	count := map[properties.Verdict]int{}
	for seed := range uint64(60) {
		a := automatatest.Random(automatatest.RandomSettings{
			States: 3, Propositions: []string{"eats0", "eats1"}, Density: 0.3, LiteralProbability: 0.7,
			Sets: 3, MarkProbability: 0.4, Condition: automatatest.RandomEmersonLei,
		}, seed)
		property, err := properties.Bind(a, checker.Vocabulary(net), nil)
		if err != nil {
			t.Fatal(err)
		}
		want := properties.Unknown
		for _, approach := range []product.Approach{product.ByTGBA, product.ByBA, product.ByTA, product.ByTGTA, product.BySymbolicTGBA, product.BySymbolicTGTA} {
			var got properties.Verdict
			var reason string
			if approach.Symbolic() {
				var r diagram.Result
				r, err = diagram.Check(t.Context(), space, net, property, diagram.Settings{Approach: approach})
				got, reason = r.Verdict, r.Reason
			} else {
				var r properties.Result
				r, err = product.CheckBy(t.Context(), petri.NewKripke(net, petri.Facts{}, petri.Budget{}), property, product.Settings{Approach: approach})
				got, reason = r.Verdict, r.Reason
			}
			var unsupported *product.UnsupportedError
			if approach == product.ByTA && errors.As(err, &unsupported) {
				continue // not stutter-invariant
			}
			if want == properties.Unknown {
				want = got
				count[want]++
			}
			if err != nil || got == properties.Unknown || got != want {
				t.Errorf("seed %d, %v: %v (%s, %v), want %v", seed, approach, got, reason, err, want)
			}
		}
	}
	if count[properties.Holds] < 6 || count[properties.Violated] < 6 {
		t.Errorf("lopsided sample: %v", count)
	}
}
