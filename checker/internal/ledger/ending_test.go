package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// The net reduced for deadlocks is dead at once: p is agglomerated, and its consumer
// lacks q. In the net itself its producer has to fire before.
func TestRunsEndInDeadlocks(t *testing.T) {
	for name, test := range map[string]struct {
		pump bool // whether a transition can always fire
		want []witness.Burst
	}{
		"producers": {false, []witness.Burst{{Transition: 0, Times: 2}}},
		"no end":    {true, nil},
	} {
		b := &petri.Builder{ID: "ending"}
		a, aErr := b.AddPlace("a", "", 2)
		q, qErr := b.AddPlace("q", "", 0)
		p, pErr := b.AddPlace("p", "", 0)
		produce, produceErr := b.AddTransition("produce", "")
		consume, consumeErr := b.AddTransition("consume", "")
		err := errors.Join(aErr, qErr, pErr, produceErr, consumeErr, b.AddInput(a, produce, 1), b.AddOutput(produce, p, 1),
			b.AddInput(p, consume, 1), b.AddInput(q, consume, 1))
		if test.pump {
			pump, pumpErr := b.AddTransition("pump", "")
			err = errors.Join(err, pumpErr, b.AddOutput(pump, a, 1))
		}
		net, buildErr := b.Build()
		if err := errors.Join(err, buildErr); err != nil {
			t.Fatal(err)
		}
		m := net.Initial()
		run := ToDeadlock(net, m, nil)
		replayed, err := witness.ReplayRun(net, run)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		dead := witness.Satisfies(net, replayed, &logic.Predicate{Operator: logic.Deadlocked})
		if dead == test.pump || len(run) > longestEnding {
			t.Errorf("%s: a deadlock after %d steps: %v", name, len(run), dead)
		}
		if test.want != nil && !slices.Equal(run, test.want) {
			t.Errorf("%s: run %v, want %v", name, run, test.want)
		}
	}
}

// TestLongEndings: many tokens on a way of places, of which a transition needs some more than it
// takes, are fired as often as each transition goes, and as one at a time where a place has a
// capacity.
func TestLongEndings(t *testing.T) {
	for _, capacity := range []int64{0, 40_000} {
		b := &petri.Builder{ID: "ending"}
		tokens := int64(10_000_000_000)
		if capacity > 0 {
			tokens = 20_000
		}
		before, err := b.AddPlace("p", "", tokens)
		if capacity > 0 {
			err = errors.Join(err, b.SetCapacity(before, capacity))
		}
		for i := range 3 {
			after, afterErr := b.AddPlace(fmt.Sprint("p", i), "", 0)
			move, moveErr := b.AddTransition(fmt.Sprint("t", i), "")
			err = errors.Join(err, afterErr, moveErr, b.AddInput(before, move, 5), b.AddOutput(move, before, 2), b.AddOutput(move, after, 2))
			before = after
		}
		net, buildErr := b.Build()
		if err := errors.Join(err, buildErr); err != nil {
			t.Fatal(err)
		}
		m := net.Initial()
		run := ToDeadlock(net, m, nil)
		replayed, err := witness.ReplayRun(net, run)
		if err != nil || !slices.Equal(m, replayed) || !net.Deadlock(m) {
			t.Errorf("capacity %d: %d steps to %v, replayed %v, %v", capacity, len(run), m, replayed, err)
		}
	}
}

// TestEndingsBesideWhatGoesOn: a run ends in a deadlock although some transitions could go on for ever: one that
// changes nothing, and two that undo each other, of which one comes before the way out.
func TestEndingsBesideWhatGoesOn(t *testing.T) {
	for _, circle := range []string{"", "there back out", "there out back", "out there back"} {
		b := &petri.Builder{ID: "ending"}
		p, pErr := b.AddPlace("p", "", 3)
		q, qErr := b.AddPlace("q", "", 1)
		err := errors.Join(pErr, qErr)
		move := func(id string, from petri.Place, take int64, to petri.Place) {
			u, addErr := b.AddTransition(id, "")
			err = errors.Join(err, addErr, b.AddInput(from, u, take), b.AddOutput(u, to, 1))
		}
		if circle != "" {
			r, rErr := b.AddPlace("r", "", 0)
			err = errors.Join(err, rErr)
			for _, id := range strings.Fields(circle) {
				switch id {
				case "there":
					move(id, q, 1, p)
				case "back":
					move(id, p, 1, q)
				case "out":
					move(id, q, 1, r)
				}
			}
		} else {
			move("idle", q, 1, q)
			move("back", q, 1, p)
			move("fewer", p, 2, q)
		}
		net, buildErr := b.Build()
		if err := errors.Join(err, buildErr); err != nil {
			t.Fatal(err)
		}
		m := net.Initial()
		run := ToDeadlock(net, m, nil)
		replayed, err := witness.ReplayRun(net, run)
		if err != nil || !net.Deadlock(replayed) || !slices.Equal(m, replayed) || len(run) > 100 {
			t.Errorf("circle %q: %d steps to %v, %v", circle, len(run), replayed, err)
		}
	}
}
