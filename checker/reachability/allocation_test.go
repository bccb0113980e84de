package reachability_test

import (
	"context"
	"testing"

	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// TestGoalSearchAllocatesNotForEachMarking: what a search allocates grows with the tables of its
// markings, not by a slice each, whether its goal is a predicate, a deadlock or a sum, and whether
// it leaves out firings, with one thread or two.
func TestGoalSearchAllocatesNotForEachMarking(t *testing.T) {
	net := petritest.Philosophers(7)
	never := &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{
		{Operator: logic.Deadlocked}, {Operator: logic.Fireable, Transitions: []uint32{0}},
	}}
	terms := logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}, {Place: 1, Coefficient: 1}}}
	for name, goal := range map[string]walk.Goal{
		"predicate": {Predicate: never}, "deadlock": {Predicate: &logic.Predicate{Operator: logic.Deadlocked}}, "sum": {Maximum: &terms},
	} {
		for kind := range 4 {
			states, stubborn, threads := 0, kind%2 == 1, 1+kind/2
			allocations := testing.AllocsPerRun(1, func() {
				search := reachability.GoalSearch{
					Net: net, Budget: petri.Budget{}, Goals: []walk.Goal{goal}, Stubborn: stubborn, Threads: threads,
					Open: func(int) bool { return true }, Found: func(int, int64, []witness.Burst) {},
				}
				if err := search.Run(context.Background()); err != nil {
					t.Error(err)
				}
				states = search.States
			})
			t.Logf("%s, stubborn sets %t, %d threads: %v allocations for %d markings", name, stubborn, threads, allocations, states)
			if allocations > float64(200+states/4) {
				t.Errorf("%s, stubborn sets %t, %d threads: %v allocations for %d markings", name, stubborn, threads, allocations, states)
			}
		}
	}
}
