package automata

import (
	"context"
	"slices"
	"testing"
)

// TestUnmentionedPropositions: propositions that no label mentions cost nothing, and
// stay where they are.
func TestUnmentionedPropositions(t *testing.T) {
	const declared, used = 70, 66
	a := buildLiteral(t, declared, 1, GeneralizedBuchi(0), []State{0}, []literalEdge{{0, 0, []int{used + 1}, nil}})
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
