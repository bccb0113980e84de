package sizes

import (
	"context"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/logic"
)

// Walks walks for markings with many tokens, and for a part of the walk that
// can be repeated for ever and adds tokens each time: the net is unbounded.
func Walks(ctx context.Context, r *core.Task) error {
	places, marking := r.Sizes.Above()
	if len(places) == 0 && !marking {
		return nil
	}
	all := allTokens(r)
	goals := []walk.Goal{{Maximum: &all}}
	for _, p := range places[:min(len(places), mostPlaceGoals)] {
		sum := logic.Sum{Terms: []logic.Term{{Place: uint32(p), Coefficient: 1}}}
		goals = append(goals, walk.Goal{Maximum: &sum})
	}
	w, err := walk.New(ctx, r.Net, goals, r.Shared.Seed)
	if err != nil {
		return err
	}
	w.Found = func(goal int, _ int64, run []witness.Burst) bool {
		if m, err := witness.ReplayRun(r.Net, run); err == nil {
			r.Sizes.Reach(m, inquiry.RandomWalk)
		}
		return r.Sizes.Done(goal == 0)
	}
	w.Wanted = func(goal int) bool { return !r.Sizes.Done(goal == 0) }
	w.Pumped = func(_ int, run, loop []witness.Burst) bool {
		if !witness.ConfirmsPump(r.Net, run, loop, goals[0].Number()) {
			return false
		}
		r.Sizes.GiveInfinite(inquiry.RandomWalk, inquiry.Witness{Ground: inquiry.Pump, Net: r.Net, Run: run, Cycle: loop})
		return true
	}
	w.Run(ctx)
	return context.Cause(ctx)
}

// mostPlaceGoals bounds the places that a walk tries to fill, each on its own.
const mostPlaceGoals = 200
