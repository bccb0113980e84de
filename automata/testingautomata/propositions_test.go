package testingautomata

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/internal/bitset"
)

// TestUnmentionedPropositions: propositions that no label mentions cost nothing, and
// stay where they are.
func TestUnmentionedPropositions(t *testing.T) {
	const declared, used = 70, 66
	names := make([]string, declared)
	for i := range names {
		names[i] = fmt.Sprintf("p%d", i)
	}
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(0))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(declared).With(used, true)}, automata.NewMarks(0), 0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if err := TooLarge(context.Background(), a); err != nil {
		t.Error(err)
	}
	for _, build := range []func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error){NewTGTA, NewTA} {
		b, err := build(context.Background(), a, stutter.Invariance{Whole: true, States: []bool{true}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Propositions, b.Propositions) {
			t.Errorf("%v: propositions %v", b.Kind, b.Propositions)
		}
		for _, value := range []bool{false, true} {
			// Proposition 0 changes all the time, the one used is as value says.
			word := []automata.Valuation{make(automata.Valuation, 2), make(automata.Valuation, 2)}
			word[1][0] = 1
			if value {
				bitset.Add(word[0], used)
				bitset.Add(word[1], used)
			}
			l := automata.Lasso{Propositions: a.Propositions, Cycle: word}
			plain := *b
			plain.Kind = automata.Plain
			accepted, err := automata.Accepts(&plain, l.Changes())
			if err != nil {
				t.Fatal(err)
			}
			if accepted != value {
				t.Errorf("%v: the proposition is always %v: accepted %v", b.Kind, value, accepted)
			}
		}
	}
}
