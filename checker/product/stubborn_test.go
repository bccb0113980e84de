package product_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata/translate"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/automatatest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// formulas without next, by propositions a0 to a2: what the field asks, and what tells runs
// apart that only differ in the order of two changes.
var withoutNext = []string{
	"G F a0", "F G a0", "G (a0 -> F a1)", "a0 U a1", "G F a0 -> G F a1", "F (a0 & F (a1 & F a2))", "G (a0 | a1)",
	"(a0 U a1) U a2", "F G (a0 | F a1)", "!(a0 U (a1 & !a2))", "G F (a0 & !a1) | F G a2", "F (a0 & G F a1 & F G !a2)",
}

// drawStuttering draws a property whose language is closed under stuttering: of a formula
// without next, or what becomes of a random automaton.
func drawStuttering(t *rapid.T, net *petri.Net) properties.Property {
	var x properties.Property
	var names []string
	for i := range 3 {
		names = append(names, fmt.Sprintf("a%d", i))
		x.Predicates = append(x.Predicates, checkertest.Predicate(t, net))
	}
	if rapid.Bool().Draw(t, "random") {
		n := rapid.IntRange(1, 2).Draw(t, "propositions")
		x.Predicates = x.Predicates[:n]
		x.Automaton = stutterClosed(t, automatatest.Random(automatatest.RandomSettings{
			States: rapid.IntRange(1, 4).Draw(t, "states"), Propositions: names[:n], Density: rapid.Float64Range(0.1, 0.5).Draw(t, "density"),
			LiteralProbability: rapid.Float64Range(0.3, 1).Draw(t, "literals"),
			Sets:               rapid.IntRange(0, 2).Draw(t, "sets"), MarkProbability: 0.4,
		}, rapid.Uint64().Draw(t, "seed")))
		return x
	}
	return drawFormula(t, x.Predicates, withoutNext)
}

// drawFormula draws one of the texts, or its negation, as a property of the predicates that it names: a0 and so on.
func drawFormula(t *rapid.T, all []*logic.Predicate, texts []string) (x properties.Property) {
	parser := ltl.Parser{Formulas: ltl.NewFormulas()}
	f, err := parser.Parse(rapid.SampledFrom(texts).Draw(t, "formula"))
	if err != nil {
		t.Fatal(err)
	}
	if x.Automaton, err = translate.ToAutomaton(context.Background(), parser.Formulas, f, translate.Options{Negate: rapid.Bool().Draw(t, "negate")}); err != nil {
		t.Fatal(err)
	}
	for _, name := range x.Automaton.Propositions {
		x.Predicates = append(x.Predicates, all[name[1]-'0'])
	}
	return x
}

// Products with stubborn sets give the verdict that the definitions give on all markings, from
// no more markings, by all kinds of automata; what is found replays, which CheckBy makes sure
// of.
func TestStubbornProductsAgreeWithNaiveTwin(t *testing.T) {
	var census petritest.Census
	left, saved, verdicts := int64(0), 0, map[properties.Verdict]int{}
	if !petritest.CheckManyUntil(t, 300, func() bool {
		return left > 100 && saved > 0 && verdicts[properties.Holds] > 10 && verdicts[properties.Violated] > 10
	}, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.StateMachines(true), petritest.Processes(false), petritest.Processes(true), petritest.Loose(), petritest.Loose()).Draw(t, "net")
		g, finite := petritest.Explore(net, 100)
		if !finite || net.Places() == 0 || net.Transitions() == 0 {
			t.Skip("too large or unbounded")
		}
		census.Add(net)
		x := drawStuttering(t, net)
		want := naiveVerdict(net, g, x)
		facts := petri.Facts{}
		if rapid.Bool().Draw(t, "facts") {
			facts = invariant.Prove(context.Background(), net, 0)
		}
		budget := petri.Budget{EdgeBytes: rapid.SampledFrom([]int64{0, 0, 16, 100}).Draw(t, "edges")}
		for _, approach := range []product.Approach{product.ByTGBA, product.ByBA, product.ByTA, product.ByTGTA} {
			k := petri.NewKripke(net, facts, budget)
			got, err := product.CheckBy(context.Background(), k, x, product.Settings{Approach: approach, Stubborn: true, Distrust: true})
			if err != nil {
				t.Fatalf("%v: %v", approach, err)
			}
			if got.Verdict != want {
				t.Fatalf("%v: %v, expected %v (%s)", approach, got.Verdict, want, got.Reason)
			}
			if k.Len() > len(g.Markings) {
				t.Fatalf("%v: %d markings of %d", approach, k.Len(), len(g.Markings))
			}
			left += k.Savings().Left
			if want == properties.Holds {
				saved += len(g.Markings) - k.Len()
			}
		}
		verdicts[want]++
	}) {
		t.Errorf("too little was left out: %d firings, %d markings; %v", left, saved, verdicts)
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "sources")
}

// A net without bounds may have a small part that suffices; what is told then is true of it.
func TestStubbornProductsOfUnboundedNets(t *testing.T) {
	var census petritest.Census
	verdicts := map[properties.Verdict]int{}
	if !petritest.CheckManyUntil(t, 2000, func() bool { return verdicts[properties.Holds] > 0 && verdicts[properties.Violated] > 0 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.Loose()).Draw(t, "net")
		_, finite := petritest.Explore(net, 400)
		if finite || net.Places() == 0 {
			return // most nets that are drawn are bounded: skipped, they would be too many
		}
		census.Add(net)
		x := drawStuttering(t, net)
		check := func(stubborn bool) properties.Verdict {
			k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
			got, err := product.CheckBy(&cut{Context: context.Background()}, k, x, product.Settings{Approach: product.ByTGBA, Stubborn: stubborn, Distrust: true})
			if err != nil {
				t.Fatal(err)
			}
			return got.Verdict
		}
		all, part := check(false), check(true)
		if all != properties.Unknown && part != properties.Unknown && all != part {
			t.Fatalf("%v, without stubborn sets %v", part, all)
		}
		verdicts[part]++
	}) {
		t.Errorf("too one-sided to mean much: %v", verdicts)
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "unbounded")
}

// cut is a context that ends after so much work.
type cut struct {
	context.Context
	looks int
}

func (c *cut) Err() error {
	if c.looks++; c.looks > 40 {
		return context.Canceled
	}
	return nil
}
