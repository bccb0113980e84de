package checker

import (
	"context"
	"time"

	"pnmc/checker/internal/turns"
	"pnmc/checker/reachability"
	"pnmc/checker/witness"
	"pnmc/internal/account"
)

// livenessWalk is one of the kinds of walks that may show that a net is not live. They take
// turns.
type livenessWalk uint8

const (
	toDeadEnds livenessWalk = iota // beyond which some transition is dead
	toGoals                        // a deadlock, and transitions that fire, which need no proof then
)

// walkForLiveness walks until a run shows that the net is not live. It needs no bound of the
// net's places.
func walkForLiveness(ctx context.Context, r *task) error {
	n := r.reducedForAll(ctx)
	if n == nil {
		return context.Cause(ctx)
	}
	goals := r.walkOn(n, r.shared.seed)
	deadEnds := reachability.NewDeadEnds(r.net, r.groups.Transitions, r.shared.seed)
	defer func() { r.note("walked %d steps to dead ends, %d to deadlocks", deadEnds.Steps, goals.Steps) }()
	unshown := error(nil)
	t := &turns.Queue[livenessWalk]{First: 50 * time.Millisecond, Growth: 1.5}
	t.IsOpen = func(livenessWalk) bool { return len(r.ledger.openQuestions()) > 0 }
	t.Open = func() []livenessWalk { return []livenessWalk{toDeadEnds, toGoals} }
	t.Try = func(part context.Context, kind livenessWalk, _ time.Duration) (turns.Outcome, error) {
		switch kind {
		case toDeadEnds:
			var work account.Account
			work.Begin(part)
			run, group, err := deadEnds.Search(&work)
			if err != nil {
				return turns.Again, nil
			}
			looking, cancel := showing(ctx, time.Now())()
			defer cancel()
			confirmed, refuted := reachability.NeverAgain(looking, r.net, run, r.groups.Transitions[group], mostLookedAt)
			if refuted {
				unshown = errDeadNotReplayed
				return turns.Hopeless, nil
			}
			shown := Witness{Ground: DeadTransition, Dead: group, Net: r.net, Run: witness.Bursts(run), Confirmed: confirmed}
			r.ledger.answerAll(Truth(false), RandomWalk|Topological, shown)
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
