package checker

import (
	"context"

	"pnmc/checker/reachability"
	"pnmc/checker/witness"
	"pnmc/logic"
)

// walkTokens walks for markings with many tokens, and for a part of the walk that
// can be repeated for ever and adds tokens each time: the net is unbounded.
func walkTokens(ctx context.Context, r *task) error {
	places, marking := r.tokens.above()
	if len(places) == 0 && !marking {
		return nil
	}
	all := allTokens(r.net)
	goals := []reachability.Goal{{Maximum: &all}}
	for _, p := range places[:min(len(places), mostPlaceGoals)] {
		sum := logic.Sum{Terms: []logic.Term{{Place: uint32(p), Coefficient: 1}}}
		goals = append(goals, reachability.Goal{Maximum: &sum})
	}
	w := reachability.NewWalk(r.net, goals, r.shared.seed)
	w.Found = func(goal int, _ int64, run []witness.Burst) bool {
		if m, err := witness.ReplayRun(r.net, run); err == nil {
			r.tokens.reach(m, RandomWalk)
		}
		return r.tokens.done(goal == 0)
	}
	w.Wanted = func(goal int) bool { return !r.tokens.done(goal == 0) }
	w.Pumped = func(_ int, run, loop []witness.Burst) bool {
		if !witness.ConfirmsPump(r.net, run, loop, &all) {
			return false
		}
		r.tokens.giveInfinite(RandomWalk, Witness{Ground: Pump, Net: r.net, Run: run, Cycle: loop})
		return true
	}
	w.Run(ctx)
	return context.Cause(ctx)
}

// mostPlaceGoals bounds the places that a walk tries to fill, each on its own.
const mostPlaceGoals = 200
