package degeneralize

import (
	"context"
	"testing"

	"pnmc/automata"
	"pnmc/automata/internal/marked"
	"pnmc/internal/account"
	"pnmc/internal/automatatest"
)

// TestEndsWithTheContext: wherever the context ends, there is no automaton, and two languages are not said to
// differ.
func TestEndsWithTheContext(t *testing.T) {
	size := func(c *automata.Automaton, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		return c.Edges(), nil
	}
	small := automatatest.Random(automatatest.RandomSettings{
		States: 4, Propositions: []string{"a", "b"}, Density: 0.5, LiteralProbability: 0.5, Sets: 2, MarkProbability: 0.3,
	}, 1)
	automatatest.EndsAtEachLook(t, "plain", 17, func(ctx context.Context) (any, error) { return size(plainDegeneralization(ctx, small)) })
	automatatest.EndsAtEachLook(t, "tried", 1004, func(ctx context.Context) (any, error) { return size(Degeneralize(ctx, small)) })
	automatatest.EndsAtEachLook(t, "with obligations", 723, func(ctx context.Context) (any, error) { return size(Degeneralize(ctx, withObligations(t))) })
}

// always returns an automaton for the words in which a holds at all times. With chance, a run may fall back to
// the first state at each step, and is accepted if it goes round again and again.
func always(t *testing.T, states, sets int, chance bool) *automata.Automaton {
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(sets))
	all := make([]int, sets)
	for i := range all {
		all[i] = i
	}
	b.AddStates(states)
	b.AddInitial(0)
	for s := range states {
		b.AddEdge(automata.State(s), automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(sets, all...), automata.State((s+1)%states))
		if chance {
			b.AddEdge(automata.State(s), automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(sets), 0)
		}
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestComparingLanguagesEnds: wherever the context ends, two languages are not said to differ, whatever of
// the comparison was being made. The larger automata are there so that each part of it looks.
func TestComparingLanguagesEnds(t *testing.T) {
	for _, test := range []struct {
		name  string
		a, d  *automata.Automaton
		same  bool
		least int
	}{
		{"small", always(t, 3, 1, true), always(t, 1, 1, false), true, 25},
		{"many states of the first", always(t, 8_000, 1, false), always(t, 1, 1, false), true, 11},
		{"many states of the second", always(t, 1, 1, false), always(t, 8_000, 1, false), true, 11},
		{"many sets of the first", always(t, 6_000, 640, false), always(t, 1, 1, false), true, 16},
		{"a complement that is too large", always(t, 300, 1, true), always(t, 1, 1, false), false, 3},
	} {
		automatatest.EndsAtEachLook(t, test.name, test.least, func(ctx context.Context) (any, error) { return sameLanguage(ctx, test.a, test.d) })
		if same, err := sameLanguage(t.Context(), test.a, test.d); same != test.same || err != nil {
			t.Errorf("%s: same language %v, %v", test.name, same, err)
		}
	}
}

// TestSpreadingMarksLooks: a mark that goes back along a chain takes a round for each state, and the rounds
// look at the context. Where it ends, there are no marks that might be taken for all.
func TestSpreadingMarksLooks(t *testing.T) {
	const states = 1000
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(2))
	b.AddStates(states)
	b.AddInitial(0)
	for s := range states {
		marks := automata.NewMarks(2)
		if s == states-1 {
			marks = automata.NewMarks(2, 0)
		}
		b.AddEdge(automata.State(s), automata.Label{automata.NewCube(1)}, marks, automata.State((s+1)%states))
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := marked.NewReducible(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	c := r.Components()
	p := newPart(r, c, 0, members(c))
	automatatest.EndsAtEachLook(t, "spread", 15, func(ctx context.Context) (any, error) { return p.place(ctx, spreadBack) })
	automatatest.EndsAtEachLook(t, "dropped", 7, func(ctx context.Context) (any, error) { return p.place(ctx, droppedBoth) })
}

// TestCopiesAreCharged: what copies take is charged, and what it takes to try orders. The numbers are those
// of code that charges everywhere: a charge that is missing makes them less.
func TestCopiesAreCharged(t *testing.T) {
	a := automatatest.Random(automatatest.RandomSettings{
		States: 30, Propositions: []string{"a"}, Density: 0.2, LiteralProbability: 0.5, Sets: 3, MarkProbability: 0.3,
	}, 1)
	prepared := func() *marked.Reducible {
		r, err := marked.NewReducible(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		r.Prune()
		return r
	}
	work := account.New(account.Budget{})
	if err := copyLevels(t.Context(), work, prepared(), levels{}); err != nil || work.Spent() < 28_120 {
		t.Errorf("copies: %d units charged, expected 28120; %v", work.Spent(), err)
	}
	r := prepared()
	c, meanings, err := r.NormalizeMarks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	work = account.New(account.Budget{})
	for n := range automata.Component(c.Count()) {
		if meanings[n] != marked.MarksDecide {
			continue
		}
		if _, err := bestLevelling(t.Context(), work, newPart(r, c, n, members(c)), r.NeededSets(c, n), levels{}); err != nil {
			t.Fatal(err)
		}
	}
	if work.Spent() < 740_160 {
		t.Errorf("orders: %d units charged, expected 740160", work.Spent())
	}
}
