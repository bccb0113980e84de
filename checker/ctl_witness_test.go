package checker_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/logic"
	"pnmc/petri"
)

// leaves are the state formulas of f with what they say.
func leaves(f *logic.CTL, predicates map[*logic.CTL]*logic.Predicate) map[*logic.CTL]*logic.Predicate {
	if f.Operator == logic.CTLState {
		predicates[f] = f.Predicate
	}
	for _, g := range f.Operands {
		leaves(g, predicates)
	}
	return predicates
}

// TestCTLReplay: what a search finds replays, and what it did not find mostly
// does not.
func TestCTLReplay(t *testing.T) {
	refuted := 0
	rapid.Check(t, func(t *rapid.T) {
		net, _ := boundedNet(t)
		k := kripkeOf(net)
		for range 4 {
			f := drawCTL(t, net, 4)
			replay := checker.CTLReplay{Net: net, Predicates: leaves(f, map[*logic.CTL]*logic.Predicate{}),
				Sequence: func(run []petri.Transition, u petri.Transition) []petri.Transition { return append(run, u) }}
			s := checker.NewCTLSearch(k, rapid.Bool().Draw(t, "deep"), 1)
			value, err := s.Decide(context.Background(), f)
			if err != nil {
				t.Fatal(err)
			}
			text := f.String(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) })
			if err := replay.Confirm(s, value); err != nil {
				t.Fatalf("%s is %t: %v", text, value, err)
			}
			if replay.Confirm(s, !value) != nil {
				refuted++
			}
		}
	})
	if refuted == 0 {
		t.Error("no mistake is ever noticed")
	}
}
