package linear

import (
	"context"
	"time"

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
	shared := new(attempt)
	shared.reduce(ctx, r, r.Ledger.OpenQuestions(), reduce.Branching)
	if shared.reduction == nil {
		return context.Cause(ctx)
	}
	s, err := r.Diagram(ctx, shared.net)
	if err != nil {
		return err
	}
	defer r.KeepDiagram(s)
	t := r.QuestionTurns(core.FirstDiagramSlice, 4)
	t.Try = func(part context.Context, q *ledger.Question, _ time.Duration) (turns.Outcome, error) {
		property, err := propertyOf(part, r, q.LTL, shared.reduction)
		empty := false // where there is a counterexample, too
		if err == nil {
			empty, err = s.NoRun(part, property, r.Shared.MemoryBytes/100*productShare)
		}
		switch {
		case err != nil && part.Err() != nil:
			return turns.Again, nil
		case err == nil && empty:
			r.Ledger.AnswerNow(q, inquiry.Truth(true), core.ReducedBy(inquiry.DecisionDiagrams, shared.reduction), inquiry.Witness{Ground: inquiry.DiagramProduct})
		}
		return turns.Hopeless, nil
	}
	return t.Run(ctx)
}

// productShare is the part of the memory that the diagrams of a product may
// fill, in percent.
const productShare = 10
