package stubborn_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/petri/stubborn"
)

// graph is what is explored of a net, breadth first, by the definitions.
type graph struct {
	markings []petri.Marking
	distance []int
	left     int // firings left out
	whole    bool
}

// explore explores at most so many markings, with what choose says of those enabled.
func explore(net *petri.Net, most int, choose func(petri.Marking, []petri.Transition) []petri.Transition) graph {
	g := graph{whole: true}
	known := map[string]bool{}
	add := func(m petri.Marking, distance int) {
		if key := fmt.Sprint(m); !known[key] {
			known[key] = true
			g.markings, g.distance = append(g.markings, m), append(g.distance, distance)
		}
	}
	add(net.Initial(), 0)
	for i := 0; i < len(g.markings); i++ {
		if i == most {
			g.whole = false
			return g
		}
		var enabled []petri.Transition
		for t := range petri.Transition(net.Transitions()) {
			if petritest.Fires(net, g.markings[i], t) != nil {
				enabled = append(enabled, t)
			}
		}
		chosen := choose(g.markings[i], enabled)
		g.left += len(enabled) - len(chosen)
		for _, t := range chosen {
			add(petritest.Fires(net, g.markings[i], t), g.distance[i]+1)
		}
	}
	return g
}

// all chooses everything.
func all(_ petri.Marking, enabled []petri.Transition) []petri.Transition { return enabled }

// deadlocks lists those of a graph.
func deadlocks(net *petri.Net, g graph) (list []string) {
	for _, m := range g.markings {
		if len(enabledIn(net, m)) == 0 {
			list = append(list, fmt.Sprint(m))
		}
	}
	slices.Sort(list)
	return list
}

// kinds has nets without and with special arcs, and how many firings are to be left out of each.
var kinds = []struct {
	name string
	nets *rapid.Generator[*petri.Net]
}{
	{"processes", petritest.Processes(false)},
	{"loose", petritest.Loose()},
	{"special processes", petritest.Processes(true)},
	{"special", petritest.AllArcs()},
	{"inhibited", petritest.Inhibited()},
}

const mostMarkings = 300

// withFacts draws a net, and proves its invariants or not. Rings count as long from some number of
// places on.
func withFacts(t *rapid.T, nets *rapid.Generator[*petri.Net]) (*petri.Net, petri.Facts) {
	net := nets.Draw(t, "net")
	stubborn.SetLongRing(rapid.SampledFrom([]int{2, 3, 8}).Draw(t, "long"))
	if rapid.IntRange(0, 3).Draw(t, "without facts") == 0 {
		return net, petri.Facts{}
	}
	return net, invariant.Prove(t.Context(), net, 0)
}

// All reachable deadlocks are met, and no other markings than without.
func TestDeadlocksAsInWholeGraph(t *testing.T) {
	defer stubborn.SetLongRing(stubborn.SetLongRing(8))
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			left := 0
			if !petritest.CheckUntil(t, func() bool { return left > 500 }, func(t *rapid.T) {
				net, facts := withFacts(t, kind.nets)
				whole := explore(net, mostMarkings, all)
				if !whole.whole {
					t.Skip("too many markings")
				}
				selection, err := stubborn.NewDeadlocks(t.Context(), net, facts)
				if err != nil {
					t.Fatal(err)
				}
				part := explore(net, mostMarkings, selection.Select)
				left += part.left
				if a, b := deadlocks(net, whole), deadlocks(net, part); !slices.Equal(a, b) {
					t.Fatalf("deadlocks %v; with stubborn sets %v", a, b)
				}
			}) {
				t.Error("nothing is left out")
			}
		})
	}
}

// Goals are as near as without, and sums get as large.
func TestGoalsAsInWholeGraph(t *testing.T) {
	defer stubborn.SetLongRing(stubborn.SetLongRing(8))
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			left := 0
			if !petritest.CheckUntil(t, func() bool { return left > 500 }, func(t *rapid.T) {
				net, facts := withFacts(t, kind.nets)
				whole := explore(net, mostMarkings, all)
				if !whole.whole {
					t.Skip("too many markings")
				}
				goal := drawGoal(t, net)
				holds := func(m petri.Marking) bool {
					return goal.Holds(m, net.Transitions(), func(u uint32) bool { return net.Enabled(m, petri.Transition(u)) })
				}
				sum := drawSum(t, net)
				nearest, largest := func(g graph) int {
					if i := slices.IndexFunc(g.markings, holds); i >= 0 {
						return g.distance[i]
					}
					return -1
				}, func(g graph) int64 {
					best := int64(-1 << 62)
					for _, m := range g.markings {
						value := sum.Constant
						for _, term := range sum.Terms {
							value += term.Coefficient * m[term.Place]
						}
						best = max(best, value)
					}
					return best
				}
				selection, err := stubborn.NewGoals(t.Context(), net, facts, []stubborn.Goal{{Predicate: goal}})
				if err != nil {
					t.Fatal(err)
				}
				part := explore(net, mostMarkings, selection.Select)
				if a, b := nearest(whole), nearest(part); a != b {
					t.Fatalf("%v after %d; with stubborn sets %d", goal, a, b)
				}
				left += part.left
				if selection, err = stubborn.NewGoals(t.Context(), net, facts, []stubborn.Goal{{Maximum: &sum}}); err != nil {
					t.Fatal(err)
				}
				part = explore(net, mostMarkings, selection.Select)
				if a, b := largest(whole), largest(part); a != b {
					t.Fatalf("%v gets %d; with stubborn sets %d", sum, a, b)
				}
				left += part.left
			}) {
				t.Error("nothing is left out")
			}
		})
	}
}

