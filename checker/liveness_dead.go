package checker

import (
	"context"
	"errors"
	"time"

	"pnmc/checker/branching"
	"pnmc/checker/reachability"
	"pnmc/checker/witness"
	"pnmc/petri"
)

// showDead replays the run after which a transition is dead on the original net,
// and where there are not many markings beyond, looks at all of them. It reports false if
// one of them enables the transition.
func (r *task) showDead(ctx context.Context, g *graphNet, group int, run []petri.Transition) (shown Witness, ok bool) {
	shown = Witness{Ground: DeadTransition, Dead: group}
	original := g.reduction.Run(run, longestReplay)
	if original == nil {
		shown.Unshown = branching.ErrLongReplay
		return shown, true
	}
	looking, cancel := showing(ctx, time.Now())()
	defer cancel()
	confirmed, refuted := reachability.NeverAgain(looking, r.net, original, r.groups.Transitions[group], mostLookedAt)
	shown.Net, shown.Run, shown.Confirmed = r.net, witness.Bursts(original), confirmed
	return shown, !refuted
}

// mostLookedAt bounds the markings that are looked at one by one for a replay.
const mostLookedAt = 500

// errDeadNotReplayed says why no answer comes.
var errDeadNotReplayed = errors.New("a run after which a transition is dead does not replay")
