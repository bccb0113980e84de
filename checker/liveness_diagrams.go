package checker

import (
	"context"
	"time"

	"pnmc/checker/witness"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// diagramsLiveness looks whether all transitions fire in each terminal component
// of the state graph.
func diagramsLiveness(ctx context.Context, r *task) error {
	g := r.graphOf(ctx, make([]bool, r.net.Places()), reduce.Firings)
	if g == nil {
		return context.Cause(ctx)
	}
	begin := time.Now()
	s, err := r.exploreSymbolically(ctx, g.net)
	if err != nil {
		return err
	}
	defer r.keepDiagram(s)
	live, dead, run, err := s.Live(ctx, showing(ctx, begin), r.groups.Transitions)
	if err != nil {
		return err
	}
	shown := Witness{Ground: TerminalStates}
	if !live {
		shown = Witness{Ground: DeadTransition, Dead: dead, Unshown: errNotShown}
		if run != nil {
			var ok bool
			if shown, ok = r.showDead(ctx, g, dead, firings(run)); !ok {
				return errDeadNotReplayed
			}
		}
	}
	r.ledger.answerAll(Truth(live), reducedBy(DecisionDiagrams, g.reduction), shown)
	return nil
}

// firings is a run of single firings without their number.
func firings(run []witness.Burst) []petri.Transition {
	list := make([]petri.Transition, len(run))
	for i, b := range run {
		list[i] = b.Transition
	}
	return list
}