// A transition that only reads a place of a ring does not hold the token there. Here u can fire before t
// only, and the token has to go away and come back for it.
func TestReadingHoldsNoToken(t *testing.T) {
	var b petri.Builder
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	place := func(id string, tokens int64) petri.Place {
		p, err := b.AddPlace(id, "", tokens)
		must(err)
		return p
	}
	transition := func(id string) petri.Transition {
		u, err := b.AddTransition(id, "")
		must(err)
		return u
	}
	at, away, stock, x, y := place("at", 1), place("away", 0), place("stock", 2), place("x", 0), place("y", 0)
	move := func(id string, from, to petri.Place) {
		u := transition(id)
		must(b.AddInput(from, u, 1))
		must(b.AddOutput(u, to, 1))
	}
	move("go", at, away)
	move("come", away, at)
	u := transition("u")
	must(b.AddInput(away, u, 1))
	must(b.AddOutput(u, away, 1))
	must(b.AddInput(stock, u, 2))
	must(b.AddOutput(u, stock, 1))
	must(b.AddOutput(u, x, 1))
	v := transition("t")
	must(b.AddInput(at, v, 1))
	must(b.AddOutput(v, at, 1))
	must(b.AddInput(stock, v, 1))
	must(b.AddOutput(v, y, 1))
	net, err := b.Build()
	must(err)
	marked := func(p petri.Place) *logic.Predicate {
		return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: uint32(p), Coefficient: -1}}}}
	}
	goal := &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{marked(y), marked(x)}}
	facts := invariant.Prove(t.Context(), net, 0)
	if len(facts.Semiflows) == 0 {
		t.Fatal("no invariant")
	}
	selection, err := stubborn.NewGoals(t.Context(), net, facts, []stubborn.Goal{{Predicate: goal}})
	must(err)
	if !slices.ContainsFunc(explore(net, mostMarkings, selection.Select).markings, func(m petri.Marking) bool { return m[x] > 0 && m[y] > 0 }) {
		t.Fatal("the goal is not reached")
	}
}

// A transition that empties a place which is observed is visible, and not fired alone.
func TestEmptyingIsVisible(t *testing.T) {
	var b petri.Builder
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var places []petri.Place
	for _, id := range []string{"observed", "a", "b"} {
		p, err := b.AddPlace(id, "", 1)
		must(err)
		places = append(places, p)
	}
	for i, id := range []string{"empties", "other"} {
		u, err := b.AddTransition(id, "")
		must(err)
		must(b.AddInput(places[1+i], u, 1))
		if i == 0 {
			must(b.AddReset(places[0], u))
		}
	}
	net, err := b.Build()
	must(err)
	enabled := enabledIn(net, net.Initial())
	for _, observed := range places[:2] { // the reset arc, and the input arc
		selection, err := stubborn.NewInvisible(t.Context(), net, petri.Facts{}, []petri.Place{observed})
		must(err)
		if selected := selection.Select(net.Initial(), enabled); !slices.Equal(selected, enabled[1:]) {
			t.Errorf("%v is selected of %v, where %v is observed", selected, enabled, observed)
		}
	}
}

// drawSum draws a sum of one or two places.
func drawSum(t *rapid.T, net *petri.Net) logic.Sum {
	place := func() uint32 { return uint32(rapid.IntRange(0, net.Places()-1).Draw(t, "place")) }
	sum := logic.Sum{Constant: rapid.Int64Range(-3, 3).Draw(t, "constant"), Terms: []logic.Term{{Place: place(), Coefficient: rapid.SampledFrom([]int64{1, -1, 2}).Draw(t, "coefficient")}}}
	if p := place(); p > sum.Terms[0].Place {
		sum.Terms = append(sum.Terms, logic.Term{Place: p, Coefficient: rapid.SampledFrom([]int64{1, -1, -2}).Draw(t, "coefficient")})
	}
	return sum
}

// drawGoal draws a predicate with up to three operators.
func drawGoal(t *rapid.T, net *petri.Net) *logic.Predicate {
	leaf := func() *logic.Predicate {
		switch rapid.IntRange(0, 4).Draw(t, "leaf") {
		case 0:
			return &logic.Predicate{Operator: logic.Deadlocked}
		case 1:
			return &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(rapid.IntRange(0, net.Transitions()-1).Draw(t, "transition"))}}
		}
		return &logic.Predicate{Operator: rapid.SampledFrom([]logic.Operator{logic.AtMost, logic.Equal}).Draw(t, "comparison"), Sum: drawSum(t, net)}
	}
	goal := leaf()
	for range rapid.IntRange(0, 3).Draw(t, "operators") {
		switch o := rapid.SampledFrom([]logic.Operator{logic.Not, logic.And, logic.Or, logic.Equivalent}).Draw(t, "operator"); o {
		case logic.Not:
			goal = &logic.Predicate{Operator: o, Operands: []*logic.Predicate{goal}}
		default:
			goal = &logic.Predicate{Operator: o, Operands: []*logic.Predicate{goal, leaf()}}
		}
	}
	return goal
}
