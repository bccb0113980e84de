package product_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/automatatest"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// graphAutomaton returns the naive state graph of a net as an automaton over the
// property's propositions, which accepts the words of all runs.
func graphAutomaton(t *rapid.T, net *petri.Net, g *petritest.Graph, property properties.Property) *automata.Automaton {
	names := property.Automaton.Propositions
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(0))
	b.AddStates(len(g.Markings))
	b.AddInitial(0)
	for i, m := range g.Markings {
		label := automata.NewCube(len(names))
		for n, p := range property.Predicates {
			label = label.With(n, p.Holds(m, net.Transitions(), func(t uint32) bool { return net.Enabled(m, petri.Transition(t)) }))
		}
		if len(g.Edges[i]) == 0 {
			b.AddEdge(automata.State(i), automata.Label{label}, automata.NewMarks(0), automata.State(i))
		}
		for _, f := range g.Edges[i] {
			b.AddEdge(automata.State(i), automata.Label{label}, automata.NewMarks(0), automata.State(f.To))
		}
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestCheckDecidesFin: the verdicts for conditions with Fin are those of the explicit
// product; Check itself replays what it finds.
func TestCheckDecidesFin(t *testing.T) {
	answers := map[properties.Verdict]int{}
	if !petritest.CheckUntil(t, func() bool { return answers[properties.Holds] > 0 && answers[properties.Violated] > 0 }, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		g, complete := petritest.Explore(net, 60)
		if !complete {
			t.Skip("too large")
		}
		names := []string{"p", "q"}
		property := properties.Property{Automaton: automatatest.Random(automatatest.RandomSettings{
			States: rapid.IntRange(1, 5).Draw(t, "states"), Propositions: names, Density: 0.4, LiteralProbability: 0.4,
			Sets: rapid.IntRange(1, 4).Draw(t, "sets"), MarkProbability: 0.4, Condition: automatatest.RandomEmersonLei,
		}, rapid.Uint64().Draw(t, "seed"))}
		for range names {
			property.Predicates = append(property.Predicates, checkertest.Predicate(t, net))
		}
		joint, err := automata.Product(context.Background(), graphAutomaton(t, net, g, property), property.Automaton)
		if err != nil {
			t.Fatal(err)
		}
		want := properties.Violated
		accepts, err := automata.HasAcceptingCycle(context.Background(), joint)
		if err != nil {
			t.Fatal(err)
		}
		if !accepts { // all states of a product are reachable
			want = properties.Holds
		}
		k := petri.NewKripke(net, invariant.Prove(context.Background(), net, 0), petri.Budget{})
		r, err := product.Check(context.Background(), k, property, nil)
		if err != nil || r.Verdict != want || (r.Counterexample != nil) != (want == properties.Violated) {
			t.Fatalf("%v (%s), error %v; want %v", r.Verdict, r.Reason, err, want)
		}
		answers[want]++
	}) {
		t.Errorf("lopsided sample: %v", answers)
	}
}
