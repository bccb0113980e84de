package checker

import (
	"context"
	"strings"
	"testing"
	"time"

	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// chain is a net in which tokens go from p to q one by one, and no further.
func chain(t *testing.T, tokens int64) *petri.Net {
	b := &petri.Builder{}
	p, _ := b.AddPlace("p", "", tokens)
	q, _ := b.AddPlace("q", "", 0)
	move, _ := b.AddTransition("move", "")
	b.AddInput(p, move, 1)
	b.AddOutput(move, q, 1)
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// atLeastTwo is q >= 2 in a chain.
func atLeastTwo() *logic.Predicate {
	return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 2, Terms: []logic.Term{{Place: 1, Coefficient: -1}}}}
}

// onChain runs an engine on a chain of two tokens, within the time, for a reachable
// goal and a largest sum; answers are replayed on a chain of so many.
func onChain(t *testing.T, tokens int64, until time.Duration, run engine) *recorder {
	reduced := chain(t, 2)
	r, record := newTestTask(t, reduced, 2, until)
	ctx, cancel := context.WithDeadline(t.Context(), r.clock.at(1))
	defer cancel()
	r.whole = ctx
	r.ledger.whenDone(cancel)
	r.ledger.ask(&question{number: 0, onReached: Truth(true), onUnreachable: Truth(false)}, &atom{goal: atLeastTwo()})
	r.ledger.ask(&question{number: 1}, &atom{maximum: &logic.Sum{Terms: []logic.Term{{Place: 1, Coefficient: 1}}}})
	r.reducedForAll(ctx)
	r.ledger.net = chain(t, tokens)
	_ = run(ctx, r) // it ends with ctx
	return record
}

// TestDiagramsReplay: what decision diagrams and state graphs find reachable is told
// with a run, and not told where the original net has no such run.
func TestDiagramsReplay(t *testing.T) {
	for name, run := range map[string]engine{"diagrams": diagramsAll, "state graph": exploreAll} {
		record := onChain(t, 2, time.Minute, run)
		for i, want := range []Value{Truth(true), Number(2)} {
			a := record.answer(i)
			steps, err := witness.ReplayRun(chain(t, 2), a.Witness.Run)
			if !a.Value.Equal(want) || a.Witness.Ground != ReachedMarking || err != nil || steps[1] != 2 {
				t.Errorf("%s: answer %+v, expected %v\n%s", name, a, want, record.explained())
			}
		}
		record = onChain(t, 1, time.Second/2, run)
		if len(record.answers) > 0 || strings.Count(record.explained(), "does not replay") != 2 {
			t.Errorf("%s, on another net: %v\n%s", name, record.answers, record.explained())
		}
	}
}

// TestDiagramsWithoutRun: when the time is over before there is a run, the answer says so.
func TestDiagramsWithoutRun(t *testing.T) {
	record := onChain(t, 2, time.Minute, func(ctx context.Context, r *task) error {
		n := r.reducedForAll(ctx)
		s, err := r.exploreSymbolically(ctx, n.net)
		if err != nil {
			return err
		}
		r.clock.horizon = 0 // no time is left for runs
		return r.showAtoms(ctx, s, n)
	})
	for i, want := range []Value{Truth(true), Number(2)} {
		if a := record.answer(i); !a.Value.Equal(want) || a.Witness.Unshown == nil || a.Witness.HasRun() {
			t.Errorf("answer %+v, expected %v\n%s", a, want, record.explained())
		}
	}
}
