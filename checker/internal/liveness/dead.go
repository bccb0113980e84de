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

// showDead shows a run after which a group of transitions is dead. It translates the run to the
// original net and asks reachability.NeverAgain, which looks at the markings beyond if there are
// few. It reports false if the run does not replay, or if one of these markings enables a
// transition of the group.
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

// mostLookedAt bounds the markings that a replay looks at one by one.
const mostLookedAt = 500

// errDeadNotReplayed says that an answer was found and not given, as its run is wrong.
var errDeadNotReplayed = errors.New("a run after which a transition is dead does not replay")
