package mcc

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"pnmc/petri"
	"pnmc/petri/invariant"
)

// askStateSpace puts no question to the board: its four values are answered as
// they are found.
func askStateSpace(r *run) error {
	r.tokens = newTokens(r.net, r.answers, r.always)
	return nil
}

// measureNames are the contest's words for the four values of StateSpace.
var measureNames = []string{"STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"}

// Measures are the names of the values that the examination StateSpace asks for.
func Measures() []string { return slices.Clone(measureNames) }

// giveMeasures answers with the values of measureNames; nil stands for one that is not
// known.
func (r *run) giveMeasures(values [4]*big.Int, techniques Techniques, how string) {
	for i, name := range measureNames {
		if values[i] != nil {
			r.answers.stateSpace(name, values[i].String(), techniques|r.always, how)
		}
	}
	r.board.allDone()
}

// giveInfinite answers for an unbounded net: it has infinitely many markings,
// with any number of tokens.
func (r *run) giveInfinite(techniques Techniques, how string) {
	for _, name := range measureNames {
		r.answers.stateSpace(name, infinite, techniques|r.always, how)
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
	r.giveMeasures([4]*big.Int{
		big.NewInt(s.States), big.NewInt(s.Firings), s.MaxTokensPerMarking, big.NewInt(s.MaxTokensInPlace),
	}, Explicit|StateCompression, fmt.Sprintf("%d markings explored", s.States))
}
