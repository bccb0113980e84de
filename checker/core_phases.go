package checker

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/turns"
)

// engine decides what it can of a task's questions. The error says why it ended early, if
// it did.
type engine func(ctx context.Context, r *task) error

// lane is one of the three that work at the same time.
type lane uint8

// The lanes.
const (
	laneProving   lane = iota // engines that can tell that something is impossible
	laneSearching             // engines that look for witnesses
	laneDiagrams              // decision diagrams, which do both if they get there
)

// phase is an engine with its share of the time.
type phase struct {
	lane lane
	name string
	// until is the fraction of the task's time at which the phase ends at the
	// latest, 1 for no end of its own; phases of a lane follow one another.
	until  float64
	engine engine
}

// follow runs the lanes of a plan until ctx ends, all engines are at their ends, or what is
// left is given up. Then it reports whether more time could help.
func (r *task) follow(ctx context.Context, plan []phase) (cut bool) {
	var late atomic.Bool
	var lanes []func(context.Context)
	provers := 0
	for _, l := range []lane{laneProving, laneSearching, laneDiagrams} {
		phases := slices.DeleteFunc(slices.Clone(plan), func(p phase) bool { return p.lane != l })
		if len(phases) == 0 {
			continue
		}
		if l != laneSearching {
			provers++
		}
		lanes = append(lanes, func(lane context.Context) {
			if l == laneSearching {
				searching, done := r.prospects.Search(lane)
				defer done()
				r.followLane(searching, phases)
				if lane.Err() != nil {
					late.Store(true)
				}
				return
			}
			defer r.prospects.Rest()
			if r.followLane(lane, phases) {
				late.Store(true)
			}
		})
	}
	if !r.within { // else they are those of whom this is a part
		r.prospects = r.newProspects()
		defer r.prospects.Stop()
	}
	r.prospects.Add(provers)
	r.shared.turns.Run(ctx, lanes...)
	return late.Load()
}

// followLane runs phases one after the other. It reports whether some engine's time was over
// before it was at its end.
func (r *task) followLane(ctx context.Context, phases []phase) (late bool) {
	for _, p := range phases {
		if ctx.Err() != nil {
			return true
		}
		phase, cancel := ctx, context.CancelFunc(func() {})
		if p.until < 1 {
			phase, cancel = lanes.Until(ctx, r.clock.at(p.until))
		}
		r.run(phase, p)
		late = late || phase.Err() != nil
		cancel()
	}
	return late
}

// newProspects are those of the task's searches; nil if there is a deadline.
func (r *task) newProspects() *turns.Prospects {
	if !r.clock.endless {
		return nil
	}
	return turns.NewProspects(cmp.Or(r.shared.patience, defaultPatience), inquiry.ErrNotDecided)
}

// run runs one phase.
func (r *task) run(ctx context.Context, p phase) {
	r.note("begin: %s", p.name)
	defer r.noteDefect(p.name)
	if err := p.engine(ctx, r); err != nil {
		r.note("end: %s: %v", p.name, err)
		return
	}
	r.note("end: %s", p.name)
}

// defaultPatience is how long a run is looked for where there is no deadline.
const defaultPatience = 30 * time.Second
