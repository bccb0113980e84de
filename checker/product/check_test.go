package product_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// naiveVerdict decides by the definitions.
func naiveVerdict(net *petri.Net, g *petritest.Graph, property properties.Property) properties.Verdict {
	labels := make([]automata.Valuation, len(g.Markings))
	for i, m := range g.Markings {
		labels[i] = witness.Valuation(net, m, property.Predicates)
	}
	if checkertest.Accepts(g, property.Automaton, labels) {
		return properties.Violated
	}
	return properties.Holds
}

// TestCheckAgreesWithNaiveTwin: Check replays its counterexamples itself.
func TestCheckAgreesWithNaiveTwin(t *testing.T) {
	count := map[properties.Verdict]int{}
	if !petritest.CheckManyUntil(t, 2000, func() bool { return count[properties.Holds] >= 20 && count[properties.Violated] >= 20 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.StateMachines(true)).Draw(t, "net")
		g, finite := petritest.Explore(net, 40)
		if !finite {
			t.Skip("too large or unbounded")
		}
		budget := petri.Budget{EdgeBytes: rapid.SampledFrom([]int64{0, 16, 100}).Draw(t, "edges")}
		k := petri.NewKripke(net, invariant.Prove(context.Background(), net, 0), budget)
		for range 3 { // on one state graph
			var property properties.Property
			var names []string
			for i := range rapid.IntRange(0, 3).Draw(t, "propositions") {
				names = append(names, fmt.Sprintf("a%d", i))
				property.Predicates = append(property.Predicates, checkertest.Predicate(t, net))
			}
			property.Automaton = checkertest.Automaton(t, names)
			want := naiveVerdict(net, g, property)
			got, err := product.Check(context.Background(), k, property, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != want {
				t.Fatalf("%v, expected %v (%s)", got.Verdict, want, got.Reason)
			}
			count[want]++
		}
	}) {
		t.Errorf("too one-sided to mean much: %v", count)
	}
}

// TestCheckUnboundedNets: a verdict on an unbounded net is right as far as the
// naive exploration of a part of it can tell: what that part violates does not
// hold.
func TestCheckUnboundedNets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		if _, finite := petritest.Explore(net, 2000); finite || net.Places() == 0 {
			t.Skip("bounded")
		}
		predicate := checkertest.Predicate(t, net)
		always := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(0))
		always.AddStates(2)
		always.AddInitial(0)
		always.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(0), 0)
		always.AddEdge(0, automata.Label{automata.NewCube(1).With(0, false)}, automata.NewMarks(0), 1)
		always.AddEdge(1, automata.Label{automata.NewCube(1)}, automata.NewMarks(0), 1)
		reaches := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
		reaches.AddStates(2)
		reaches.AddInitial(0)
		reaches.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1), 0)
		reaches.AddEdge(0, automata.Label{automata.NewCube(1).With(0, false)}, automata.NewMarks(1), 1)
		reaches.AddEdge(1, automata.Label{automata.NewCube(1)}, automata.NewMarks(1, 0), 1)
		for _, b := range []*automata.Builder{always, reaches} {
			a, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
			ctx, cancel := context.WithCancel(context.Background())
			polls := 0
			got, err := product.Check(ctx, k, properties.Property{Automaton: a, Predicates: []*logic.Predicate{predicate}},
				func(properties.Statistics) {
					if polls++; polls > 3 {
						cancel()
					}
				})
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			if b == reaches && got.Verdict == properties.Holds && !always1(net, predicate) {
				t.Fatalf("%v though a marking close by violates it", got.Verdict)
			}
			if got.Verdict == properties.Unknown && got.Reason == "" {
				t.Fatal("unknown without a reason")
			}
		}
	})
}

// always1 reports whether the predicate holds in the first markings of net.
func always1(net *petri.Net, p *logic.Predicate) bool {
	todo := []petri.Marking{net.Initial()}
	for i := 0; i < len(todo) && i < 100; i++ {
		m := todo[i]
		if !p.Holds(m, net.Transitions(), func(t uint32) bool { return net.Enabled(m, petri.Transition(t)) }) {
			return false
		}
		for t := range petri.Transition(net.Transitions()) {
			if n := append(petri.Marking(nil), m...); net.Fire(n, t) {
				todo = append(todo, n)
			}
		}
	}
	return true
}
