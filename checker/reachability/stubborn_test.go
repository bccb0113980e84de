package reachability_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// searched is what a search for goals found.
type searched struct {
	found  []bool
	value  []int64
	steps  []int
	states int
	left   int64
	err    error
}

// search looks for goals, and replays what it finds.
func search(t *rapid.T, net *petri.Net, facts petri.Facts, goals []walk.Goal, stubborn bool) searched {
	r := searched{found: make([]bool, len(goals)), value: make([]int64, len(goals)), steps: make([]int, len(goals))}
	s := reachability.GoalSearch{
		Net: net, Facts: facts, Goals: goals, Stubborn: stubborn,
		Open: func(i int) bool { return !r.found[i] },
		Found: func(i int, value int64, run []witness.Burst) {
			r.found[i], r.value[i], r.steps[i] = true, value, len(run)
			m, err := witness.ReplayRun(net, run)
			if err != nil || goals[i].Predicate != nil && !witness.Satisfies(net, m, goals[i].Predicate) ||
				goals[i].Predicate == nil && numberIn(&goals[i], m) != value {
				t.Fatalf("goal %d is not reached by %v: %v", i, run, err)
			}
		},
	}
	r.err = s.Run(&cut{Context: context.Background()})
	r.states, r.left = s.States, s.Savings.Left
	return r
}

// cut is a context that ends after so much work: in it nets without bounds are searched as far
// as that goes.
type cut struct {
	context.Context
	looks int
}

func (c *cut) Err() error {
	if c.looks++; c.looks > 20 {
		return context.Canceled
	}
	return nil
}

// compare compares a search that leaves firings out with one that does not, and gives what was
// left out.
func compare(t *rapid.T, net *petri.Net, goals []walk.Goal) int64 {
	facts := petri.Facts{}
	if rapid.Bool().Draw(t, "facts") {
		facts = invariant.Prove(context.Background(), net, 0)
	}
	all, part := search(t, net, facts, goals, false), search(t, net, facts, goals, true)
	if all.err != nil {
		// The net is unbounded. What is left of it need not be; then it decides.
		if part.err != nil {
			return part.left
		}
	} else if errors.As(part.err, new(*petri.UnboundedError)) && !slices.Contains(all.found, false) {
		return part.left // of a net without bounds, all was found before that showed
	} else if part.err != nil || part.states > all.states {
		t.Fatalf("%d markings, %v; without stubborn sets %d", part.states, part.err, all.states)
	}
	for i := range goals {
		if all.found[i] && (!part.found[i] || part.steps[i] != all.steps[i] && goals[i].Predicate != nil && goals[i].Predicate.Operator != logic.Deadlocked || part.value[i] != all.value[i]) ||
			all.err == nil && part.found[i] != all.found[i] {
			t.Fatalf("goal %d, %v: found %v with value %d after %d; without stubborn sets %v, %d, %d", i, goals[i].Predicate, part.found[i], part.value[i], part.steps[i], all.found[i], all.value[i], all.steps[i])
		}
	}
	return part.left
}

// anyNet draws a net, bounded or not, with as many transitions that depend on each other as
// that do not.
func anyNet(t *rapid.T) *petri.Net {
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return petritest.StateMachines(true).Draw(t, "net")
	case 1:
		return petritest.AnyNet().Draw(t, "net")
	case 2:
		return petritest.Processes(false).Draw(t, "net")
	case 3:
		return petritest.Processes(true).Draw(t, "net")
	}
	return petritest.Loose().Draw(t, "net")
}

func TestStubbornSetsKeepDeadlocks(t *testing.T) {
	var census petritest.Census
	left := int64(0)
	if !petritest.CheckManyUntil(t, 3000, func() bool { return left > 100 }, func(t *rapid.T) {
		net := anyNet(t)
		census.Add(net)
		left += compare(t, net, []walk.Goal{{Predicate: &logic.Predicate{Operator: logic.Deadlocked}}})
	}) {
		t.Error("nothing was left out")
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "unbounded", "sources")
}

func TestStubbornSetsKeepGoals(t *testing.T) {
	var census petritest.Census
	left := int64(0)
	if !petritest.CheckManyUntil(t, 3000, func() bool { return left > 100 }, func(t *rapid.T) {
		net := anyNet(t)
		census.Add(net)
		var goals []walk.Goal
		for range rapid.IntRange(1, 3).Draw(t, "goals") {
			if net.Places() > 0 && rapid.IntRange(0, 4).Draw(t, "sum") == 0 {
				s := checkertest.Sum(t, net)
				goals = append(goals, walk.Goal{Maximum: &s, Products: checkertest.Products(t, net)})
				continue
			}
			goals = append(goals, walk.Goal{Predicate: checkertest.Goal(t, net, 2)})
		}
		left += compare(t, net, goals)
	}) {
		t.Error("nothing was left out")
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "unbounded", "sources")
}
