package product_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// give lets other threads go on, now and then.
func give() {
	if rand.IntN(8) == 0 {
		runtime.Gosched()
	}
}

// drawnProperty draws a property over net.
func drawnProperty(t *rapid.T, net *petri.Net) (property properties.Property) {
	var names []string
	for i := range rapid.IntRange(0, 3).Draw(t, "propositions") {
		names = append(names, fmt.Sprintf("a%d", i))
		property.Predicates = append(property.Predicates, checkertest.Predicate(t, net))
	}
	property.Automaton = checkertest.Automaton(t, names)
	return property
}

// checkTogether has several threads decide properties over one random net, with what one thread does
// first, and compares with the naive twin and with one thread. What holds was explored as a whole,
// each state once: then all figures are the same.
func checkTogether(t *rapid.T, limit int, count map[properties.Verdict]int) {
	net := rapid.OneOf(petritest.AnyNet(), petritest.StateMachines(true), petritest.Loose()).Draw(t, "net")
	g, finite := petritest.Explore(net, limit)
	if !finite {
		t.Skip("too large or unbounded")
	}
	facts := petri.Facts{}
	if rapid.Bool().Draw(t, "facts") {
		facts = invariant.Prove(context.Background(), net, 0)
	}
	budget := petri.Budget{EdgeBytes: rapid.SampledFrom([]int64{0, 16, 1 << 20}).Draw(t, "edges")}
	threads := product.NewThreads(petritest.Threads(t), facts)
	threads.First = rapid.SampledFrom([]uint32{0, 0, 1, 5}).Draw(t, "first")
	threads.ForTests(give, 20, 5, rapid.Bool().Draw(t, "far"))
	for range 3 { // on one state graph
		property := drawnProperty(t, net)
		want := naiveVerdict(net, g, property)
		approach := rapid.SampledFrom([]product.Approach{product.ByTGBA, product.ByTGBA, product.ByBA}).Draw(t, "approach")
		settings := product.Settings{Approach: approach, Threads: threads}
		got, err := product.CheckBy(context.Background(), petri.NewKripke(net, facts, budget), property, settings)
		if err != nil {
			t.Fatal(err)
		}
		if got.Verdict != want {
			t.Fatalf("%v, expected %v (%s)", got.Verdict, want, got.Reason)
		}
		if got.Statistics.Threads == 0 {
			continue
		}
		count[want]++
		if want == properties.Holds {
			settings.Threads = nil
			alone, err := product.CheckBy(context.Background(), petri.NewKripke(net, facts, budget), property, settings)
			a, b := got.Statistics, alone.Statistics
			if err != nil || a.ProductStates != b.ProductStates || a.ProductTransitions != b.ProductTransitions {
				t.Fatalf("%+v, one thread %+v, %v", a, b, err)
			}
		}
	}
}

// TestTogetherAgreesWithNaiveTwin: threads give way at random, and meet all the time.
func TestTogetherAgreesWithNaiveTwin(t *testing.T) {
	count := map[properties.Verdict]int{}
	if !petritest.CheckUntil(t, func() bool { return count[properties.Holds] >= 20 && count[properties.Violated] >= 20 }, func(t *rapid.T) {
		checkTogether(t, 40, count)
	}) {
		t.Errorf("too one-sided to mean much: %v", count)
	}
}

