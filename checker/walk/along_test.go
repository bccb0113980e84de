package walk

import (
	"context"
	"testing"
	"time"

	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// TestFoundAlong: of a grid with ten robots all transitions are fireable. Each is reported once, with a
// run that reaches it where it says, and with fewer runs than goals.
func TestFoundAlong(t *testing.T) {
	net := petritest.Grid(6)
	var goals []Goal
	for u := range uint32(net.Transitions()) {
		goals = append(goals, Goal{Predicate: &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{u}}})
	}
	w := WalksOn(net, goals, 1)
	found, reports := make([]int, len(goals)), 0
	w.Found = func(goal int, _ int64, run []witness.Burst) bool {
		m, err := witness.ReplayRun(net, run)
		if err != nil || !net.Enabled(m, petri.Transition(goal)) {
			t.Errorf("goal %d is not reached, %v", goal, err)
		}
		found[goal]++
		reports++
		return true
	}
	w.FoundAlong = func(run []witness.Burst, reached []Reached) []bool {
		reports++
		var lengths []int
		for _, r := range reached {
			lengths = append(lengths, r.Length)
		}
		done := make([]bool, len(reached))
		if err := witness.ReplayTo(net, run, lengths, func(i int, m petri.Marking) {
			if !net.Enabled(m, petri.Transition(reached[i].Goal)) {
				t.Errorf("goal %d is not reached after %d of %d", reached[i].Goal, lengths[i], len(run))
			}
			done[i] = true
			found[reached[i].Goal]++
		}); err != nil {
			t.Error(err)
		}
		return done
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	w.Run(ctx)
	for goal, times := range found {
		if times != 1 {
			t.Errorf("goal %d is found %d times", goal, times)
		}
	}
	if w.Open() > 0 || reports > len(goals)*3/4 {
		t.Errorf("%d of %d goals are open after %d reports", w.Open(), len(goals), reports)
	}
}
