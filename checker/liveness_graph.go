package checker

import (
	"context"

	"pnmc/checker/reachability"
	"pnmc/petri/reduce"
)

// decideLiveness looks at the terminal components of the state graph.
func decideLiveness(ctx context.Context, r *task) error {
	g := r.graphOf(ctx, make([]bool, r.net.Places()), reduce.Firings)
	if g == nil {
		return context.Cause(ctx)
	}
	defer func() { r.keepGraph(ctx, g.kripke) }()
	result, err := reachability.CheckLiveness(ctx, g.kripke, r.groups.Transitions)
	r.note("state graph of %d states: %v", result.States, err)
	if err != nil || !result.Decided {
		return err
	}
	shown := Witness{Ground: TerminalStates, Count: int64(result.States)}
	if !result.Live {
		shown = Witness{Ground: DeadTransition, Dead: result.Group, Unshown: errNotShown}
		if result.Run != nil {
			var ok bool
			if shown, ok = r.showDead(ctx, g, result.Group, result.Run); !ok {
				return errDeadNotReplayed
			}
		}
	}
	r.ledger.answerAll(Truth(result.Live), reducedBy(exploring, g.reduction), shown)
	return nil
}
