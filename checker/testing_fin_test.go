package checker_test

import (
	"errors"
	"testing"

	"pnmc/automata/automatatest"
	"pnmc/checker"
	"pnmc/petri"
	"pnmc/petri/petritest"
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
	count := map[checker.Verdict]int{}
	for seed := range uint64(60) {
		a := automatatest.Random(automatatest.RandomSettings{
			States: 3, Propositions: []string{"eats0", "eats1"}, Density: 0.3, LiteralProbability: 0.7,
			Sets: 3, MarkProbability: 0.4, Condition: automatatest.RandomEmersonLei,
		}, seed)
		property, err := checker.Bind(a, checker.Vocabulary(net), nil)
		if err != nil {
			t.Fatal(err)
		}
		want := checker.Unknown
		for _, approach := range []checker.Approach{checker.ByTGBA, checker.ByBA, checker.ByTA, checker.ByTGTA, checker.BySymbolicTGBA, checker.BySymbolicTGTA} {
			var got checker.Verdict
			var reason string
			if approach.Symbolic() {
				var r checker.SymbolicResult
				r, err = checker.CheckSymbolically(t.Context(), space, net, property, checker.SymbolicSettings{Approach: approach})
				got, reason = r.Verdict, r.Reason
			} else {
				var r checker.Result
				r, err = checker.CheckBy(t.Context(), petri.NewKripke(net, petri.Facts{}, petri.Budget{}), property, checker.Settings{Approach: approach})
				got, reason = r.Verdict, r.Reason
			}
			var unsupported *checker.UnsupportedError
			if approach == checker.ByTA && errors.As(err, &unsupported) {
				continue // not stutter-invariant
			}
			if want == checker.Unknown {
				want = got
				count[want]++
			}
			if err != nil || got == checker.Unknown || got != want {
				t.Errorf("seed %d, %v: %v (%s, %v), want %v", seed, approach, got, reason, err, want)
			}
		}
	}
	if count[checker.Holds] < 6 || count[checker.Violated] < 6 {
		t.Errorf("lopsided sample: %v", count)
	}
}
