package checker

import (
	"errors"
	"testing"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/atoms"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/linear"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// TestWalksShowShortRuns: a run that a random walk found is shown without its detours: a mailbox
// gets as many letters as are asked about, and no more steps are made.
func TestWalksShowShortRuns(t *testing.T) {
	b := &petri.Builder{ID: "mailbox"}
	box, boxErr := b.AddPlace("box", "", 0)
	ready, readyErr := b.AddPlace("ready", "", 1)
	send, sendErr := b.AddTransition("send", "")
	receive, receiveErr := b.AddTransition("receive", "")
	arcsErr := errors.Join(b.AddOutput(send, box, 1), b.AddInput(box, receive, 1), b.AddInput(ready, receive, 1), b.AddOutput(receive, ready, 1))
	net, err := b.Build()
	if err := errors.Join(boxErr, readyErr, sendErr, receiveErr, arcsErr, err); err != nil {
		t.Fatal(err)
	}
	letters := func(operator logic.Operator, constant int64) *logic.Predicate {
		return &logic.Predicate{Operator: operator, Sum: logic.Sum{Constant: constant, Terms: []logic.Term{{Place: uint32(box), Coefficient: 1}}}}
	}
	s := ltl.NewFormulas()
	never := Linear{Formulas: s, Predicates: []*logic.Predicate{letters(logic.AtMost, -9)}, Formula: s.Globally(s.Atom("few"))}
	for seed := range uint64(5) {
		solver, err := New(Problem{Net: net}, Options{Threads: 1, MemoryBytes: 1 << 30, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		solver.plan = func(inquiry.Family) []core.Phase {
			return []core.Phase{proving("walks", 1, 0, atoms.Walks), proving("runs", 1, 0, linear.RandomRuns)}
		}
		questions := []Question{Invariant{Predicate: letters(logic.AtMost, -9)}, Bound{Sum: letters(logic.AtMost, 0).Sum}, never}
		for i, want := range []int64{10, 1, 10} {
			if err := solver.Decide(t.Context(), questions[i:i+1], func(a Answer) {
				if got := firings(a.Witness.Run) + firings(a.Witness.Cycle); got != want {
					t.Errorf("seed %d: %T is %v, shown by %d steps, expected %d", seed, questions[i], a.Value, got, want)
				}
			}); err != nil {
				t.Error(err)
			}
		}
		solver.Close()
	}
}

func firings(run []witness.Burst) (sum int64) {
	for _, b := range run {
		sum += b.Times
	}
	return sum
}
