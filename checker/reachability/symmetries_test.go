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

// alikeGoal draws a goal that is the same for all copies: about sums over them, what is fireable in
// one of them, or one of all comparisons of a place.
func alikeGoal(t *rapid.T, c petritest.Copied) walk.Goal {
	over := func() logic.Sum {
		s := logic.Sum{Constant: -rapid.Int64Range(0, 4).Draw(t, "constant")}
		for _, p := range rapid.SampledFrom(c.Places).Draw(t, "place") {
			s.Terms = append(s.Terms, logic.Term{Place: uint32(p), Coefficient: rapid.SampledFrom([]int64{1, 1, -1}).Draw(t, "sign")})
		}
		slices.SortFunc(s.Terms, func(a, b logic.Term) int { return int(a.Place) - int(b.Place) })
		return s
	}
	switch rapid.IntRange(0, 4).Draw(t, "alike") {
	case 0:
		s := over()
		return walk.Goal{Maximum: &s}
	case 1:
		return walk.Goal{Predicate: &logic.Predicate{Operator: rapid.SampledFrom([]logic.Operator{logic.AtMost, logic.Equal}).Draw(t, "operator"), Sum: over()}}
	case 2:
		p := &logic.Predicate{Operator: logic.Fireable}
		for _, u := range rapid.SampledFrom(c.Transitions).Draw(t, "transition") {
			p.Transitions = append(p.Transitions, uint32(u))
		}
		slices.Sort(p.Transitions)
		return walk.Goal{Predicate: p}
	case 3:
		return walk.Goal{Predicate: &logic.Predicate{Operator: logic.Deadlocked}}
	}
	p := &logic.Predicate{Operator: rapid.SampledFrom([]logic.Operator{logic.And, logic.Or}).Draw(t, "operator")}
	comparison, constant, differ := logic.Equal, -rapid.Int64Range(0, 3).Draw(t, "constant"), rapid.Bool().Draw(t, "differ")
	for _, q := range rapid.SampledFrom(c.Places).Draw(t, "place") {
		if differ { // some of them from the others
			comparison = rapid.SampledFrom([]logic.Operator{logic.AtMost, logic.Equal}).Draw(t, "comparison")
			constant = -rapid.SampledFrom([]int64{0, 1, 1, 1}).Draw(t, "another constant")
		}
		p.Operands = append(p.Operands, &logic.Predicate{Operator: comparison, Sum: logic.Sum{Constant: constant, Terms: []logic.Term{{Place: uint32(q), Coefficient: 1}}}})
	}
	return walk.Goal{Predicate: p}
}

// copiedGoals draws goals, most of which are the same for all copies.
func copiedGoals(t *rapid.T, c petritest.Copied) (goals []walk.Goal) {
	for range rapid.IntRange(1, 3).Draw(t, "goals") {
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			goals = append(goals, walk.Goal{Predicate: checkertest.Goal(t, c.Net, 2)})
		case 1:
			s := checkertest.Sum(t, c.Net)
			goals = append(goals, walk.Goal{Maximum: &s, Products: checkertest.Products(t, c.Net)})
		default:
			goals = append(goals, alikeGoal(t, c))
		}
	}
	return goals
}

