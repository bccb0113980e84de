package degeneralize

import (
	"context"
	"testing"

	"pnmc/automata"
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
