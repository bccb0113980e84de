package walk

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/stateequation"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// scarce returns a net with n units of fuel and n products, and the goal to have all of these. Each can be
// made in one step from two units, or in two steps from one: only if all are made from one, the fuel does.
func scarce(t testing.TB, n int) (*petri.Net, Goal) {
	var b petri.Builder
	place := func(id string, tokens int64) petri.Place {
		p, err := b.AddPlace(id, "", tokens)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	move := func(id string, from petri.Place, taken int64, to petri.Place) {
		u, err := b.AddTransition(id, "")
		if err != nil || b.AddInput(from, u, taken) != nil || b.AddOutput(u, to, 1) != nil {
			t.Fatal(id)
		}
	}
	fuel, goal := place("fuel", int64(n)), &logic.Predicate{Operator: logic.And}
	for i := range n {
		half, made := place(fmt.Sprint("half", i), 0), place(fmt.Sprint("made", i), 0)
		move(fmt.Sprint("quick", i), fuel, 2, made)
		move(fmt.Sprint("begin", i), fuel, 1, half)
		move(fmt.Sprint("end", i), half, 1, made)
		goal.Operands = append(goal.Operands, &logic.Predicate{Operator: logic.AtMost,
			Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: uint32(made), Coefficient: -1}}}})
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net, Goal{Predicate: goal}
}

// solved returns solutions of the state equation for goals.
func solved(t testing.TB, net *petri.Net, goals []Goal, seed uint64) func(goal, turn int) []witness.Burst {
	e := stateequation.New(context.Background(), net)
	e.KeepSolutions(3, seed)
	lists := make([][][]witness.Burst, len(goals))
	for i, g := range goals {
		switch {
		case g.Predicate != nil:
			e.Contradicts(t.Context(), g.Predicate)
		case len(g.Products) == 0:
			e.UpperBound(t.Context(), *g.Maximum)
		}
		lists[i] = e.Solutions()
	}
	return func(goal, turn int) []witness.Burst {
		if n := len(lists[goal]); n > 0 {
			return lists[goal][turn%n]
		}
		return nil
	}
}

// TestCountsReachWhatOthersMiss: with scarce fuel, walks along counts make all products at once, where each
// other policy does not in a hundred times as many steps.
func TestCountsReachWhatOthersMiss(t *testing.T) {
	const products, most = 40, 400
	net, goal := scarce(t, products)
	walks := func(how policy, steps int64) (taken int64, reached bool) {
		w := WalksOn(net, []Goal{goal}, 1)
		w.Counts = solved(t, net, []Goal{goal}, 1)
		w.length = most
		w.Found = func(_ int, _ int64, run []witness.Burst) bool {
			if how == alongCounts != w.IsAlongCounts() {
				t.Errorf("a walk by policy %d is along counts: %t", how, w.IsAlongCounts())
			}
			m, err := witness.ReplayRun(net, run)
			reached = err == nil && witness.Satisfies(net, m, goal.Predicate)
			return true
		}
		for w.Steps < steps && w.Open() > 0 {
			clear(w.spent[:]) // no policy waits for others
			if how == alongCounts {
				w.walkAlongCounts(t.Context())
			} else {
				w.walk(t.Context(), how, w.length)
			}
		}
		if w.IsAlongCounts() {
			t.Error("after the walk it is still along counts")
		}
		return w.Steps, reached
	}
	if steps, reached := walks(alongCounts, 1); !reached || steps > most {
		t.Errorf("along counts: %d steps, reached: %t", steps, reached)
	}
	for how := range alongCounts {
		if steps, reached := walks(how, 100*most); reached {
			t.Errorf("policy %d reaches the goal after %d steps, too", how, steps)
		}
	}
}

