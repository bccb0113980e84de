package reachability_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// TestFiringSearchAgreesWithNaiveTwin: goals of one firing, deadlocks and others are reached, are
// impossible and have the largest values that the naive state graph shows, and runs lead to them.
func TestFiringSearchAgreesWithNaiveTwin(t *testing.T) {
	impossible, along, alone := 0, 0, 0
	if !petritest.CheckUntil(t, func() bool { return impossible > 20 && along > 20 && alone > 0 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		if !net.Plain() {
			t.Skip("only plain nets are searched so")
		}
		var goals []walk.Goal
		for u := range net.Transitions() {
			goals = append(goals, walk.Goal{Predicate: &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(u)}}})
		}
		goals = append(goals, walk.Goal{Predicate: &logic.Predicate{Operator: logic.Deadlocked}})
		goals = append(goals, drawGoals(t, net)...)
		reachable, largest := naiveGoals(net, g, goals)
		decided, low := make([]bool, len(goals)), make([]int64, len(goals))
		s := reachability.NewFiringSearch(t.Context(), net, invariant.Prove(t.Context(), net, 0), petri.Budget{})
		s.Goals = goals
		s.Open = func(i int) bool { return !decided[i] }
		s.Found = func(run []witness.Burst, reached []walk.Reached) {
			if len(reached) > 1 {
				along++
			}
			if !slices.IsSortedFunc(reached, func(a, b walk.Reached) int { return a.Length - b.Length }) {
				t.Fatalf("%v do not ascend", reached)
			}
			for _, r := range reached {
				if decided[r.Goal] = true; !confirms(net, run[:r.Length], goals[r.Goal].Predicate) {
					t.Fatalf("goal %d does not hold after %v", r.Goal, run[:r.Length])
				}
			}
		}
		s.Raised = func(i int, run []witness.Burst) {
			m, err := witness.ReplayRun(net, run)
			if err != nil {
				t.Fatal(err)
			}
			low[i] = numberIn(&goals[i], m)
		}
		s.Largest = func(i int, value int64) {
			if decided[i] = true; value != largest[i] || low[i] != value {
				t.Fatalf("largest value of %d is %d, and %d after a run; should be %d", i, value, low[i], largest[i])
			}
		}
		s.Unreachable = func(i int) {
			impossible++
			if decided[i] = true; reachable[i] {
				t.Fatalf("goal %d is said to be impossible", i)
			}
		}
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, goal := range goals {
			mixed := goal.Predicate != nil && goal.Predicate.Operator != logic.Deadlocked && rephrase.LooksAtDeadlock(goal.Predicate)
			if mixed {
				alone++
			}
			if decided[i] == mixed {
				t.Fatalf("goal %d is decided: %v", i, decided[i])
			}
		}
		if k := s.Kripke(); k.Len() > len(g.Markings) {
			t.Fatalf("%d markings, should be %d", k.Len(), len(g.Markings))
		}
	}) {
		t.Errorf("%d goals impossible, %d runs with several, %d goals left to others", impossible, along, alone)
	}
}

// TestFiringSearchGoesOn: where the search is cut short again and again, it finds just as much: all
// transitions of a net that fires each.
func TestFiringSearchGoesOn(t *testing.T) {
	net := petritest.Machines(1500)
	var goals []walk.Goal
	for u := range net.Transitions() {
		goals = append(goals, walk.Goal{Predicate: &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(u)}}})
	}
	deadlock := len(goals)
	goals = append(goals, walk.Goal{Predicate: &logic.Predicate{Operator: logic.Deadlocked}})
	decided, times := make([]bool, len(goals)), 0
	s := reachability.NewFiringSearch(t.Context(), net, invariant.Prove(t.Context(), net, 0), petri.Budget{})
	s.Goals = goals
	s.Open = func(i int) bool { return i == deadlock || !decided[i] } // all is explored
	s.Found = func(run []witness.Burst, reached []walk.Reached) {
		for _, r := range reached {
			if decided[r.Goal] || !confirms(net, run[:r.Length], goals[r.Goal].Predicate) {
				t.Fatalf("goal %d is found again, or does not hold after %v", r.Goal, run[:r.Length])
			}
			decided[r.Goal] = true
		}
	}
	s.Unreachable = func(i int) { t.Errorf("goal %d is said to be impossible", i) }
	for times = 0; s.Run(account.EndsAfter(2)) != nil; times++ {
		if err := s.Tell(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	g, _ := petritest.Explore(net, 1_000_000)
	if times < 1 || s.States() != len(g.Markings) || slices.Contains(decided, false) {
		t.Errorf("%d markings after %d breaks, should be %d; a goal is open: %t", s.States(), times, len(g.Markings), slices.Contains(decided, false))
	}
}
