package diagram_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/checker/diagram"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/symbolic"
)

// TestSelfLoopsAgainstExplicit compares verdicts of self-loop aggregation with those
// of the explicit engine, on random nets, most of which have deadlocks, and random
// automata with up to three acceptance sets. Counterexamples are replayed on the net.
func TestSelfLoopsAgainstExplicit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		ctx := context.Background()
		if _, finished := petritest.Explore(net, 300); !finished || net.Places() == 0 {
			t.Skip("too many markings")
		}
		space, err := symbolic.Explore(ctx, net, symbolic.Options{Encoding: symbolic.PerGroup})
		if err != nil {
			t.Skip(err)
		}
		property := properties.Property{Automaton: drawGeneralized(t)}
		for range property.Automaton.Propositions {
			property.Predicates = append(property.Predicates, drawProposition(t, net))
		}
		want, err := product.Check(ctx, petri.NewKripke(net, petri.Facts{}, petri.Budget{}), property, nil)
		if err != nil {
			t.Fatal(err)
		}
		way := diagram.Settings{Approach: product.BySelfLoops, NoSaturation: rapid.Bool().Draw(t, "chaining")}
		got, err := diagram.Check(ctx, space, net, property, way)
		if err != nil || got.Verdict != want.Verdict {
			t.Fatalf("%+v: %v, %v; explicit %v", way, got.Verdict, err, want.Verdict)
		}
		if got.Verdict == properties.Violated {
			if err := witness.Replay(net, property.Automaton, property.Predicates, got.Counterexample); err != nil {
				t.Fatal(err)
			}
		}
		way.VerdictOnly = true
		if got, err = diagram.Check(ctx, space, net, property, way); err != nil || got.Verdict != want.Verdict {
			t.Fatalf("verdict only, %+v: %v, %v; explicit %v", way, got.Verdict, err, want.Verdict)
		}
	})
}

// drawProposition draws a bound on a place, that a transition can fire, or that none
// can.
func drawProposition(t *rapid.T, net *petri.Net) *logic.Predicate {
	switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
	case kind == 0:
		return &logic.Predicate{Operator: logic.Deadlocked}
	case kind == 1 && net.Transitions() > 0:
		return &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(rapid.IntRange(0, net.Transitions()-1).Draw(t, "transition"))}}
	}
	terms := []logic.Term{{Place: uint32(rapid.IntRange(0, net.Places()-1).Draw(t, "place")), Coefficient: 1}}
	return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: -rapid.Int64Range(0, 2).Draw(t, "bound"), Terms: terms}}
}

// drawGeneralized draws an automaton of up to five states, most of which have a
// self-loop.
func drawGeneralized(t *rapid.T) *automata.Automaton {
	sets := rapid.IntRange(0, 3).Draw(t, "sets")
	var names []string
	for i := range rapid.IntRange(1, 3).Draw(t, "propositions") {
		names = append(names, fmt.Sprint("p", i))
	}
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(sets))
	states := rapid.IntRange(1, 5).Draw(t, "states")
	b.AddStates(states)
	b.AddInitial(0)
	for range rapid.IntRange(1, 12).Draw(t, "edges") {
		cube := automata.NewCube(len(names))
		for p := range names {
			if literal := rapid.IntRange(0, 5).Draw(t, "literal"); literal < 2 {
				cube = cube.With(p, literal == 0)
			}
		}
		var marks []int
		for set := range sets {
			if rapid.Bool().Draw(t, "mark") {
				marks = append(marks, set)
			}
		}
		from := automata.State(rapid.IntRange(0, states-1).Draw(t, "from"))
		to := from
		if rapid.IntRange(0, 2).Draw(t, "leaves") > 0 {
			to = automata.State(rapid.IntRange(0, states-1).Draw(t, "to"))
		}
		b.AddEdge(from, automata.Label{cube}, automata.NewMarks(sets, marks...), to)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}
