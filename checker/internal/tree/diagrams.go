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
	"pnmc/petri"
	"pnmc/symbolic"
)

// Diagrams decides CTL formulas by fixpoints over sets of markings. First come the formulas
// that do not look at next steps, on a net reduced for them if that is much smaller; then
// the others.
func Diagrams(ctx context.Context, r *core.Task) error { return onNets(ctx, r, diagramsOn) }

// diagramsOn decides questions on the set of markings of a net. Once there is that set, it most often
// decides all of them, sooner or later. So the engines of other lanes give way to it, where they share
// one processor, until it has gone through all questions and answered none.
func diagramsOn(ctx context.Context, r *core.Task, g *core.Graph, questions []*ledger.Question) error {
	inVain := 0
	defer r.OthersGiveWay(false)
	var other *petri.Net
	asItIs := r.NetAsItIs(ctx, g)
	if asItIs != nil {
		other = asItIs.Net
	}
	return r.DiagramTurns(ctx, g.Net, other, questions, func(part context.Context, s *diagram.Space, q *ledger.Question) (turns.Outcome, error) {
		r.OthersGiveWay(inVain < openAmong(r, questions))
		inVain++
		g := g
		if s.Net == other {
			g = asItIs
		}
		translated, replay := replayOf(r, g, q.CTL)
		value, unshown, err := s.DecideAndReplay(part, translated, replay, core.ShowingAmong(ctx, time.Now(), openAmong(r, questions)))
		switch {
		case err == nil:
			inVain = 0
			r.Ledger.AnswerNow(q, inquiry.Truth(value), core.ReducedBy(inquiry.DecisionDiagrams, g.Reduction), replayed(replay, unshown))
		case errors.Is(err, symbolic.ErrMemory):
			return turns.Again, fmt.Errorf("question %d: %w", q.Number, err)
		case part.Err() == nil || !diagram.NotInTime(part, err):
			r.Note("decision diagrams: question %d: not confirmed: %v", q.Number, err)
			return turns.Hopeless, nil // refuted by a replay, or not decidable so
		}
		return turns.Again, nil
	})
}

// openAmong returns how many of the questions have no answer, and 1 at least.
func openAmong(r *core.Task, questions []*ledger.Question) int {
	open := 0
	for _, q := range questions {
		if !r.Ledger.IsAnswered(q) {
			open++
		}
	}
	return max(1, open)
}
