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
	always := func(states int) *automata.Automaton { // a holds at all times
		b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
		b.AddStates(states)
		b.AddInitial(0)
		for s := range states {
			b.AddEdge(automata.State(s), automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1, 0), automata.State((s+1)%states))
			b.AddEdge(automata.State(s), automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1), 0)
		}
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	automatatest.EndsAtEachLook(t, "same language", 1, func(ctx context.Context) (any, error) { return sameLanguage(ctx, always(3), always(1)) })
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
