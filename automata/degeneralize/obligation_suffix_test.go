package degeneralize

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/internal/automatatest"
	"pnmc/internal/petritest"
)

// Replacing parts by deterministic weak automata keeps the language, and happens.
func TestReplaceObligationsKeepsTheLanguage(t *testing.T) {
	ctx := context.Background()
	changed, accepted := 0, 0
	if !petritest.CheckUntil(t, func() bool { return changed >= 5 && accepted >= 20 }, func(t *rapid.T) {
		a := automatatest.SmallAutomaton(t)
		b, replaced, err := replaceObligations(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		if !replaced {
			return
		}
		changed++
		for range 20 {
			word := automatatest.SmallWord(t, a)
			want := automatatest.Accepts(t, a, word)
			if automatatest.Accepts(t, b, word) != want {
				t.Fatalf("%v accepted before is %v", word, want)
			}
			if want {
				accepted++
			}
		}
	}) {
		t.Errorf("%d automata were changed, %d words accepted: the test shows little", changed, accepted)
	}
}

// Infinitely often not a, or finally always a, is any word: a guess when a begins to
// last is not needed, and neither are two acceptance sets. Finally always a alone is
// no obligation, and stays.
func TestObligationsAreReplaced(t *testing.T) {
	whole := withObligations(t)
	small, replaced, err := replaceObligations(context.Background(), whole)
	if err != nil || !replaced {
		t.Fatalf("replaced: %v, %v", replaced, err)
	}
	if small.States() != 4 {
		t.Errorf("%d states, want 4: one less where any word is accepted, and F G a as it was", small.States())
	}
	buchi, err := Degeneralize(context.Background(), whole)
	if err != nil {
		t.Fatal(err)
	}
	if buchi.States() != 4 {
		t.Errorf("%d states of the Büchi automaton, want 4", buchi.States())
	}
}

// withObligations returns the automaton of TestObligationsAreReplaced.
func withObligations(t *testing.T) *automata.Automaton {
	t.Helper()
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(2))
	a, no, both := automata.Label{automata.NewCube(1).With(0, true)}, automata.Label{automata.NewCube(1).With(0, false)}, automata.Label{automata.NewCube(1)}
	b.AddStates(5)
	b.AddInitial(0)
	b.AddEdge(0, no, automata.NewMarks(2, 0, 1), 1)
	b.AddEdge(0, a, automata.NewMarks(2), 3)
	b.AddEdge(1, a, automata.NewMarks(2, 0), 1)
	b.AddEdge(1, no, automata.NewMarks(2, 0, 1), 1)
	b.AddEdge(1, a, automata.NewMarks(2), 2)
	b.AddEdge(2, a, automata.NewMarks(2, 0, 1), 2)
	b.AddEdge(3, both, automata.NewMarks(2), 3)
	b.AddEdge(3, a, automata.NewMarks(2), 4)
	b.AddEdge(4, a, automata.NewMarks(2, 0, 1), 4)
	whole, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return whole
}
