package product_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/automatatest"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// sameFigures fails unless several threads have explored what one has, each state once.
func sameFigures(t *rapid.T, approach product.Approach, several, alone properties.Statistics) {
	if several.ProductStates != alone.ProductStates || several.ProductTransitions != alone.ProductTransitions ||
		several.ExploredStates != alone.ExploredStates || several.ExploredTransitions != alone.ExploredTransitions ||
		several.States != alone.States || several.Transitions != alone.Transitions {
		t.Fatalf("%v: %+v; one thread %+v", approach, several, alone)
	}
}

// checkTestingTogether has several threads decide properties by testing automata, made on the fly and
// built, with what one thread does first, and compares with the naive twin and with one thread.
func checkTestingTogether(t *rapid.T, limit int, count map[outcome]int) {
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
	threads.ForTests(give, 20, 5, false)
	for range 2 { // on one state graph
		var property properties.Property
		var names []string
		for i := range rapid.IntRange(1, 2).Draw(t, "propositions") {
			names = append(names, fmt.Sprintf("a%d", i))
			property.Predicates = append(property.Predicates, checkertest.Predicate(t, net))
		}
		property.Automaton = automatatest.Random(automatatest.RandomSettings{
			States: rapid.IntRange(1, 4).Draw(t, "states"), Propositions: names, Density: 0.4, LiteralProbability: 0.6,
			Sets: rapid.IntRange(0, 3).Draw(t, "sets"), MarkProbability: 0.4,
		}, rapid.Uint64().Draw(t, "seed"))
		approaches := []product.Approach{product.ByTGTA}
		if rapid.Bool().Draw(t, "closed") {
			property.Automaton = stutterClosed(t, property.Automaton)
			approaches = append(approaches, product.ByTA)
		}
		want := naiveVerdict(net, g, property)
		for _, approach := range approaches {
			settings := product.Settings{Approach: approach, Threads: threads, Built: rapid.Bool().Draw(t, "built")}
			got, err := product.CheckBy(context.Background(), petri.NewKripke(net, facts, budget), property, settings)
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != want {
				t.Fatalf("%v: %v, expected %v (%s)", approach, got.Verdict, want, got.Reason)
			}
			if got.Statistics.Threads == 0 {
				continue
			}
			count[outcome{approach, want}]++
			if want == properties.Holds {
				settings.Threads = nil
				alone, err := product.CheckBy(context.Background(), petri.NewKripke(net, facts, budget), property, settings)
				if err != nil {
					t.Fatal(err)
				}
				got.Statistics.States, got.Statistics.Transitions = alone.Statistics.States, alone.Statistics.Transitions // others may have explored more
				sameFigures(t, approach, got.Statistics, alone.Statistics)
			}
		}
	}
}

// enough reports whether each testing approach has given each verdict that often by several threads.
func enough(count map[outcome]int, least int) bool {
	for _, approach := range []product.Approach{product.ByTA, product.ByTGTA} {
		if count[outcome{approach, properties.Holds}] < least || count[outcome{approach, properties.Violated}] < least {
			return false
		}
	}
	return true
}

// TestTestingTogetherAgreesWithNaiveTwin: threads give way at random, and meet all the time.
func TestTestingTogetherAgreesWithNaiveTwin(t *testing.T) {
	count := map[outcome]int{}
	if !petritest.CheckUntil(t, func() bool { return enough(count, 10) }, func(t *rapid.T) {
		checkTestingTogether(t, 40, count)
	}) {
		t.Errorf("too one-sided to mean much: %v", count)
	}
}

// formulas are some whose products are large: components with and without changes, and livelocks that are
// rare, are far away, or are not there. Whether they hold is the same of nets that are drawn below.
var formulas = []string{
	`G F "eats0 >= 1"`, `F G "eats0 >= 1"`, `G F "thinks0 >= 1" -> G F "eats1 >= 1"`, `G !deadlock`, `F G !deadlock`,
	`G ("eats0 >= 1" -> F "thinks0 >= 1")`, `!(G F "eats0 >= 1" && G F "eats1 >= 1" && G F deadlock)`,
	`G F "thinks0 >= 1 && eats0 >= 1" -> F "eats0 >= 5"`, `!(F (deadlock && F !deadlock))`, `G ("eats0 >= 1" -> !"eats1 >= 1" || "left0 >= 0")`,
}

