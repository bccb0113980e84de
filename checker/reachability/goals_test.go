package reachability_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/diagram"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/reachability"
	"pnmc/checker/stateequation"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// naiveGoals returns for each goal whether it is reachable, and for each sum its
// largest value.
func naiveGoals(net *petri.Net, g *petritest.Graph, goals []walk.Goal) (reachable []bool, largest []int64) {
	reachable, largest = make([]bool, len(goals)), make([]int64, len(goals))
	for i, goal := range goals {
		largest[i] = math.MinInt64
		for _, m := range g.Markings {
			if goal.Predicate != nil {
				reachable[i] = reachable[i] || witness.Satisfies(net, m, goal.Predicate)
				continue
			}
			largest[i] = max(largest[i], numberIn(&goal, m))
		}
	}
	return reachable, largest
}

func numberIn(g *walk.Goal, m petri.Marking) int64 {
	v := sumIn(g.Maximum, m)
	for _, p := range g.Products {
		product := p.Coefficient
		for i := range p.Factors {
			product *= sumIn(&p.Factors[i], m)
		}
		v += product
	}
	return v
}

func sumIn(s *logic.Sum, m petri.Marking) int64 {
	v := s.Constant
	for _, term := range s.Terms {
		v += term.Coefficient * m[term.Place]
	}
	return v
}

func drawGoals(t *rapid.T, net *petri.Net) []walk.Goal {
	var goals []walk.Goal
	for range 6 {
		goals = append(goals, walk.Goal{Predicate: checkertest.Goal(t, net, 2)})
	}
	for range 2 {
		s := checkertest.Sum(t, net)
		goals = append(goals, walk.Goal{Maximum: &s, Products: checkertest.Products(t, net)})
	}
	return goals
}

func TestStateEquationAgreesWithNaiveTwin(t *testing.T) {
	var census petritest.Census
	refuted, exact, resets := 0, 0, 0
	if !petritest.CheckManyUntil(t, 2000, func() bool { return refuted > 0 && exact > 0 && resets > 0 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		census.Add(net)
		goals := drawGoals(t, net)
		reachable, largest := naiveGoals(net, g, goals)
		e := stateequation.New(context.Background(), net)
		for i, goal := range goals {
			if goal.Predicate == nil {
				if len(goal.Products) > 0 {
					continue
				}
				if bound, ok := e.UpperBound(context.Background(), *goal.Maximum); ok {
					if bound < largest[i] {
						t.Fatalf("bound %d of %v, but %d is reached", bound, goal.Maximum, largest[i])
					}
					if bound == largest[i] {
						exact++
					}
				}
				continue
			}
			if e.Contradicts(context.Background(), goal.Predicate) {
				if reachable[i] {
					t.Fatalf("goal %d is said to contradict the state equation, but is reachable", i)
				}
				refuted++
				if net.HasResets() {
					resets++
				}
			}
		}
	}) {
		t.Errorf("%d goals refuted, %d in nets with reset arcs, %d bounds exact", refuted, resets, exact)
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "inhibitor arcs", "reset arcs", "capacities", "sources")
}

func TestWalkFindsWhatIsThere(t *testing.T) {
	var census petritest.Census
	found := 0
	if !petritest.CheckManyUntil(t, 2000, func() bool { return found > 0 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		census.Add(net)
		goals := drawGoals(t, net)
		reachable, largest := naiveGoals(net, g, goals)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		w, err := walk.New(context.Background(), net, goals, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		w.Found = func(i int, value int64, run []witness.Burst) bool {
			m, err := witness.ReplayRun(net, run)
			if err != nil {
				t.Fatal(err)
			}
			if goal := goals[i]; goal.Predicate != nil {
				if !witness.Satisfies(net, m, goal.Predicate) || !reachable[i] {
					t.Fatalf("goal %d does not hold after %v", i, run)
				}
				found++
				return true
			}
			if v := numberIn(&goals[i], m); v != value || v > largest[i] {
				t.Fatalf("sum %d is %d after %v, not %d, at most %d", i, v, run, value, largest[i])
			}
			return false
		}
		asked := 0
		w.Wanted = func(int) bool {
			if asked++; asked > 5*len(goals) {
				cancel()
			}
			return true
		}
		w.Run(ctx)
	}) {
		t.Error("nothing was ever found")
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "inhibitor arcs", "reset arcs", "capacities", "sources")
}

func TestGoalSearchAgreesWithNaiveTwin(t *testing.T) {
	var census petritest.Census
	petritest.CheckMany(t, 2000, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		census.Add(net)
		goals := drawGoals(t, net)
		reachable, largest := naiveGoals(net, g, goals)
		decided := make([]bool, len(goals))
		s := reachability.GoalSearch{Net: net, Facts: invariant.Prove(context.Background(), net, 0), Goals: goals,
			Open: func(i int) bool { return !decided[i] },
			Found: func(i int, value int64, run []witness.Burst) {
				decided[i] = true
				if goals[i].Predicate == nil {
					m, err := witness.ReplayRun(net, run)
					if err != nil || value != largest[i] || numberIn(&goals[i], m) != value {
						t.Fatalf("largest value %d after %v, %v, should be %d", value, run, err, largest[i])
					}
				} else if !confirms(net, run, goals[i].Predicate) {
					t.Fatalf("goal %d does not hold after %v", i, run)
				}
			}}
		if err := s.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		for i := range goals {
			if goals[i].Predicate != nil && decided[i] != reachable[i] {
				t.Fatalf("goal %d: found %v, should be %v", i, decided[i], reachable[i])
			}
		}
	})
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "inhibitor arcs", "reset arcs", "capacities", "sources")
}

func TestSymbolicGoalsAgreeWithNaiveTwin(t *testing.T) {
	petritest.CheckMany(t, 500, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		goals := drawGoals(t, net)
		reachable, largest := naiveGoals(net, g, goals)
		s, err := diagram.Explore(context.Background(), net, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, goal := range goals {
			if goal.Predicate == nil {
				if v, err := s.Maximum(t.Context(), goal.Number()); err != nil || v.Int64() != largest[i] {
					t.Fatalf("largest value %v, %v, should be %d", v, err, largest[i])
				}
				continue
			}
			is, run, err := s.Reach(context.Background(), goal.Predicate)
			if err != nil || is != reachable[i] || is && !confirms(net, run, goal.Predicate) {
				t.Fatalf("goal %d: %v by %v, %v, should be %v", i, is, run, err, reachable[i])
			}
		}
	})
}

// confirms reports whether run is a run of net after which p holds.
func confirms(net *petri.Net, run []witness.Burst, p *logic.Predicate) bool {
	m, err := witness.ReplayRun(net, run)
	return err == nil && witness.Satisfies(net, m, p)
}
