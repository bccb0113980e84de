package complement

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/automatatest"
)

// oneOfPairs returns the label that both propositions of a pair hold.
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
	if _, err := Deterministic(account.EndsAfter(3), a); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, expected that of the context", err)
	}
}

// waiting returns GF of one of so many pairs, waited for in a state of its own, or in which one may
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

// TestBranchesAreLookedForWithinLimits: a component in which no run branches is said to branch
// where the context ends before that is known.
func TestBranchesAreLookedForWithinLimits(t *testing.T) {
	const propositions, cubes = 15, 1 << 14
	b := automata.NewBuilder(make([]string, propositions), automata.GeneralizedBuchi(1))
	b.AddStates(1)
	b.AddInitial(0)
	for marked, value := range []bool{false, true} {
		var label automata.Label
		for n := range cubes {
			c := automata.NewCube(propositions).With(0, value)
			for p := 1; p < propositions; p++ {
				c = c.With(p, n>>(p-1)&1 == 1)
			}
			label = append(label, c)
		}
		b.AddEdge(0, label, automata.NewMarks(1, []int{0}[:marked]...), 0)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	c, err := newComplementation(t.Context(), a, 10)
	if err != nil {
		t.Fatal(err)
	}
	if c.branches(0, automata.NewOutgoing(t.Context(), c.buchi)) {
		t.Error("said to branch, though the labels never meet")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if !c.branches(0, automata.NewOutgoing(ended, c.buchi)) {
		t.Error("not said to branch when the context has ended")
	}
	if _, err := newComplementation(ended, a, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected that of the context", err)
	}
}

func TestDisjunctiveFormEndsWithContext(t *testing.T) {
	if _, err := disjunctiveForm(account.EndsAfter(0), automatatest.Streett(t, 11, true)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, expected that of the context", err)
	}
}

// TestDisjunctiveFormsLook: a disjunctive form looks at its context where a conjunction is multiplied out and
// where disjuncts are compared, and tells the end wherever it comes. The number of looks is that of code that
// counts all its work.
func TestDisjunctiveFormsLook(t *testing.T) {
	a := automatatest.Streett(t, 11, true)
	automatatest.EndsAtEachLook(t, "disjunctive form", 3, func(ctx context.Context) (any, error) {
		d, err := disjunctiveForm(ctx, a)
		return len(d), err
	})
	automatatest.EndsAtEachLook(t, "disjunctive form that is not compared", 6, func(ctx context.Context) (any, error) {
		d, err := disjunctiveForm(ctx, automatatest.Streett(t, 12, true))
		return len(d), err
	})
}

// TestComplementsEndWithTheContext: wherever the context ends, there is no complement, also where labels are
// so short that no search among them looks.
func TestComplementsEndWithTheContext(t *testing.T) {
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1, 0), 0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	size := func(c *automata.Automaton, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		return c.Edges(), nil
	}
	automatatest.EndsAtEachLook(t, "deterministic", 1, func(ctx context.Context) (any, error) { return size(Deterministic(ctx, a)) })
	small := automatatest.Random(automatatest.RandomSettings{States: 3, Propositions: []string{"a"}, Density: 0.5, LiteralProbability: 0.5, Sets: 1, MarkProbability: 0.3}, 1)
	automatatest.EndsAtEachLook(t, "any", 5, func(ctx context.Context) (any, error) { return size(Complement(ctx, small, 3000)) })
}
