package checkertest

import (
	"context"
	"testing"

	"pnmc/automata/translate"
	"pnmc/checker/diagram"
	"pnmc/checker/inquiry"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/symbolic"
)

// ReplayedApproaches are those whose counterexamples run on a net.
var ReplayedApproaches = []product.Approach{
	product.ByTGBA, product.ByBA, product.ByTA, product.ByTGTA, product.BySymbolicTGBA, product.BySymbolicTGTA,
}

// Violation returns a counterexample that an approach finds.
func Violation(t *testing.T, net *petri.Net, property properties.Property, approach product.Approach) *witness.Counterexample {
	t.Helper()
	if approach.Symbolic() {
		space, err := symbolic.Explore(t.Context(), net, symbolic.Options{})
		if err != nil {
			t.Fatal(err)
		}
		result, err := diagram.Check(t.Context(), space, net, property, diagram.Settings{Approach: approach})
		if err != nil || result.Verdict != properties.Violated {
			t.Fatalf("%v: %v, %v", approach, result.Verdict, err)
		}
		return result.Counterexample
	}
	k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	result, err := product.CheckBy(t.Context(), k, property, product.Settings{Approach: approach})
	if err != nil || result.Verdict != properties.Violated {
		t.Fatalf("%v: %v, %v", approach, result.Verdict, err)
	}
	return result.Counterexample
}

// Negated returns the property whose automaton is that of the negation of a formula over
// net.
func Negated(t testing.TB, net *petri.Net, text string) properties.Property {
	t.Helper()
	parser := ltl.Parser{Formulas: ltl.NewFormulas()}
	f, err := parser.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	a, err := translate.ToAutomaton(context.Background(), parser.Formulas, f, translate.Options{Negate: true})
	if err != nil {
		t.Fatal(err)
	}
	property, err := properties.Bind(a, inquiry.Vocabulary(net), nil)
	if err != nil {
		t.Fatal(err)
	}
	return property
}

// Moving returns a net that moves so many tokens from one place to another, and then has
// a deadlock.
func Moving(t *testing.T, tokens int64) *petri.Net {
	t.Helper()
	var b petri.Builder
	p, _ := b.AddPlace("p", "", tokens)
	q, _ := b.AddPlace("q", "", 0)
	move, _ := b.AddTransition("move", "")
	if err := b.AddInput(p, move, 1); err != nil {
		t.Fatal(err)
	}
	if err := b.AddOutput(move, q, 1); err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}
