package checker

import (
	"context"
	"errors"
	"math"
	"testing"

	"pnmc/checker/internal/rephrase"
	"pnmc/checker/reachability"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestEndsWithoutDeadline: what nothing can prove is unknown in the end, though random runs
// and walks would go on for ever.
func TestEndsWithoutDeadline(t *testing.T) {
	atLeast := func(n int64) *logic.Predicate {
		return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: n, Terms: []logic.Term{{Coefficient: -1}}}}
	}
	few, many := ctl.Of(rephrase.Not(atLeast(3))), ctl.Of(atLeast(3))
	s := ltl.NewFormulas()
	l := Linear{Formulas: s, Predicates: []*logic.Predicate{rephrase.Not(atLeast(3)), atLeast(3)}}
	// Each run has few again and again, or many from some time on: no engine sees that.
	l.Formula = s.Or(s.Globally(s.Finally(s.Atom("few"))), s.Finally(s.Globally(s.Atom("many"))))
	for name, questions := range map[string][]Question{
		"linear":    {l},
		"branching": {Branching{Formula: ctl.New(ctl.AllGlobally, ctl.New(ctl.ExistsFinally, few))}},
		"both":      {l, Branching{Formula: ctl.New(ctl.AllGlobally, ctl.New(ctl.ExistsFinally, many))}},
	} {
		for _, threads := range []int{0, 1} {
			solver, err := New(Problem{Net: petritest.Counter()}, Options{Patience: 1, Threads: threads, MemoryBytes: 1 << 30})
			must(t, err)
			answers := 0
			must(t, solver.Decide(context.Background(), questions, func(a Answer) {
				answers++
				if !a.Value.IsKnown() && !errors.Is(a.Reason, ErrNotDecided) {
					t.Errorf("%s: question %d is unknown since %v", name, a.Question, a.Reason)
				}
			}))
			if answers != len(questions) {
				t.Errorf("%s: %d answers", name, answers)
			}
			solver.Close()
		}
	}
}

// TestDeadTransitionIsGivenUp: all markings beyond a run are looked at only until the context
// ends.
func TestDeadTransitionIsGivenUp(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if confirmed, refuted := reachability.NeverAgain(over, petritest.Counter(), nil, nil, math.MaxInt/2); confirmed || refuted {
		t.Errorf("confirmed %t, refuted %t", confirmed, refuted)
	}
}