// searchAlike looks for goals with symmetries, and replays what it finds.
func searchAlike(ctx context.Context, t *rapid.T, net *petri.Net, facts petri.Facts, goals []walk.Goal) (r searched, symmetries int) {
	r = searched{found: make([]bool, len(goals)), value: make([]int64, len(goals)), steps: make([]int, len(goals))}
	s := reachability.GoalSearch{
		Net: net, Facts: facts, Goals: goals, Symmetric: true,
		Stubborn: rapid.Bool().Draw(t, "stubborn"),
		Threads:  rapid.SampledFrom([]int{1, 1, 2, 4}).Draw(t, "threads"),
		First:    rapid.SampledFrom([]int{0, 0, 0, 4, 16}).Draw(t, "first"),
		Open:     func(i int) bool { return !r.found[i] },
		Found: func(i int, value int64, run []witness.Burst) {
			r.found[i], r.value[i], r.steps[i] = true, value, len(run)
			if run == nil && ctx.Err() != nil {
				return // the time was over before the run was known
			}
			m, err := witness.ReplayRun(net, run)
			if err != nil || goals[i].Predicate != nil && !witness.Satisfies(net, m, goals[i].Predicate) ||
				goals[i].Predicate == nil && numberIn(&goals[i], m) != value {
				t.Errorf("goal %d is not reached by %v: %v", i, run, err)
			}
		},
	}
	r.err = s.Run(ctx)
	r.states = s.States
	return r, s.Symmetries
}

// TestSymmetriesKeepGoals: by symmetries, with several threads or one, with stubborn sets or without,
// the goals are found that are there, and no others.
func TestSymmetriesKeepGoals(t *testing.T) {
	var census petritest.Census
	fewer, ranges := 0, map[bool]int{}
	if !petritest.CheckManyUntil(t, 2000, func() bool { return fewer > 100 && ranges[true] > 100 && ranges[false] > 100 }, func(t *rapid.T) {
		c := petritest.Copies().Draw(t, "net")
		census.Add(c.Net)
		g, complete := petritest.Explore(c.Net, 400)
		if !complete {
			t.Skip("too many markings")
		}
		goals := copiedGoals(t, c)
		reachable, largest := naiveGoals(c.Net, g, goals)
		facts := petri.Facts{}
		if rapid.Bool().Draw(t, "facts") {
			facts = invariant.Prove(context.Background(), c.Net, 0)
		}
		r, symmetries := searchAlike(context.Background(), t, c.Net, facts, goals)
		if r.err != nil || r.states > len(g.Markings) {
			t.Fatalf("%d markings of %d, %v", r.states, len(g.Markings), r.err)
		}
		for i, goal := range goals {
			if goal.Predicate != nil && r.found[i] != reachable[i] || goal.Predicate == nil && (!r.found[i] || r.value[i] != largest[i]) {
				t.Fatalf("goal %d, %v: found %v with %d, expected %v, %d", i, goal.Predicate, r.found[i], r.value[i], reachable[i], largest[i])
			}
			if symmetries > 0 && goal.Predicate != nil {
				ranges[reachable[i]]++
			}
		}
		if symmetries > 0 && r.states < len(g.Markings) {
			fewer++
		}
	}) {
		t.Errorf("%d searches looked at fewer markings; %v goals with symmetries", fewer, ranges)
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "sources")
}

// TestSymmetriesWithoutBounds: a place is found unbounded by symmetries only if the net has one, and
// what is found before is right.
func TestSymmetriesWithoutBounds(t *testing.T) {
	var census petritest.Census
	endless := 0
	if !petritest.CheckManyUntil(t, 2000, func() bool { return endless > 30 }, func(t *rapid.T) {
		c := petritest.Copies().Draw(t, "net")
		census.Add(c.Net)
		goals := copiedGoals(t, c)
		g, complete := petritest.Explore(c.Net, 1000)
		reachable, _ := naiveGoals(c.Net, g, goals)
		r, symmetries := searchAlike(&cut{Context: context.Background()}, t, c.Net, petri.Facts{}, goals)
		unbounded := new(petri.UnboundedError)
		if errors.As(r.err, &unbounded) {
			if complete {
				t.Fatalf("%v, but there are %d markings", r.err, len(g.Markings))
			}
			if symmetries > 0 {
				endless++
			}
		}
		for i, goal := range goals {
			if r.err == nil && goal.Predicate != nil && reachable[i] && !r.found[i] {
				t.Fatalf("goal %d, %v, was not found", i, goal.Predicate)
			}
		}
	}) {
		t.Errorf("%d nets without bounds", endless)
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "sources", "unbounded")
}
