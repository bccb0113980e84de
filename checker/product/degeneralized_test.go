package product_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// TestRoundsThatReadOtherLabels: a run that gains tokens, and is accepted since all are, may read
// other labels in its second round than in its first. A Büchi automaton finds it, and the
// automaton of the property explains it.
func TestRoundsThatReadOtherLabels(t *testing.T) {
	for _, most := range []int64{1, 20, 1000} {
		var n petri.Builder
		p, _ := n.AddPlace("p", "", 1)
		tr, _ := n.AddTransition("t", "")
		if err := n.AddOutput(tr, p, 1); err != nil {
			t.Fatal(err)
		}
		net, err := n.Build()
		if err != nil {
			t.Fatal(err)
		}
		b := automata.NewBuilder([]string{"few"}, automata.GeneralizedBuchi(2))
		b.AddStates(2)
		b.AddInitial(0)
		always := automata.NewCube(1)
		b.AddEdge(0, automata.Label{always}, automata.NewMarks(2, 0, 1), 0)
		b.AddEdge(0, automata.Label{always.With(0, false)}, automata.NewMarks(2, 0, 1), 1)
		b.AddEdge(1, automata.Label{always}, automata.NewMarks(2, 1), 0)
		b.AddEdge(1, automata.Label{always}, automata.NewMarks(2, 0, 1), 1)
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		few := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: -most, Terms: []logic.Term{{Place: uint32(p), Coefficient: 1}}}}
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		got, err := product.CheckBy(context.Background(), k, properties.Property{Automaton: a, Predicates: []*logic.Predicate{few}},
			product.Settings{Approach: product.ByBA})
		if err != nil || got.Verdict != properties.Violated {
			t.Errorf("p <= %d: %v, %s, %v", most, got.Verdict, got.Reason, err)
		}
	}
}

// TestDegeneralizedOnUnboundedNets: what Büchi automata tell of unbounded nets is what generalized
// ones do, as far as both know, and replays.
func TestDegeneralizedOnUnboundedNets(t *testing.T) {
	known := map[product.Approach]int{}
	if !petritest.CheckUntil(t, func() bool { return known[product.ByBA] > 5 }, func(t *rapid.T) {
		x := drawNetAndProperty(2, 3).Draw(t, "net and property")
		if _, finite := petritest.Explore(x.net, 400); finite {
			t.Skip("small")
		}
		x.property.Automaton = checkertest.Automaton(t, x.property.Automaton.Propositions)
		verdict := properties.Unknown
		for _, approach := range []product.Approach{product.ByTGBA, product.ByBA} {
			k := petri.NewKripke(x.net, petri.Facts{}, petri.Budget{})
			got, err := product.CheckBy(&cut{Context: context.Background()}, k, x.property, product.Settings{Approach: approach, Distrust: true})
			if err != nil {
				t.Fatalf("%v: %v", approach, err)
			}
			if got.Verdict == properties.Unknown {
				continue
			}
			if known[approach]++; verdict != properties.Unknown && verdict != got.Verdict {
				t.Fatalf("%v: %v, expected %v", approach, got.Verdict, verdict)
			}
			verdict = got.Verdict
		}
	}) {
		t.Errorf("too one-sided to mean much: %v", known)
	}
}
