package core

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/turns"
	"pnmc/internal/account"
)

// Engine decides what it can of a task's questions. The error says why it ended early, if
// it did.
type Engine func(ctx context.Context, r *Task) error

// Lane is one of the four that work at the same time.
type Lane uint8

// The lanes.
const (
	Proving   Lane = iota // engines that can tell that something is impossible
	Searching             // engines that look for witnesses
	Diagrams              // decision diagrams, which do both if they get there
	Solving               // engines that ask another program, and mostly wait for it
)

// Phase is an engine with its share of the time.
type Phase struct {
	Lane Lane
	Name string
	// Until is the fraction of the task's time at which the phase ends at the latest; 1
	// means no end of its own. Phases of a lane follow one another.
	Until float64
	// Needs has the techniques without which the phase is of no use: it is left out where one of
	// them is not to be used.
	Needs  inquiry.Techniques
	Engine Engine
	// OnDisk: the phase is left out where there is no folder for markings.
	OnDisk bool
}

// Follow runs the lanes of a plan side by side, and in each lane its phases one after the other. It
// returns when ctx ends, when all engines have ended, or when what is left is given up, and reports
// whether more time could help: whether some engine was cut off.
func (r *Task) Follow(ctx context.Context, plan []Phase) (cut bool) {
	if r.pace = nil; r.Shared.crowd {
		r.pace = new(account.Pace)
	}
	var late atomic.Bool
	var lanes []func(context.Context)
	provers := 0
	for _, l := range []Lane{Proving, Searching, Diagrams, Solving} {
		phases := slices.DeleteFunc(slices.Clone(plan), func(p Phase) bool { return p.Lane != l || !r.Shared.Uses(p.Needs) || p.OnDisk && r.Shared.Disk == nil })
		if len(phases) == 0 {
			continue
		}
		if l != Searching {
			provers++
		}
		lanes = append(lanes, func(lane context.Context) {
			if r.pace != nil && l != Diagrams {
				lane = account.WithPace(lane, r.pace)
			}
			if l == Searching {
				searching, done := r.Prospects.Search(lane)
				defer done()
				r.followLane(searching, phases)
				if lane.Err() != nil {
					late.Store(true)
				}
				return
			}
			defer r.Prospects.Rest()
			if r.followLane(lane, phases) {
				late.Store(true)
			}
		})
	}
	if !r.Within { // else they are those of whom this is a part
		r.Prospects = r.NewProspects()
		defer r.Prospects.Stop()
	}
	r.Prospects.Add(provers)
	r.Shared.Turns.Run(ctx, lanes...)
	return late.Load()
}

// OthersGiveWay says whether the lanes beside that of decision diagrams are to work slowly, where all
// of them share one processor.
func (r *Task) OthersGiveWay(slowly bool) {
	if r.pace != nil {
		r.pace.GiveWay(slowly)
	}
}

// ShareOutRest has plans share out what is left of the time. Others may copy the task's clock
// meanwhile, which stays.
func (r *Task) ShareOutRest() { r.rest = r.Clock.Rest(r.Shared.Turns) }

// Until returns a part of ctx that ends when a fraction of the task's time is over.
func (r *Task) Until(ctx context.Context, fraction float64) (context.Context, context.CancelFunc) {
	return cmp.Or(r.rest, r.Clock).Until(ctx, fraction)
}

// ShareOf returns a fraction of the task's time, but no more than longest.
func (r *Task) ShareOf(fraction float64, longest time.Duration) time.Duration {
	return min(longest, time.Duration(fraction*float64(cmp.Or(r.rest, r.Clock).Horizon)))
}

// followLane runs phases one after the other. It reports whether some engine's time was over
// before it was at its end.
func (r *Task) followLane(ctx context.Context, phases []Phase) (late bool) {
	for _, p := range phases {
		if ctx.Err() != nil {
			return true
		}
		phase, cancel := ctx, context.CancelFunc(func() {})
		if p.Until < 1 {
			phase, cancel = r.Until(ctx, p.Until)
		}
		r.run(phase, p)
		late = late || phase.Err() != nil
		cancel()
	}
	return late
}

// NewProspects returns the prospects of the task's searches. It returns nil if there is a deadline,
// which ends them.
func (r *Task) NewProspects() *turns.Prospects {
	if !r.Clock.Endless {
		return nil
	}
	return turns.NewProspects(cmp.Or(r.Shared.Patience, DefaultPatience), inquiry.ErrNotDecided)
}

// run runs one phase.
func (r *Task) run(ctx context.Context, p Phase) {
	r.Note("begin: %s", p.Name)
	defer r.NoteDefect(p.Name)
	var err error
	within, release := r.Shared.Within(ctx)
	defer func() { release(err) }()
	if err = p.Engine(within, r); err != nil {
		r.Note("end: %s: %v", p.Name, err)
		return
	}
	r.Note("end: %s", p.Name)
}

// DefaultPatience is how long searches go on after all who could prove something have ended, if
// there is no deadline.
const DefaultPatience = 30 * time.Second
