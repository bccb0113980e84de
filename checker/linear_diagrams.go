package checker

import (
	"context"
	"time"

	"pnmc/checker/internal/turns"
	"pnmc/petri/reduce"
)

// diagramsLinear proves formulas of LTL by products of the set of reachable
// markings with automata. It has no counterexample to show where there is one,
// and leaves that to others.
func diagramsLinear(ctx context.Context, r *task) error {
	shared := new(linearCheck)
	shared.reduce(ctx, r, r.ledger.openQuestions(), reduce.Branching)
	if shared.reduction == nil {
		return context.Cause(ctx)
	}
	s, err := r.exploreSymbolically(ctx, shared.net)
	if err != nil {
		return err
	}
	defer r.keepDiagram(s)
	t := r.questionTurns(firstDiagramSlice, 4)
	t.Try = func(part context.Context, q *question, _ time.Duration) (turns.Outcome, error) {
		property, err := r.propertyOf(part, q.ltl, shared.reduction)
		empty := false // where there is a counterexample, too
		if err == nil {
			empty, err = s.NoRun(part, property, r.shared.memoryBytes/100*productShare)
		}
		switch {
		case err != nil && part.Err() != nil:
			return turns.Again, nil
		case err == nil && empty:
			r.ledger.answerNow(q, Truth(true), reducedBy(DecisionDiagrams, shared.reduction), Witness{Ground: DiagramProduct})
		}
		return turns.Hopeless, nil
	}
	return t.Run(ctx)
}

// productShare is the part of the memory that the diagrams of a product may
// fill, in percent.
const productShare = 10
