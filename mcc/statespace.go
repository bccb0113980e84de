package mcc

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"pnmc/checker"
	"pnmc/logic"
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

// giveInfinite answers for an unbounded net: it has infinitely many markings,
// with any number of tokens.
func (r *run) giveInfinite(techniques Techniques, how string) {
	for _, measure := range []string{"STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"} {
		r.answers.stateSpace(measure, infinite, techniques, how)
	}
	r.board.allDone()
}

// pumpTokens walks until a part of the walk can be repeated for ever and adds
// tokens each time: the net is unbounded.
func pumpTokens(ctx context.Context, r *run) {
	var all logic.Sum
	for p := range uint32(r.net.Places()) {
		all.Terms = append(all.Terms, logic.Term{Place: p, Coefficient: 1})
	}
	w := checker.NewWalk(r.net, []checker.Goal{{Maximum: &all}}, r.options.Seed)
	w.Found = func(int, int64, []checker.Burst) bool { return false }
	w.Pumped = func(_ int, run, loop []checker.Burst) bool {
		if !checker.ConfirmsPump(r.net, run, loop, &all) {
			return false
		}
		r.giveInfinite(RandomWalk, fmt.Sprintf("after %d steps, %d others can be repeated for ever", len(run), len(loop)))
		return true
	}
	w.Run(ctx)
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