// checkLarge compares several threads with one, on products with thousands of states that are one
// component or a few.
func checkLarge(t *rapid.T, nets []*petri.Net, count map[properties.Verdict]int) {
	net := rapid.SampledFrom(nets).Draw(t, "net")
	property := drawnProperty(t, net)
	facts := petri.Facts{}
	if rapid.Bool().Draw(t, "facts") {
		facts = invariant.Prove(context.Background(), net, 0)
	}
	threads := product.NewThreads(petritest.Threads(t), facts)
	threads.First = rapid.SampledFrom([]uint32{0, 50}).Draw(t, "first")
	threads.ForTests(give, rapid.SampledFrom([]int{0, 150, 500}).Draw(t, "step"), rapid.SampledFrom([]int{5, 50}).Draw(t, "batch"), rapid.Bool().Draw(t, "far"))
	var found [2]properties.Result
	for i, s := range []product.Settings{{Approach: product.ByTGBA}, {Approach: product.ByTGBA, Threads: threads}} {
		var err error
		if found[i], err = product.CheckBy(context.Background(), petri.NewKripke(net, facts, petri.Budget{}), property, s); err != nil {
			t.Fatal(err)
		}
	}
	a, b := found[0].Statistics, found[1].Statistics
	if found[0].Verdict != found[1].Verdict || found[0].Verdict == properties.Holds && b.Threads > 0 &&
		(a.ProductStates != b.ProductStates || a.ProductTransitions != b.ProductTransitions || a.States != b.States || a.Transitions != b.Transitions) {
		t.Fatalf("%v, %+v; one thread %v, %+v", found[1].Verdict, b, found[0].Verdict, a)
	}
	if b.Threads > 0 {
		count[found[0].Verdict]++
	}
}

// TestTogetherOnLargeComponents: threads share components.
func TestTogetherOnLargeComponents(t *testing.T) {
	nets := []*petri.Net{petritest.Philosophers(4), petritest.Philosophers(6), petritest.Kanban(1)}
	count := map[properties.Verdict]int{}
	if !petritest.CheckUntil(t, func() bool { return count[properties.Holds] >= 5 && count[properties.Violated] >= 5 }, func(t *rapid.T) {
		checkLarge(t, nets, count)
	}) {
		t.Errorf("too one-sided to mean much: %v", count)
	}
}

// TestTogetherStress does the same for as long as one likes.
func TestTogetherStress(t *testing.T) {
	goesOn := petritest.Stress(t)
	large := []*petri.Net{petritest.Philosophers(5), petritest.Philosophers(8), petritest.Kanban(2)}
	count := map[properties.Verdict]int{}
	for goesOn() {
		rapid.Check(t, func(t *rapid.T) { checkTogether(t, 60, count) })
		rapid.Check(t, func(t *rapid.T) { checkLarge(t, large, count) })
	}
	t.Logf("%v searches of several threads", count)
}

// never returns a property over Kanban(2) that holds, and whose product is one large component: each
// of sets propositions holds again and again, the last of which says that a place has 9 tokens.
func never(t testing.TB, net *petri.Net, sets int) properties.Property {
	var property properties.Property
	var names []string
	for i := range sets {
		names = append(names, fmt.Sprint(i))
		least := int64(1)
		if i == sets-1 {
			least = 9
		}
		property.Predicates = append(property.Predicates, &logic.Predicate{Operator: logic.AtMost,
			Sum: logic.Sum{Constant: least, Terms: []logic.Term{{Place: uint32(i % net.Places()), Coefficient: -1}}}})
	}
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(sets))
	b.AddInitial(b.AddState(""))
	for i := range sets {
		b.AddEdge(0, automata.Label{automata.NewCube(sets).With(i, true)}, automata.NewMarks(sets, i), 0)
	}
	b.AddEdge(0, automata.Label{automata.NewCube(sets)}, automata.NewMarks(sets), 0)
	b.Claims = automata.ClaimStutterInvariant
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	property.Automaton = a
	return property
}

// TestTogetherWhereItFits: several threads search products of as many acceptance sets as there is room
// for, and one of others.
func TestTogetherWhereItFits(t *testing.T) {
	net := petritest.Kanban(1)
	for approach, fits := range map[product.Approach]map[int]int{
		product.ByTGBA: {1: 3, 31: 3, 32: 3, 33: 0, 65: 0},
		product.ByTGTA: {1: 3, 31: 3, 32: 3, 33: 0, 64: 0},
		product.ByTA:   {1: 3, 33: 3},
	} {
		for sets, want := range fits {
			threads := product.NewThreads(3, petri.Facts{})
			threads.First = 20
			threads.ForTests(give, 50, 20, false)
			r, err := product.CheckBy(t.Context(), petri.NewKripke(net, petri.Facts{}, petri.Budget{}), never(t, net, sets), product.Settings{Approach: approach, Threads: threads})
			if err != nil || r.Verdict != properties.Holds || r.Statistics.Threads != want {
				t.Errorf("%v, %d sets: %v by %d threads, should be %d; %v, %s", approach, sets, r.Verdict, r.Statistics.Threads, want, err, r.Reason)
			}
		}
	}
}

