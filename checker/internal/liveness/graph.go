package liveness

import (
	"context"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/reachability"
	"pnmc/petri/reduce"
)

// Graph decides liveness on the explicit state graph: it explores the net, reduced by rules that
// keep all firings, and looks at the terminal components. reachability.CheckLiveness has the
// argument.
func Graph(ctx context.Context, r *core.Task) error {
	g := r.GraphOf(ctx, make([]bool, r.Net.Places()), reduce.Firings)
	if g == nil {
		return context.Cause(ctx)
	}
	defer func() { r.KeepGraph(ctx, g.Kripke) }()
	result, err := reachability.CheckLiveness(ctx, g.Kripke, r.Groups.Transitions)
	r.Note("state graph of %d states: %v", result.States, err)
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
