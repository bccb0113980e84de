package atoms

import (
	"context"
	"strings"
	"testing"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/disk"
)

// chain returns a net in which tokens go from p to q one by one, and no further.
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

// atLeastTwo returns q >= 2 in a chain.
func atLeastTwo() *logic.Predicate {
	return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 2, Terms: []logic.Term{{Place: 1, Coefficient: -1}}}}
}

// onChain runs an engine on a chain of two tokens, within the time, for a reachable
// goal and a largest sum; answers are replayed on a chain of so many.
func onChain(t *testing.T, tokens int64, until time.Duration, run core.Engine) *coretest.Recorder {
	reduced := chain(t, 2)
	r, record := coretest.NewTask(t, reduced, 2, until)
	ctx, cancel := context.WithDeadline(t.Context(), r.Clock.At(1))
	defer cancel()
	r.Whole = ctx
	r.Ledger.WhenDone(cancel)
	r.Ledger.Ask(&ledger.Question{Number: 0, OnReached: inquiry.Truth(true), OnUnreachable: inquiry.Truth(false)}, &ledger.Atom{Goal: atLeastTwo()})
	r.Ledger.Ask(&ledger.Question{Number: 1}, &ledger.Atom{Maximum: &logic.Sum{Terms: []logic.Term{{Place: 1, Coefficient: 1}}}})
	r.ReducedForAll(ctx)
	r.Ledger.Net = chain(t, tokens)
	_ = run(ctx, r) // it ends with ctx
	return record
}

// TestDiagramsReplay: what decision diagrams and state graphs find reachable is told
// with a run, and not told where the original net has no such run.
func TestDiagramsReplay(t *testing.T) {
	for name, run := range map[string]core.Engine{"diagrams": Diagrams, "state graph": Graph} {
		record := onChain(t, 2, time.Minute, run)
		for i, want := range []inquiry.Value{inquiry.Truth(true), inquiry.Number(2)} {
			a := record.Answer(i)
			steps, err := witness.ReplayRun(chain(t, 2), a.Witness.Run)
			if !a.Value.Equal(want) || a.Witness.Ground != inquiry.ReachedMarking || err != nil || steps[1] != 2 {
				t.Errorf("%s: answer %+v, expected %v\n%s", name, a, want, record.Explained())
			}
		}
		record = onChain(t, 1, time.Second/2, run)
		if len(record.Answers) > 0 || strings.Count(record.Explained(), "does not replay") != 2 {
			t.Errorf("%s, on another net: %v\n%s", name, record.Answers, record.Explained())
		}
	}
}

// TestOnDiskReplays: what is met on disk is told with a run. Where the original net has no such run, it is
// neither reached nor impossible.
func TestOnDiskReplays(t *testing.T) {
	for _, tokens := range []int64{2, 1} {
		folder, err := disk.NewFolder(t.TempDir(), 0)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Remove()
		r, record := coretest.NewTask(t, chain(t, 2), 2, time.Minute)
		r.Shared.Disk = folder
		never := atLeastTwo()
		never.Sum.Constant = 3
		for i, goal := range []*logic.Predicate{atLeastTwo(), never} {
			r.Ledger.Ask(&ledger.Question{Number: i, OnReached: inquiry.Truth(true), OnUnreachable: inquiry.Truth(false)}, &ledger.Atom{Goal: goal})
		}
		r.Ledger.Net = chain(t, tokens)
		if err := OnDisk(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if tokens == 1 {
			if len(record.Answers) != 1 || !record.Value(1).IsFalse() || !strings.Contains(record.Explained(), "does not replay") {
				t.Errorf("on another net: %v\n%s", record.Answers, record.Explained())
			}
			continue
		}
		a := record.Answer(0)
		steps, err := witness.ReplayRun(chain(t, 2), a.Witness.Run)
		if !a.Value.Equal(inquiry.Truth(true)) || !record.Value(1).IsFalse() || err != nil || steps[1] != 2 {
			t.Errorf("answer %+v\n%s", a, record.Explained())
		}
	}
}

// TestDiagramsWithoutRun: when the time is over before there is a run, the answer says so.
func TestDiagramsWithoutRun(t *testing.T) {
	record := onChain(t, 2, time.Minute, func(ctx context.Context, r *core.Task) error {
		n := r.ReducedForAll(ctx)
		s, err := r.Diagram(ctx, n.Net)
		if err != nil {
			return err
		}
		r.Clock.Horizon = 0 // no time is left for runs
		return showAtoms(ctx, r, s, n)
	})
	for i, want := range []inquiry.Value{inquiry.Truth(true), inquiry.Number(2)} {
		if a := record.Answer(i); !a.Value.Equal(want) || a.Witness.Unshown == nil || a.Witness.HasRun() {
			t.Errorf("answer %+v, expected %v\n%s", a, want, record.Explained())
		}
	}
}