// TestRunsAlongCountsReplay: on any net, with counts of the state equation and with any others, each run
// that is found along them leads where it is said to.
func TestRunsAlongCountsReplay(t *testing.T) {
	reached, larger, wild := 0, 0, 0
	if !petritest.CheckUntil(t, func() bool { return reached > 20 && larger > 20 && wild > 20 }, func(rt *rapid.T) {
		net, _ := checkertest.AnyNet(rt)
		var goals []Goal
		for range 3 {
			goals = append(goals, Goal{Predicate: checkertest.Goal(rt, net, 2)})
		}
		sum := checkertest.Sum(rt, net)
		goals = append(goals, Goal{Maximum: &sum, Products: checkertest.Products(rt, net)})
		w := WalksOn(net, goals, rapid.Uint64().Draw(rt, "seed"))
		w.Counts = solved(t, net, goals, 1)
		drawn := rapid.Bool().Draw(rt, "any counts")
		if drawn && net.Transitions() > 0 {
			times := rapid.SliceOfN(rapid.Int64Range(0, 4), net.Transitions(), net.Transitions()).Draw(rt, "counts")
			w.Counts = func(int, int) (counts []witness.Burst) {
				for u, n := range times {
					if n > 0 {
						counts = append(counts, witness.Burst{Transition: petri.Transition(u), Times: n})
					}
				}
				return counts
			}
		}
		w.Found = func(i int, value int64, run []witness.Burst) bool {
			m, err := witness.ReplayRun(net, run)
			if err != nil {
				rt.Fatal(err)
			}
			switch g := &goals[i]; {
			case g.Predicate != nil && !witness.Satisfies(net, m, g.Predicate):
				rt.Fatalf("goal %d does not hold after %v", i, run)
			case g.Predicate != nil:
				reached++
			default:
				if v, ok := g.Value(m); !ok || v != value {
					rt.Fatalf("the sum is %d after %v, not %d", v, run, value)
				}
				larger++
			}
			if drawn {
				wild++
			}
			return goals[i].Predicate != nil
		}
		w.Pumped = func(i int, run, loop []witness.Burst) bool {
			if !witness.ConfirmsPump(net, run, loop, goals[i].Number()) {
				rt.Fatalf("%v and again %v do not pump", run, loop)
			}
			return false
		}
		for w.length = 100; w.Steps < 500 && w.Open() > 0; {
			before := w.Steps
			clear(w.spent[:])
			if w.walkAlongCounts(context.Background()); w.Steps == before {
				return
			}
		}
	}) {
		t.Errorf("%d goals reached, %d sums, %d with any counts", reached, larger, wild)
	}
}

// TestHelpIsEnabled: a plan for what needs a token in two places moves the only token to both. Its second
// step is not enabled any more once the first is fired, and is not fired.
func TestHelpIsEnabled(t *testing.T) {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 1)
	x, _ := b.AddPlace("x", "", 0)
	y, _ := b.AddPlace("y", "", 0)
	left, _ := b.AddTransition("left", "")
	right, _ := b.AddTransition("right", "")
	both, _ := b.AddTransition("both", "")
	if b.AddInput(p, left, 1) != nil || b.AddOutput(left, x, 1) != nil || b.AddInput(p, right, 1) != nil ||
		b.AddOutput(right, y, 1) != nil || b.AddInput(x, both, 1) != nil || b.AddInput(y, both, 1) != nil {
		t.Fatal("arc refused")
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	sum := logic.Sum{Terms: []logic.Term{{Place: uint32(x), Coefficient: 1}, {Place: uint32(y), Coefficient: 1}}}
	w := WalksOn(net, []Goal{{Maximum: &sum}}, 1)
	w.Counts = func(int, int) []witness.Burst { return []witness.Burst{{Transition: both, Times: 1}} }
	most := int64(0)
	w.Found = func(_ int, value int64, run []witness.Burst) bool {
		if m, err := witness.ReplayRun(net, run); err != nil || m[x]+m[y] != value {
			t.Errorf("%d tokens after %v, which leads to %v, %v", value, run, m, err)
		}
		most = max(most, value)
		return false
	}
	for range 20 {
		w.length = 50
		w.walkAlongCounts(t.Context())
	}
	if most != 1 {
		t.Errorf("at most %d tokens", most)
	}
}

// TestCountsTakeNoMemory: steps along counts make nothing on the heap, once there is room.
func TestCountsTakeNoMemory(t *testing.T) {
	net, goal := scarce(t, 100)
	goal.Predicate.Operands = append(goal.Predicate.Operands, &logic.Predicate{Operator: logic.False})
	w := WalksOn(net, []Goal{goal}, 1)
	counts := solved(t, net, []Goal{{Predicate: &logic.Predicate{Operator: logic.And, Operands: goal.Predicate.Operands[:100]}}}, 1)(0, 0)
	w.Counts = func(int, int) []witness.Burst { return counts }
	w.length = 2000
	w.walkAlongCounts(t.Context())
	before := w.Steps
	const rounds = 10
	allocations := testing.AllocsPerRun(rounds, func() {
		clear(w.spent[:])
		w.walkAlongCounts(t.Context())
	})
	if steps := float64(w.Steps-before) / (rounds + 1); steps < 1000 || allocations > steps/50 {
		t.Errorf("%v allocations on %v steps", allocations, steps)
	}
}
