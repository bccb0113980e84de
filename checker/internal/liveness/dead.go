package liveness

import (
	"context"
	"errors"
	"time"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/reachability"
	"pnmc/checker/witness"
	"pnmc/petri"
)

// showDead replays the run after which a transition is dead on the original net,
// and where there are not many markings beyond, looks at all of them. It reports false if
// one of them enables the transition.
func showDead(ctx context.Context, r *core.Task, g *core.Graph, group int, run []petri.Transition) (shown inquiry.Witness, ok bool) {
	shown = inquiry.Witness{Ground: inquiry.DeadTransition, Dead: group}
	original := g.Reduction.Run(run, r.LongestReplay())
	if original == nil {
		shown.Unshown = branching.ErrLongReplay
		return shown, true
	}
	looking, cancel := core.Showing(ctx, time.Now())()
	defer cancel()
	confirmed, refuted := reachability.NeverAgain(looking, r.Net, original, r.Groups.Transitions[group], mostLookedAt)
	shown.Net, shown.Run, shown.Confirmed = r.Net, witness.Bursts(original), confirmed
	return shown, !refuted
}

// mostLookedAt bounds the markings that are looked at one by one for a replay.
const mostLookedAt = 500

// errDeadNotReplayed says why no answer comes.
var errDeadNotReplayed = errors.New("a run after which a transition is dead does not replay")