// checkLargeTesting compares several threads with one, on products with thousands of states.
func checkLargeTesting(t *rapid.T, whole testing.TB, nets []*petri.Net, count map[outcome]int) {
	net := rapid.SampledFrom(nets).Draw(t, "net")
	property := checkertest.Negated(whole, net, rapid.SampledFrom(formulas).Draw(t, "formula"))
	threads := product.NewThreads(petritest.Threads(t), petri.Facts{})
	threads.First = rapid.SampledFrom([]uint32{0, 50}).Draw(t, "first")
	threads.ForTests(give, rapid.SampledFrom([]int{0, 150, 500}).Draw(t, "step"), rapid.SampledFrom([]int{5, 50}).Draw(t, "batch"), false)
	approach := rapid.SampledFrom([]product.Approach{product.ByTA, product.ByTGTA}).Draw(t, "approach")
	built := rapid.Bool().Draw(t, "built")
	var found [2]properties.Result
	for i, s := range []*product.Threads{nil, threads} {
		var err error
		settings := product.Settings{Approach: approach, Built: built, Threads: s}
		if found[i], err = product.CheckBy(context.Background(), petri.NewKripke(net, petri.Facts{}, petri.Budget{}), property, settings); err != nil {
			t.Fatal(err)
		}
	}
	if found[0].Verdict != found[1].Verdict {
		t.Fatalf("%v: %v, one thread %v", approach, found[1].Verdict, found[0].Verdict)
	}
	if found[1].Statistics.Threads > 0 {
		count[outcome{approach, found[0].Verdict}]++
		if found[0].Verdict == properties.Holds {
			sameFigures(t, approach, found[1].Statistics, found[0].Statistics)
		}
	}
}

// TestTestingTogetherOnLargeComponents: threads share components, and what only stutters.
func TestTestingTogetherOnLargeComponents(t *testing.T) {
	nets := []*petri.Net{petritest.Philosophers(4), petritest.Philosophers(5)}
	count := map[outcome]int{}
	if !petritest.CheckUntil(t, func() bool { return enough(count, 5) }, func(r *rapid.T) {
		checkLargeTesting(r, t, nets, count)
	}) {
		t.Errorf("too one-sided to mean much: %v", count)
	}
}

// TestTestingTogetherStress does the same for as long as one likes.
func TestTestingTogetherStress(t *testing.T) {
	goesOn := petritest.Stress(t)
	count := map[outcome]int{}
	nets := []*petri.Net{petritest.Philosophers(4), petritest.Philosophers(5), petritest.Philosophers(7)}
	for goesOn() {
		rapid.Check(t, func(r *rapid.T) {
			if rapid.IntRange(0, 3).Draw(r, "large") > 0 {
				checkTestingTogether(r, 300, count)
			} else {
				checkLargeTesting(r, t, nets, count)
			}
		})
		if t.Failed() {
			return
		}
	}
	t.Log(count)
}

// TestTestingTogetherOfTheirOwn: testing automata that are properties are searched by several threads, too.
func TestTestingTogetherOfTheirOwn(t *testing.T) {
	net := petritest.Philosophers(4)
	for formula, want := range map[string]properties.Verdict{`F G !deadlock`: properties.Violated, `!(F (deadlock && F !deadlock))`: properties.Holds} {
		property := checkertest.Negated(t, net, formula)
		v := stutter.ClaimedInvariance(property.Automaton)
		for _, make := range []func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error){testingautomata.NewTGTA, testingautomata.NewTA} {
			a, err := make(t.Context(), property.Automaton, v)
			if err != nil {
				t.Fatal(err)
			}
			threads := product.NewThreads(2+rand.IntN(7), petri.Facts{})
			threads.First = 10
			r, err := product.CheckBy(t.Context(), petri.NewKripke(net, petri.Facts{}, petri.Budget{}), properties.Property{Automaton: a, Predicates: property.Predicates}, product.Settings{Threads: threads})
			if err != nil || r.Verdict != want || r.Statistics.Threads == 0 {
				t.Errorf("%s by a %v: %v by %d threads, %v", formula, a.Kind, r.Verdict, r.Statistics.Threads, err)
			}
		}
	}
}
