package checker_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/automatatest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/petri/petritest"
)

// drawPredicate draws a state predicate over the nodes of net.
func drawPredicate(t *rapid.T, net *petri.Net) *logic.Predicate {
	kinds := []string{"true", "deadlock"}
	if net.Places() > 0 {
		kinds = append(kinds, "at most", "at most", "equal", "difference")
	}
	if net.Transitions() > 0 {
		kinds = append(kinds, "fireable", "fireable")
	}
	place := func() uint32 { return uint32(rapid.IntRange(0, net.Places()-1).Draw(t, "place")) }
	var p *logic.Predicate
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "true":
		p = &logic.Predicate{Operator: logic.True}
	case "deadlock":
		p = &logic.Predicate{Operator: logic.Deadlocked}
	case "at most":
		sum := logic.Sum{Constant: -rapid.Int64Range(0, 2).Draw(t, "constant"), Terms: []logic.Term{{Place: place(), Coefficient: 1}}}
		p = &logic.Predicate{Operator: logic.AtMost, Sum: sum}
	case "equal":
		sum := logic.Sum{Constant: -rapid.Int64Range(0, 2).Draw(t, "constant"), Terms: []logic.Term{{Place: place(), Coefficient: 1}}}
		p = &logic.Predicate{Operator: logic.Equal, Sum: sum}
	case "difference":
		sum := logic.Sum{Terms: []logic.Term{{Place: place(), Coefficient: 1}, {Place: place(), Coefficient: -2}}}
		p = &logic.Predicate{Operator: logic.AtMost, Sum: sum}
	case "fireable":
		tr := uint32(rapid.IntRange(0, net.Transitions()-1).Draw(t, "transition"))
		p = &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{tr}}
	}
	if rapid.Bool().Draw(t, "negated") {
		p = &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{p}}
	}
	return p
}

// drawAutomaton draws an automaton without Fin over that many propositions:
// strong, weak or terminal components among them, sometimes without edges for
// some valuations, and sometimes with several initial states.
func drawAutomaton(t *rapid.T, propositions []string) *automata.Automaton {
	settings := automatatest.RandomSettings{
		States: rapid.IntRange(1, 5).Draw(t, "states"), Propositions: propositions,
		Density:            rapid.Float64Range(0.05, 0.5).Draw(t, "density"),
		LiteralProbability: rapid.Float64Range(0, 1).Draw(t, "literals"),
		Sets:               rapid.IntRange(0, 4).Draw(t, "sets"),
		MarkProbability:    rapid.SampledFrom([]float64{0.1, 0.3, 0.5, 1}).Draw(t, "marks"),
		Condition:          rapid.SampledFrom([]automatatest.RandomCondition{automatatest.RandomGeneralizedBuchi, automatatest.RandomInf}).Draw(t, "condition"),
	}
	a := automatatest.Random(settings, rapid.Uint64().Draw(t, "seed"))
	if rapid.Bool().Draw(t, "one initial state") {
		return a
	}
	b := automata.NewBuilder(a.Propositions, a.Acceptance)
	b.AddStates(a.States())
	for e := range automata.Edge(a.Edges()) {
		b.AddEdge(a.Source(e), a.Label(e), a.Marks(e), a.Destination(e))
	}
	for range rapid.IntRange(0, 3).Draw(t, "initial states") {
		b.AddInitial(automata.State(rapid.IntRange(0, a.States()-1).Draw(t, "initial")))
	}
	c, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// naiveVerdict decides by the definitions.
func naiveVerdict(net *petri.Net, g *petritest.Graph, property properties.Property) properties.Verdict {
	labels := make([]automata.Valuation, len(g.Markings))
	for i, m := range g.Markings {
		labels[i] = witness.Valuation(net, m, property.Predicates)
	}
	if naiveAccepts(g, property.Automaton, labels) {
		return properties.Violated
	}
	return properties.Holds
}

// naiveAccepts reports whether an automaton accepts some run through markings with labels.
// The product is a graph whose states reach each other or not, and a run is accepted if it
// can go round all edges of a strongly connected part of it whose marks satisfy the
// condition.
func naiveAccepts(g *petritest.Graph, a *automata.Automaton, labels []automata.Valuation) bool {
	type edge struct {
		to    int
		marks automata.Marks
	}
	size := len(g.Markings) * a.States()
	edges := make([][]edge, size)
	for i := range g.Markings {
		label := labels[i]
		targets := []int{i}
		if len(g.Edges[i]) > 0 {
			targets = nil
			for _, f := range g.Edges[i] {
				targets = append(targets, f.To)
			}
		}
		for e := range automata.Edge(a.Edges()) {
			if a.Label(e).Matches(label) {
				for _, to := range targets {
					from := i*a.States() + int(a.Source(e))
					edges[from] = append(edges[from], edge{to*a.States() + int(a.Destination(e)), a.Marks(e)})
				}
			}
		}
	}
	reach := func(from int) []bool {
		seen, todo := make([]bool, size), []int{from}
		for len(todo) > 0 {
			s := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, e := range edges[s] {
				if !seen[e.to] {
					seen[e.to] = true
					todo = append(todo, e.to)
				}
			}
		}
		return seen
	}
	from := make([][]bool, size)
	for s := range from {
		from[s] = reach(s)
	}
	for _, q := range a.Initial() {
		start := int(q)
		for s := range from {
			if s != start && !from[start][s] || !from[s][s] {
				continue
			}
			union := make(automata.Marks, a.MarkWords())
			for other := range from {
				if !from[s][other] || !from[other][s] {
					continue
				}
				for _, e := range edges[other] {
					if from[s][e.to] && from[e.to][s] {
						for w := range union {
							union[w] |= e.marks[w]
						}
					}
				}
			}
			if a.Acceptance.Condition.Accepts(union, union) {
				return true
			}
		}
	}
	return false
}

// TestCheckAgreesWithNaiveTwin: Check replays its counterexamples itself.
func TestCheckAgreesWithNaiveTwin(t *testing.T) {
	count := map[properties.Verdict]int{}
	if !petritest.CheckUntil(t, func() bool { return count[properties.Holds] >= 20 && count[properties.Violated] >= 20 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.Net(), petritest.StateMachines(true)).Draw(t, "net")
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
				property.Predicates = append(property.Predicates, drawPredicate(t, net))
			}
			property.Automaton = drawAutomaton(t, names)
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
		net := petritest.Net().Draw(t, "net")
		if _, finite := petritest.Explore(net, 2000); finite || net.Places() == 0 {
			t.Skip("bounded")
		}
		predicate := drawPredicate(t, net)
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

// always1 tells whether the predicate holds in the first markings of net.
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
