package diagram_test

import (
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/diagram"
	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// TestChainsAgreeWithNaiveTwin: formulas that are many operators deep.
func TestChainsAgreeWithNaiveTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		s, err := diagram.Explore(t.Context(), net, 0)
		if err != nil {
			t.Fatal(err)
		}
		f := checkertest.CTL(t, net, 1)
		for range rapid.IntRange(4, 12).Draw(t, "depth") {
			switch beside := checkertest.CTL(t, net, 1); rapid.IntRange(0, 7).Draw(t, "operator") {
			case 0, 1:
				f = ctl.New(ctl.AllUntil, beside, f)
			case 2, 3:
				f = ctl.New(ctl.ExistsUntil, beside, f)
			case 4:
				f = ctl.New(ctl.AllUntil, f, beside)
			case 5:
				f = ctl.New(logic.Not, f)
			case 6:
				f = ctl.New(ctl.ExistsGlobally, f)
			default:
				f = ctl.New(logic.And, beside, f)
			}
		}
		if got, err := s.Decide(t.Context(), f); err != nil || got != checkertest.Truth(net, g, f)[0] {
			t.Fatalf("%v, %v", got, err)
		}
	})
}

// TestDeepUntilsBeginAtOnce: of many operators E(p U ...) within each other each may be fulfilled at its beginning, or after
// some firings.
func TestDeepUntilsBeginAtOnce(t *testing.T) {
	net := petritest.Philosophers(3)
	s, err := diagram.Explore(t.Context(), net, 0)
	if err != nil {
		t.Fatal(err)
	}
	never := ctl.Of(&logic.Predicate{Operator: logic.False})
	dead := ctl.Of(&logic.Predicate{Operator: logic.Deadlocked})
	alive := ctl.New(logic.Not, dead)
	for name, c := range map[string]struct {
		hold, last *ctl.Formula
		want       bool
	}{
		"at once":              {never, alive, true},
		"never":                {never, dead, false},
		"after firings":        {alive, dead, true},
		"at once or otherwise": {alive, ctl.New(ctl.ExistsNext, alive), true},
	} {
		f := c.last
		for range 9 {
			f = ctl.New(ctl.ExistsUntil, c.hold, f)
		}
		if got, err := s.Decide(t.Context(), f); err != nil || got != c.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
