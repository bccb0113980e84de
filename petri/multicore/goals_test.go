package multicore_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/petri/multicore"
)

// The searches of package reachability are compared here, where threads can be made to give way and
// meet all the time.

// drawSum draws a sum over a place or two.
func drawSum(t *rapid.T, net *petri.Net, constants int64) logic.Sum {
	place := func() uint32 { return uint32(rapid.IntRange(0, net.Places()-1).Draw(t, "place")) }
	coefficient := func() int64 { return rapid.SampledFrom([]int64{1, -1, 2, -2}).Draw(t, "coefficient") }
	s := logic.Sum{Constant: rapid.Int64Range(-constants, constants).Draw(t, "constant"), Terms: []logic.Term{{Place: place(), Coefficient: coefficient()}}}
	if p := place(); p > s.Terms[0].Place {
		s.Terms = append(s.Terms, logic.Term{Place: p, Coefficient: coefficient()})
	}
	return s
}

// drawGoal draws a predicate, a maximum, or a deadlock.
func drawGoal(t *rapid.T, net *petri.Net) walk.Goal {
	leaf := func() *logic.Predicate {
		if net.Transitions() > 0 && rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
			return &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(rapid.IntRange(0, net.Transitions()-1).Draw(t, "transition"))}}
		}
		return &logic.Predicate{Operator: rapid.SampledFrom([]logic.Operator{logic.AtMost, logic.Equal}).Draw(t, "comparison"), Sum: drawSum(t, net, 4)}
	}
	kind := rapid.IntRange(0, 5).Draw(t, "goal")
	switch {
	case kind == 0 || net.Places() == 0:
		return walk.Goal{Predicate: &logic.Predicate{Operator: logic.Deadlocked}}
	case kind == 1:
		s := drawSum(t, net, 1)
		return walk.Goal{Maximum: &s}
	case kind == 2:
		return walk.Goal{Predicate: leaf()}
	}
	operator := rapid.SampledFrom([]logic.Operator{logic.And, logic.Or, logic.Equivalent}).Draw(t, "operator")
	return walk.Goal{Predicate: &logic.Predicate{Operator: operator, Operands: []*logic.Predicate{leaf(), {Operator: logic.Not, Operands: []*logic.Predicate{leaf()}}}}}
}

// goalsAgree searches with several threads, and with one, and compares both with all markings. It
// gives what stubborn sets have left out.
func goalsAgree(t *rapid.T, net *petri.Net, g *petritest.Graph) (left int64) {
	var goals []walk.Goal
	for range rapid.IntRange(1, 5).Draw(t, "goals") {
		goals = append(goals, drawGoal(t, net))
	}
	facts := petri.Facts{}
	if rapid.Bool().Draw(t, "facts") {
		facts = invariant.Prove(context.Background(), net, 0)
	}
	reachable, largest := make([]bool, len(goals)), make([]int64, len(goals))
	for i, goal := range goals {
		largest[i] = math.MinInt64
		for _, m := range g.Markings {
			if goal.Predicate != nil {
				reachable[i] = reachable[i] || witness.Satisfies(net, m, goal.Predicate)
			} else if v, ok := goal.Maximum.Value(m); ok {
				largest[i] = max(largest[i], v)
			}
		}
	}
	stubborn := rapid.Bool().Draw(t, "stubborn")
	for _, threads := range []int{1, petritest.Threads(t)} {
		found := make([]bool, len(goals))
		s := reachability.GoalSearch{
			Net: net, Facts: facts, Goals: goals, Stubborn: stubborn, Threads: threads,
			Open: func(i int) bool { return !found[i] },
			Found: func(i int, value int64, run []witness.Burst) {
				m, err := witness.ReplayRun(net, run)
				if err != nil || found[i] {
					t.Fatalf("goal %d, found before: %v; %v", i, found[i], err)
				}
				found[i] = true
				if goal := goals[i]; goal.Predicate != nil && !witness.Satisfies(net, m, goal.Predicate) {
					t.Fatalf("%v does not hold after %v", goal.Predicate, run)
				} else if goal.Predicate == nil {
					if v, ok := goal.Maximum.Value(m); !ok || v != value || v != largest[i] {
						t.Fatalf("%v has %d after %v, told as %d, and %d at most", goal.Maximum, v, run, value, largest[i])
					}
				}
			},
		}
		if err := s.Run(context.Background()); err != nil || s.States > len(g.Markings) {
			t.Fatalf("%d threads: %d markings of %d, %v", threads, s.States, len(g.Markings), err)
		}
		for i, goal := range goals {
			if goal.Predicate != nil && found[i] != reachable[i] || goal.Predicate == nil && !found[i] {
				t.Fatalf("%d threads, stubborn sets %v: goal %d, %v: found %v, should be %v", threads, stubborn, i, goal.Predicate, found[i], reachable[i])
			}
		}
		left += s.Savings.Left
	}
	return left
}

// TestGoalsAgree: however threads come between each other, they find what all markings have.
func TestGoalsAgree(t *testing.T) {
	yields(t)
	for name, generator := range generators {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				net := generator.Draw(t, "net")
				g, finite := petritest.Explore(net, explorable)
				if !finite {
					t.Skip("too large or unbounded")
				}
				goalsAgree(t, net, g)
			})
		})
	}
}

// TestGoalsStress runs TestGoalsAgree for as long as one likes.
func TestGoalsStress(t *testing.T) {
	goesOn := petritest.Stress(t)
	compared, left := 0, int64(0)
	for goesOn() {
		room := [][2]int{{0, 0}, {0, 5}, {20, 5}, {20, 20}, {150, 50}}[rand.IntN(5)]
		reset := multicore.ForTests(give, room[0], room[1])
		rapid.Check(t, func(t *rapid.T) {
			name := rapid.SampledFrom([]string{"any", "state machines", "false NUPN", "all arcs", "loose"}).Draw(t, "kind")
			net := generators[name].Draw(t, "net")
			if g, finite := petritest.Explore(net, explorable); finite {
				left += goalsAgree(t, net, g)
				compared++
			}
		})
		reset()
	}
	t.Logf("%d nets, %d firings left out", compared, left)
}
