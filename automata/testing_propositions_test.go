package automata

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// TestUnmentionedPropositions: propositions that no label mentions cost nothing, and
// stay where they are.
func TestUnmentionedPropositions(t *testing.T) {
	const declared, used = 70, 66
	names := make([]string, declared)
	for i := range names {
		names[i] = fmt.Sprintf("p%d", i)
	}
	b := NewBuilder(names, GeneralizedBuchi(0))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, Label{NewCube(declared).With(used, true)}, NewMarks(0), 0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if err := TestingTooLarge(context.Background(), a); err != nil {
		t.Error(err)
	}
	for _, build := range []func(context.Context, *Automaton, Invariance) (*Automaton, error){NewTGTA, NewTA} {
		b, err := build(context.Background(), a, Invariance{Whole: true, States: []bool{true}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Propositions, b.Propositions) {
			t.Errorf("%v: propositions %v", b.Kind, b.Propositions)
		}
		for _, value := range []bool{false, true} {
			// Proposition 0 changes all the time, the one used is as value says.
			word := []Valuation{make(Valuation, 2), make(Valuation, 2)}
			word[1][0] = 1
			if value {
				word[0][used/64] |= 1 << (used % 64)
				word[1][used/64] |= 1 << (used % 64)
			}
			l := Lasso{Propositions: a.Propositions, Cycle: word}
			plain := *b
			plain.Kind = Plain
			accepted, err := Accepts(&plain, l.Changes())
			if err != nil {
				t.Fatal(err)
			}
			if accepted != value {
				t.Errorf("%v: the proposition is always %v: accepted %v", b.Kind, value, accepted)
			}
		}
	}
}