// TestTogetherLimits: what ends a search of one thread ends that of several, and says the same. An
// unbounded net is left to one thread.
func TestTogetherLimits(t *testing.T) {
	for _, approach := range []product.Approach{product.ByTGBA, product.ByTGTA, product.ByTA} {
		t.Run(approach.String(), func(t *testing.T) { testTogetherLimits(t, approach) })
	}
}

func testTogetherLimits(t *testing.T, approach product.Approach) {
	over := errors.New("it is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	net := petritest.Kanban(3)
	check := func(ctx context.Context, net *petri.Net, b petri.Budget, count int) properties.Result {
		threads := product.NewThreads(count, petri.Facts{})
		threads.First = 0
		r, err := product.CheckBy(ctx, petri.NewKripke(net, petri.Facts{}, b), never(t, net, 2), product.Settings{
			Approach: approach, Threads: threads,
			Progress: func(s properties.Statistics) {
				if s.States > 0 {
					cancel(over)
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	// The caller's thread tells of progress by time, so the net is large.
	if r := check(ctx, petritest.Kanban(5), petri.Budget{}, 3); r.Verdict != properties.Unknown || r.Reason != over.Error() {
		t.Errorf("cancelled: %v, %s", r.Verdict, r.Reason)
	}
	if r := check(t.Context(), net, petri.Budget{MemoryBytes: 1}, 3); r.Verdict != properties.Unknown || !r.MemoryFull {
		t.Errorf("no memory: %v, %s", r.Verdict, r.Reason)
	}
	unbounded := petritest.Counter()
	several, one := check(t.Context(), unbounded, petri.Budget{}, 3), check(t.Context(), unbounded, petri.Budget{}, 1)
	if several.Verdict != one.Verdict || several.Reason != one.Reason {
		t.Errorf("unbounded: %v, %s; one thread: %v, %s", several.Verdict, several.Reason, one.Verdict, one.Reason)
	}
}

// TestTogetherRareMarks: in a large component the edges of one marking have the mark that is wanted.
// Whichever threads look at them, and unite what they lie between, they are not lost.
func TestTogetherRareMarks(t *testing.T) {
	net := petritest.Kanban(1)
	g, _ := petritest.Explore(net, 1000)
	build := automata.NewBuilder([]string{"there"}, automata.GeneralizedBuchi(1))
	build.AddInitial(build.AddState(""))
	build.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1, 0), 0)
	build.AddEdge(0, automata.Label{automata.NewCube(1).With(0, false)}, automata.NewMarks(1), 0)
	build.Claims = automata.ClaimStutterInvariant
	a, err := build.Build()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 150 {
		there := &logic.Predicate{Operator: logic.And}
		for p, tokens := range g.Markings[rand.IntN(len(g.Markings))] {
			there.Operands = append(there.Operands, &logic.Predicate{Operator: logic.Equal,
				Sum: logic.Sum{Constant: -tokens, Terms: []logic.Term{{Place: uint32(p), Coefficient: 1}}}})
		}
		threads := product.NewThreads(2+rand.IntN(7), petri.Facts{})
		threads.First = 0
		threads.ForTests(give, 200, 50, rand.IntN(8) == 0)
		approach := []product.Approach{product.ByTGBA, product.ByTGTA, product.ByTA}[i%3]
		r, err := product.CheckBy(t.Context(), petri.NewKripke(net, petri.Facts{}, petri.Budget{}), properties.Property{Automaton: a, Predicates: []*logic.Predicate{there}},
			product.Settings{Approach: approach, Threads: threads})
		if err != nil || r.Verdict != properties.Violated || r.Statistics.Threads == 0 {
			t.Fatalf("%v: %v, %s, %v", approach, r.Verdict, r.Reason, err)
		}
	}
}
