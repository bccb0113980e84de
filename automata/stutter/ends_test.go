package stutter

import (
	"context"
	"testing"

	"pnmc/automata"
	"pnmc/internal/automatatest"
)

// guessedWords returns an automaton of all words that guesses which of two equal states is next. A game
// does not show that its language is invariant, so that a complement has to.
func guessedWords(t *testing.T) *automata.Automaton {
	return buildLiteral(t, 1, 3, automata.GeneralizedBuchi(1), []automata.State{0}, []literalEdge{
		{0, 1, nil, []int{0}}, {0, 2, nil, []int{0}}, {1, 0, []int{1}, []int{0}}, {2, 0, []int{-1}, []int{0}},
	})
}

// TestDecisionsEndWithTheContext: wherever the context ends a decision, that is told: "not invariant" or
// "not known" would be taken for an answer.
func TestDecisionsEndWithTheContext(t *testing.T) {
	a := guessedWords(t)
	nothing := buildLiteral(t, 1, 1, automata.GeneralizedBuchi(1), []automata.State{0}, nil)
	for _, test := range []struct {
		name  string
		least int
		do    func(context.Context) (any, error)
	}{
		{"invariance", 303, func(ctx context.Context) (any, error) { return DecideInvariance(ctx, a) }},
		{"invariance of states", 303, func(ctx context.Context) (any, error) { return DecideStatesInvariance(ctx, a) }},
		{"refuted", 105, func(ctx context.Context) (any, error) { return RefutesInvariance(ctx, a) }},
		{"whole", 105, func(ctx context.Context) (any, error) { return DecideWholeInvariance(ctx, a, noComplement) }},
		{"whole, by a complement that is given", 75, func(ctx context.Context) (any, error) {
			return DecideWholeInvariance(ctx, a, func() (*automata.Automaton, error) { return nothing, nil })
		}},
		{"prepared", 71, func(ctx context.Context) (any, error) {
			d, err := newStutterDecision(ctx, a)
			if err != nil {
				return nil, err
			}
			return d.repetitions.wins, nil
		}},
		{"closure", 5, func(ctx context.Context) (any, error) {
			c, err := Closure(ctx, a)
			if err != nil {
				return nil, err
			}
			return c.Edges(), nil
		}},
	} {
		automatatest.EndsAtEachLook(t, test.name, test.least, test.do)
	}
	if whole, err := DecideWholeInvariance(t.Context(), a, func() (*automata.Automaton, error) { return nothing, nil }); !whole || err != nil {
		t.Errorf("all words: invariant %v, %v", whole, err)
	}
}

// TestEachStepOfADecisionEndsByItself: a decision by a complement tells the end of its context, whoever made
// that complement, and does not leave it to what is tried next. What was prepared before has not ended.
func TestEachStepOfADecisionEndsByItself(t *testing.T) {
	a := guessedWords(t)
	decide := func(by func(context.Context, *stutterDecision) (stutterAnswer, error)) func(context.Context) (any, error) {
		return func(ctx context.Context) (any, error) {
			d, err := newStutterDecision(t.Context(), a)
			if err != nil || d == nil {
				t.Fatal(err)
			}
			answer, err := by(ctx, d)
			return answer, err
		}
	}
	given := func(other *automata.Automaton) func(context.Context) (any, error) {
		return decide(func(ctx context.Context, d *stutterDecision) (stutterAnswer, error) { return d.by(ctx, other) })
	}
	nothing := buildLiteral(t, 1, 1, automata.GeneralizedBuchi(1), []automata.State{0}, nil)
	automatatest.EndsAtEachLook(t, "by no word", 4, given(nothing))
	automatatest.EndsAtEachLook(t, "by its own words", 10, given(a))
	automatatest.EndsAtEachLook(t, "by a complement that is made", 33, decide(func(ctx context.Context, d *stutterDecision) (stutterAnswer, error) {
		return d.of(ctx, a.Initial())
	}))
}

// TestLettersOfAComplementEnd: where a complement has too many letters, the answer is that it is not known, and
// the end of the context where that has come.
func TestLettersOfAComplementEnd(t *testing.T) {
	const propositions = 12
	a := buildLiteral(t, propositions, 3, automata.GeneralizedBuchi(1), []automata.State{0}, []literalEdge{
		{0, 1, nil, []int{0}}, {0, 2, nil, []int{0}}, {1, 0, []int{1}, []int{0}}, {2, 0, []int{-1}, []int{0}},
	})
	var edges []literalEdge
	for p := range propositions {
		to := automata.State(1 + p)
		edges = append(edges, literalEdge{0, to, []int{p + 1}, []int{0}}, literalEdge{to, 0, nil, []int{0}})
	}
	other := buildLiteral(t, propositions, 1+propositions, automata.GeneralizedBuchi(1), []automata.State{0}, edges)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for ctx, want := range map[context.Context]error{t.Context(): nil, over: context.Canceled} {
		d, err := newStutterDecision(t.Context(), a)
		if err != nil || d == nil {
			t.Fatal(d, err)
		}
		if answer, err := d.by(ctx, other); answer != stutterUnknown || err != want {
			t.Errorf("answer %v, error %v, expected %v", answer, err, want)
		}
	}
}

// TestWholeInvarianceTellsWhyThereIsNoComplement: an error of who makes the complement is not taken for an
// answer.
func TestWholeInvarianceTellsWhyThereIsNoComplement(t *testing.T) {
	if _, err := DecideWholeInvariance(t.Context(), guessedWords(t), func() (*automata.Automaton, error) { return nil, context.Canceled }); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
