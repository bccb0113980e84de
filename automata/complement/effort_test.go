package complement

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pnmc/automata"
	"pnmc/automata/automatatest"
	"pnmc/automata/internal/effort"
)

// oneOfPairs is the label that both propositions of a pair hold.
func oneOfPairs(pairs int) (names []string, l automata.Label) {
	for i := range pairs {
		names = append(names, fmt.Sprint("a", i), fmt.Sprint("b", i))
		l = append(l, automata.NewCube(2*pairs).With(2*i, true).With(2*i+1, true))
	}
	return names, l
}

// The labels that a deterministic automaton lacks may be exponentially many.
func TestComplementOfHardLabels(t *testing.T) {
	const pairs = 40
	names, l := oneOfPairs(pairs)
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

// waiting is GF of one of so many pairs, waited for in a state of its own, or in which one may
// come without being waited for.
func waiting(t *testing.T, pairs int) *automata.Automaton {
	t.Helper()
	names, l := oneOfPairs(pairs)
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(1))
	b.AddStates(2)
	b.AddInitial(0)
	any := automata.Label{automata.NewCube(2 * pairs)}
	b.AddEdge(0, any, automata.NewMarks(1), 0)
	b.AddEdge(0, l, automata.NewMarks(1, 0), 1)
	b.AddEdge(1, any, automata.NewMarks(1), 1)
	b.AddEdge(1, l, automata.NewMarks(1), 0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestComplementOfManyLetters: letters that edges tell apart may be exponentially many.
func TestComplementOfManyLetters(t *testing.T) {
	if _, err := Complement(t.Context(), waiting(t, 3), 1000); err != nil {
		t.Errorf("3 pairs: %v", err)
	}
	a := waiting(t, 40)
	if _, err := Complement(t.Context(), a, 1000); !errors.Is(err, ErrTooLarge) {
		t.Errorf("40 pairs: error %v, expected that it is too large", err)
	}
}

// TestBranchesAreLookedForWithinLimits: whether a run branches is not asked of all pairs of
// cubes once the context has ended, nor beyond the bound.
func TestBranchesAreLookedForWithinLimits(t *testing.T) {
	a := waiting(t, 12)
	c, err := newComplementation(t.Context(), a, 10)
	if err != nil {
		t.Fatal(err)
	}
	states := []automata.State{1}
	if bound := effort.New(t.Context(), 1); !c.branches(states, bound) || bound.Err != effort.ErrSpent {
		t.Errorf("not said to branch when the work is spent: %v", bound.Err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newComplementation(ended, a, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected that of the context", err)
	}
}

func TestDisjunctiveFormEndsWithContext(t *testing.T) {
	if _, err := disjunctiveForm(automatatest.EndsAfter(0), automatatest.Streett(t, 11, true)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, expected that of the context", err)
	}
}
