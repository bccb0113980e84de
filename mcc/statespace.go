package mcc

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"pnmc/petri"
	"pnmc/petri/invariant"
)

// askStateSpace puts no question to the board: its four values are answered as
// they are found.
func askStateSpace(r *run) error {
	r.tokens = newTokens(r.net, r.answers, r.always)
	return nil
}

// measures are the four values of StateSpace.
type measures struct {
	states, transitions, perMarking, inPlace *big.Int
}

func (r *run) giveMeasures(m measures, techniques Techniques, how string) {
	for _, v := range []struct {
		name  string
		value *big.Int
	}{
		{"STATES", m.states}, {"TRANSITIONS", m.transitions},
		{"MAX_TOKEN_PER_MARKING", m.perMarking}, {"MAX_TOKEN_IN_PLACE", m.inPlace},
	} {
		if v.value != nil {
			r.answers.stateSpace(v.name, v.value.String(), techniques|r.always, how)
		}
	}
	r.board.allDone()
}

// giveInfinite answers for an unbounded net: it has infinitely many markings,
// with any number of tokens.
func (r *run) giveInfinite(techniques Techniques, how string) {
	for _, measure := range []string{"STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"} {
		r.answers.stateSpace(measure, infinite, techniques|r.always, how)
	}
	r.board.allDone()
}

// countExplicitly explores all markings.
func countExplicitly(ctx context.Context, r *run) {
	facts := invariant.Prove(ctx, r.net, factsWork)
	s, err := petri.Explore(ctx, r.net, facts, r.budget, nil)
	r.note("explored %d markings: %v", s.States, err)
	if errors.As(err, new(*petri.UnboundedError)) {
		r.giveInfinite(Explicit|StateCompression, err.Error())
		return
	}
	if err != nil || !s.Complete {
		return
	}
	r.giveMeasures(measures{
		big.NewInt(s.States), big.NewInt(s.Firings), s.MaxTokensPerMarking, big.NewInt(s.MaxTokensInPlace),
	}, Explicit|StateCompression, fmt.Sprintf("%d markings explored", s.States))
}
