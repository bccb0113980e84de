package complement

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pnmc/automata"
	"pnmc/automata/automatatest"
)

// The labels that a deterministic automaton lacks may be exponentially many.
func TestComplementOfHardLabels(t *testing.T) {
	const pairs = 40
	var names []string
	var l automata.Label
	for i := range pairs {
		names = append(names, fmt.Sprint("a", i), fmt.Sprint("b", i))
		l = append(l, automata.NewCube(2*pairs).With(2*i, true).With(2*i+1, true))
	}
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(0))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, l, automata.NewMarks(0), 0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Deterministic(context.Background(), a); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v, expected that it is too large", err)
	}
	if _, err := Deterministic(automatatest.EndsAfter(3), a); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, expected that of the context", err)
	}
}

func TestDisjunctiveFormEndsWithContext(t *testing.T) {
	if _, err := disjunctiveForm(automatatest.EndsAfter(0), automatatest.Streett(t, 11, true)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, expected that of the context", err)
	}
}
