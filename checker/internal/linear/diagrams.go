package linear

import (
	"context"

	"pnmc/checker/diagram"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/turns"
	"pnmc/petri/reduce"
)

// Diagrams proves formulas of LTL by products of the set of reachable
// markings with automata. It has no counterexample to show where there is one,
// and leaves that to others.
func Diagrams(ctx context.Context, r *core.Task) error {
	shared, open := new(attempt), r.Ledger.OpenQuestions()
	shared.reduce(ctx, r, open, reduce.Branching)
	if shared.reduction == nil {
		return context.Cause(ctx)
	}
	return r.DiagramTurns(ctx, shared.net, nil, open, func(part context.Context, s *diagram.Space, q *ledger.Question) (turns.Outcome, error) {
		property, err := propertyOf(part, r, q.LTL, shared.reduction)
		empty := false // where there is a counterexample, too
		if err == nil {
			empty, err = s.NoRun(part, property, r.MemoryShare(productShare))
		}
		switch {
		case err != nil && part.Err() != nil:
			return turns.Again, nil
		case err == nil && empty:
			r.Ledger.AnswerNow(q, inquiry.Truth(true), core.ReducedBy(inquiry.DecisionDiagrams, shared.reduction), inquiry.Witness{Ground: inquiry.DiagramProduct})
		}
		return turns.Hopeless, nil
	})
}

// productShare is the part of the memory that the diagrams of a product may
// fill, in percent.
const productShare = 10
