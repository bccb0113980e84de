package asking_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/liveness"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestWhatArcsShow: that a net is live since all its transitions fire and can be undone, and that it
// has no deadlock since something fires after each firing, is so in the naive state graph.
func TestWhatArcsShow(t *testing.T) {
	live, dead, open, deadlockFree := 0, 0, 0, 0
	if !petritest.CheckUntil(t, func() bool { return live > 5 && dead > 5 && open > 5 && deadlockFree > 5 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.Net(), petritest.Loose(), petritest.AllArcs(), petritest.StateMachines(true)).Draw(t, "net")
		g, finite := petritest.Explore(net, 500)
		if !finite || net.Transitions() == 0 {
			t.Skip("too large, or unbounded")
		}
		fires := func(transition uint32) []bool {
			can := make([]bool, len(g.Markings))
			for i, m := range g.Markings {
				can[i] = net.Enabled(m, petri.Transition(transition))
			}
			return can
		}
		// naive decides the atoms of transitions alone, as any engines may.
		naive := func(_ context.Context, r *core.Task) error {
			for _, i := range r.Ledger.OpenAtoms() {
				goal := r.Ledger.Atoms[i].Goal
				if len(goal.Transitions) == 0 {
					continue
				}
				if g.Finally(false, fires(goal.Transitions[0]))[0] {
					r.Ledger.Decide(i, ledger.Reached, inquiry.RandomWalk, inquiry.Witness{})
				} else {
					r.Ledger.Impossible(i, inquiry.LinearProgram, inquiry.Witness{})
				}
			}
			return nil
		}
		isLive, hasDeadlock := true, false
		for u := range uint32(net.Transitions()) {
			for _, can := range g.Finally(false, fires(u)) {
				isLive = isLive && can
			}
		}
		for _, m := range g.Markings {
			hasDeadlock = hasDeadlock || net.Deadlock(m)
		}
		switch answers := coretest.Decide(naive, net, inquiry.Live{}); {
		case len(answers) == 0:
			open++
		case answers[0].Value.IsTrue() != isLive:
			t.Fatalf("live is said to be %v, should be %t", answers[0].Value, isLive)
		case isLive:
			live++
		default:
			dead++
		}
		if answers := coretest.Decide(naive, net, inquiry.Deadlock{}); len(answers) > 0 && answers[0].Value.IsTrue() != hasDeadlock {
			t.Fatalf("that there is a deadlock is said to be %v, should be %t", answers[0].Value, hasDeadlock)
		} else if len(answers) > 0 && !hasDeadlock {
			deadlockFree++
		}
	}) {
		t.Errorf("%d nets shown to be live, %d not to be, %d neither; %d shown to be without deadlock", live, dead, open, deadlockFree)
	}
}

// TestGridIsLive: robots that walk once along each way show that they always can, where no state graph
// would be explored.
func TestGridIsLive(t *testing.T) {
	walks := func(ctx context.Context, r *core.Task) error {
		until, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		r.Ledger.WhenDone(cancel)
		if err := liveness.Walks(until, r); !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	}
	answers := coretest.Decide(walks, petritest.Grid(8), inquiry.Live{})
	if len(answers) != 1 || !answers[0].Value.IsTrue() {
		t.Errorf("answers are %v", answers)
	}
}
