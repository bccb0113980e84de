package mcc

import (
	"context"
	"fmt"
	"math/big"

	"pnmc/petri"
	"pnmc/petri/invariant"
)

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
			r.answers.stateSpace(v.name, v.value.String(), techniques, how)
		}
	}
	r.board.allDone()
}

// countExplicitly explores all markings.
func countExplicitly(ctx context.Context, r *run) {
	facts := invariant.Prove(ctx, r.net, factsWork)
	s, err := petri.Explore(ctx, r.net, facts, r.budget, nil)
	r.note("explored %d markings: %v", s.States, err)
	if err != nil || !s.Complete {
		return
	}
	r.giveMeasures(measures{
		big.NewInt(s.States), big.NewInt(s.Firings), s.MaxTokensPerMarking, big.NewInt(s.MaxTokensInPlace),
	}, Explicit|StateCompression, fmt.Sprintf("%d markings explored", s.States))
}
