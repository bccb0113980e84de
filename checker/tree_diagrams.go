package checker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pnmc/checker/diagram"
	"pnmc/checker/internal/turns"
	"pnmc/symbolic"
)

// diagramsBranching decides CTL formulas by fixpoints over sets of markings.
func diagramsBranching(ctx context.Context, r *task) error {
	g := r.branchingNet(ctx)
	if g == nil {
		return context.Cause(ctx)
	}
	s, err := r.exploreSymbolically(ctx, g.net)
	if err != nil {
		return err
	}
	defer r.keepDiagram(s)
	t := r.questionTurns(firstDiagramSlice, 4)
	t.Try = func(part context.Context, q *question, _ time.Duration) (turns.Outcome, error) {
		translated, replay := g.replayOf(r, q.ctl)
		value, unshown, err := s.DecideAndReplay(part, translated, replay, showing(ctx, time.Now()))
		switch {
		case err == nil:
			r.ledger.answerNow(q, Truth(value), reducedBy(DecisionDiagrams, g.reduction), replayed(replay, unshown))
		case errors.Is(err, symbolic.ErrMemory):
			return turns.Again, fmt.Errorf("question %d: %w", q.number, err)
		case part.Err() == nil || !diagram.NotInTime(part, err):
			r.note("decision diagrams: question %d: not confirmed: %v", q.number, err)
			return turns.Hopeless, nil // refuted by a replay, or not decidable so
		}
		return turns.Again, nil
	}
	return t.Run(ctx)
}
