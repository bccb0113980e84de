package liveness

import (
	"context"
	"math"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/reachability"
	"pnmc/petri/reduce"
)

// firstMarkings is how many markings one thread looks at before several explore all. Depth first, it
// often finds a transition that is dead soon, and all markings may be very many.
const firstMarkings = 16 * core.FewMarkings

// Graph decides liveness on the explicit state graph: it explores the net, reduced by rules that
// keep all firings, and looks at the terminal components. reachability.CheckLiveness has the
// argument.
func Graph(ctx context.Context, r *core.Task) error {
	g := r.GraphOf(ctx, make([]bool, r.Net.Places()), reduce.Firings)
	if g == nil {
		return context.Cause(ctx)
	}
	defer func() { r.KeepGraph(g.Kripke) }()
	threads, release := r.Threads(ctx, math.MaxInt)
	defer release()
	result, together, err := reachability.CheckLivenessTogether(ctx, g.Kripke, r.Groups.Transitions, threads, firstMarkings)
	r.Note("state graph of %d states: %v", result.States, err)
	if together {
		r.Note("%d threads explored", threads)
	}
	if err != nil || !result.Decided {
		return err
	}
	shown := inquiry.Witness{Ground: inquiry.TerminalStates, Count: int64(result.States)}
	if !result.Live {
		shown = inquiry.Witness{Ground: inquiry.DeadTransition, Dead: result.Group, Unshown: core.ErrNotShown}
		if result.Run != nil {
			var ok bool
			if shown, ok = showDead(ctx, r, g, result.Group, result.Run); !ok {
				return errDeadNotReplayed
			}
		}
	}
	r.Ledger.AnswerAll(inquiry.Truth(result.Live), core.ReducedBy(core.Exploring, g.Reduction), shown)
	return nil
}
