package tree

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pnmc/checker/diagram"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/turns"
	"pnmc/symbolic"
)

// Diagrams decides CTL formulas by fixpoints over sets of markings.
func Diagrams(ctx context.Context, r *core.Task) error {
	g := branchingNet(ctx, r)
	if g == nil {
		return context.Cause(ctx)
	}
	s, err := r.Diagram(ctx, g.Net)
	if err != nil {
		return err
	}
	defer r.KeepDiagram(s)
	t := r.QuestionTurns(core.FirstDiagramSlice, 4)
	t.Try = func(part context.Context, q *ledger.Question, _ time.Duration) (turns.Outcome, error) {
		translated, replay := replayOf(r, g, q.CTL)
		value, unshown, err := s.DecideAndReplay(part, translated, replay, core.Showing(ctx, time.Now()))
		switch {
		case err == nil:
			r.Ledger.AnswerNow(q, inquiry.Truth(value), core.ReducedBy(inquiry.DecisionDiagrams, g.Reduction), replayed(replay, unshown))
		case errors.Is(err, symbolic.ErrMemory):
			return turns.Again, fmt.Errorf("question %d: %w", q.Number, err)
		case part.Err() == nil || !diagram.NotInTime(part, err):
			r.Note("decision diagrams: question %d: not confirmed: %v", q.Number, err)
			return turns.Hopeless, nil // refuted by a replay, or not decidable so
		}
		return turns.Again, nil
	}
	return t.Run(ctx)
}
