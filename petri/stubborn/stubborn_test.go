package stubborn_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/stubborn"
)

// enabledIn lists what is enabled in m.
func enabledIn(net *petri.Net, m petri.Marking) (enabled []petri.Transition) {
	for t := range petri.Transition(net.Transitions()) {
		if net.Enabled(m, t) {
			enabled = append(enabled, t)
		}
	}
	return enabled
}

// runsFrom calls see with each run from m of at most length steps, and where it ends.
func runsFrom(net *petri.Net, m petri.Marking, length int, run []petri.Transition, see func(run []petri.Transition, m petri.Marking)) {
	see(run, m)
	if length == 0 {
		return
	}
	for _, t := range enabledIn(net, m) {
		next := slices.Clone(m)
		if net.Fire(next, t) {
			runsFrom(net, next, length-1, append(run, t), see)
		}
	}
}

// fires reports whether a run can be fired from m, and where it ends.
func fires(net *petri.Net, m petri.Marking, run []petri.Transition) (petri.Marking, bool) {
	m = slices.Clone(m)
	for _, t := range run {
		if !net.Fire(m, t) {
			return nil, false
		}
	}
	return m, true
}

// checkFirst checks the rule of all stubborn sets, in the initial marking of net: the first
// selected transition of a run may be fired first, and leads to the same marking.
func checkFirst(t *rapid.T, net *petri.Net, selected []petri.Transition) {
	runsFrom(net, net.Initial(), 4, nil, func(run []petri.Transition, end petri.Marking) {
		at := slices.IndexFunc(run, func(u petri.Transition) bool { return slices.Contains(selected, u) })
		if at <= 0 {
			return
		}
		other := slices.Concat(run[at:at+1], run[:at], run[at+1:])
		if m, ok := fires(net, net.Initial(), other); !ok || !slices.Equal(m, end) {
			t.Fatalf("%v can be fired, and %v, with selected %v, can't, or leads elsewhere", run, other, selected)
		}
	})
}

// A selection for deadlocks has its transitions fire first, and no run without one of them ends
// in a deadlock or disables one.
func TestDeadlockSelectionsObeyRules(t *testing.T) {
	var census petritest.Census
	defer stubborn.SetLongRing(stubborn.SetLongRing(8))
	proper := 0
	if !petritest.CheckManyUntil(t, 3000, func() bool { return proper > 20 }, func(t *rapid.T) {
		net, facts := withFacts(t, rapid.OneOf(petritest.Loose(), petritest.Net(), petritest.Processes(false), petritest.Processes(true), petritest.AllArcs()))
		enabled := enabledIn(net, net.Initial())
		if len(enabled) < 2 {
			t.Skip("nothing to select")
		}
		census.Add(net)
		selection, err := stubborn.NewDeadlocks(t.Context(), net, facts)
		if err != nil {
			t.Fatal(err)
		}
		selected := slices.Clone(selection.Select(net.Initial(), enabled))
		if again := selection.Select(net.Initial(), enabled); !slices.Equal(again, selected) {
			t.Fatalf("%v, and then %v", selected, again)
		}
		if len(selected) == 0 {
			t.Fatal("nothing is selected")
		}
		if len(selected) < len(enabled) {
			proper++
		}
		checkFirst(t, net, selected)
		runsFrom(net, net.Initial(), 4, nil, func(run []petri.Transition, m petri.Marking) {
			if slices.ContainsFunc(run, func(u petri.Transition) bool { return slices.Contains(selected, u) }) {
				return
			}
			for _, u := range selected {
				if !net.Enabled(m, u) {
					t.Fatalf("%v disables %d, which is selected", run, u)
				}
			}
		})
	}) {
		t.Error("all is always selected")
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "unbounded")
}

// A selection for a goal has its transitions fire first, and no run without one of them reaches
// the goal.
func TestGoalSelectionsObeyRules(t *testing.T) {
	var census petritest.Census
	defer stubborn.SetLongRing(stubborn.SetLongRing(8))
	proper := 0
	if !petritest.CheckManyUntil(t, 3000, func() bool { return proper > 20 }, func(t *rapid.T) {
		net, facts := withFacts(t, rapid.OneOf(petritest.Loose(), petritest.Net(), petritest.Processes(false), petritest.Processes(true), petritest.AllArcs()))
		enabled := enabledIn(net, net.Initial())
		if len(enabled) < 2 || net.Places() == 0 {
			t.Skip("nothing to select")
		}
		census.Add(net)
		goal := drawGoal(t, net)
		holds := func(m petri.Marking) bool {
			return goal.Holds(m, net.Transitions(), func(u uint32) bool { return net.Enabled(m, petri.Transition(u)) })
		}
		if holds(net.Initial()) {
			t.Skip("the goal is reached")
		}
		selection, err := stubborn.NewGoals(t.Context(), net, facts, []stubborn.Goal{{Predicate: goal}})
		if err != nil {
			t.Fatal(err)
		}
		selected := slices.Clone(selection.Select(net.Initial(), enabled))
		if len(selected) < len(enabled) {
			proper++
		}
		checkFirst(t, net, selected)
		runsFrom(net, net.Initial(), 4, nil, func(run []petri.Transition, m petri.Marking) {
			if holds(m) && !slices.ContainsFunc(run, func(u petri.Transition) bool { return slices.Contains(selected, u) }) {
				t.Fatalf("%v reaches the goal without %v, of which one is selected", run, selected)
			}
		})
	}) {
		t.Error("all is always selected")
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "unbounded")
}
