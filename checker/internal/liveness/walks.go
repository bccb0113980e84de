package liveness

import (
	"context"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/atoms"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/turns"
	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
)

// walkKind is one of the two kinds of walks that may show that a net is not live. They take turns.
type walkKind uint8

const (
	toDeadEnds walkKind = iota // beyond which some transition is dead
	toGoals                    // a deadlock, and transitions that fire, which need no proof then
)

// Walks walks until a run shows that the net is not live. It never shows that a net is live. It
// needs no bounds of places, so that it works for unbounded nets too.
func Walks(ctx context.Context, r *core.Task) error {
	atoms.WalkAsItIs(ctx, r)
	n := r.ReducedForAll(ctx)
	if n == nil {
		return context.Cause(ctx)
	}
	goals, err := atoms.NewWalk(ctx, r, n, r.Shared.Seed)
	if err != nil {
		return err
	}
	deadEnds, err := walk.NewDeadEnds(ctx, r.Net, r.Groups.Transitions, r.Shared.Seed)
	if err != nil {
		return err
	}
	defer func() { r.Note("walked %d steps to dead ends, %d to deadlocks", deadEnds.Steps, goals.Steps) }()
	unshown := error(nil)
	t := &turns.Queue[walkKind]{First: 50 * time.Millisecond, Growth: 1.5}
	t.IsOpen = func(walkKind) bool { return len(r.Ledger.OpenQuestions()) > 0 }
	t.Open = func() []walkKind {
		if !r.Shared.Uses(inquiry.Topological) {
			return []walkKind{toGoals}
		}
		return []walkKind{toDeadEnds, toGoals}
	}
	t.Try = func(part context.Context, kind walkKind, _ time.Duration) (turns.Outcome, error) {
		switch kind {
		case toDeadEnds:
			run, group, err := deadEnds.Search(r.Shared.Passing(part))
			if err != nil {
				return turns.Again, nil
			}
			looking, cancel := core.Showing(ctx, time.Now())()
			defer cancel()
			confirmed, refuted := reachability.NeverAgain(looking, r.Net, run, r.Groups.Transitions[group], mostLookedAt)
			if refuted {
				unshown = errDeadNotReplayed
				return turns.Hopeless, nil
			}
			shown := inquiry.Witness{Ground: inquiry.DeadTransition, Dead: group, Net: r.Net, Run: witness.Bursts(run), Confirmed: confirmed}
			r.Ledger.AnswerAll(inquiry.Truth(false), inquiry.RandomWalk|inquiry.Topological, shown)
		case toGoals:
			if goals.Run(part); goals.Open() == 0 {
				return turns.Hopeless, nil
			}
		}
		return turns.Again, nil
	}
	if err := t.Run(ctx); err != nil {
		return err
	}
	return unshown
}
