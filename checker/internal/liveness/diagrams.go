package liveness

import (
	"context"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/witness"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// Diagrams decides liveness on decision diagrams: whether all transitions fire in each terminal
// component of the state graph. The sets of markings may have far more members than Graph could
// visit.
func Diagrams(ctx context.Context, r *core.Task) error {
	g := r.GraphOf(ctx, make([]bool, r.Net.Places()), reduce.Firings)
	if g == nil {
		return context.Cause(ctx)
	}
	begin := time.Now()
	s, err := r.Diagram(ctx, g.Net)
	if err != nil {
		return err
	}
	defer r.KeepDiagram(s)
	live, dead, run, err := s.Live(ctx, core.Showing(ctx, begin), r.Groups.Transitions)
	if err != nil {
		return err
	}
	shown := inquiry.Witness{Ground: inquiry.TerminalStates}
	if !live {
		shown = inquiry.Witness{Ground: inquiry.DeadTransition, Dead: dead, Unshown: core.ErrNotShown}
		if run != nil {
			var ok bool
			if shown, ok = showDead(ctx, r, g, dead, firings(run)); !ok {
				return errDeadNotReplayed
			}
		}
	}
	r.Ledger.AnswerAll(inquiry.Truth(live), core.ReducedBy(inquiry.DecisionDiagrams, g.Reduction), shown)
	return nil
}

// firings returns the transitions of a run in which each burst is a single firing.
func firings(run []witness.Burst) []petri.Transition {
	list := make([]petri.Transition, len(run))
	for i, b := range run {
		list[i] = b.Transition
	}
	return list
}
