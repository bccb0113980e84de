package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/walk"
)

// First runs are a few short ones, before formulas are simplified: on a net with many arcs that takes
// seconds, and most formulas that are violated are so by nearly every run.
const (
	firstRuns    = 20
	firstRunsFor = 200 * time.Millisecond
	// manyArcs is how many arcs a net has where it is of use.
	manyArcs = 50_000
)

// FirstRuns makes a few random runs if the net is large, and answers the questions that one of them
// violates. Only these are put on the ledger.
func FirstRuns(ctx context.Context, r *core.Task, questions []*ledger.Question) error {
	if r.Net.Arcs() < manyArcs || !r.Shared.Uses(inquiry.RandomWalk) || len(questions) == 0 {
		return nil
	}
	return firstRunsOf(ctx, r, questions)
}

// firstRunsOf is FirstRuns on a net of any size.
func firstRunsOf(ctx context.Context, r *core.Task, questions []*ledger.Question) error {
	part, cancel := lanes.Sliced(ctx, firstRunsFor)
	defer cancel()
	rng := rand.New(rand.NewPCG(r.Shared.Seed, 11))
	w, err := walk.NewRandomRun(ctx, r.Net, rng)
	if err != nil {
		return err
	}
	work := r.Shared.Passing(part)
	for range firstRuns {
		met := turningRun(work, w, min(shortestRun, mostMarkings(r)), rng.IntN(3), math.MaxInt, 0)
		for _, q := range questions {
			if r.Ledger.IsAnswered(q) || part.Err() != nil {
				continue
			}
			judged, violated, err := met.Violates(work, r.Net, q.LTL)
			if err != nil {
				return err
			}
			if !violated {
				continue
			}
			shown, err := judged.Shorter(work, r.Net, q.LTL).Replay(work, r.Net, q.LTL)
			if err != nil {
				return err
			}
			r.Ledger.Ask(q)
			r.Ledger.AnswerNow(q, inquiry.Truth(false), inquiry.RandomWalk, shown)
		}
	}
	return nil
}
