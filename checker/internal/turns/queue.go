package turns

import (
	"context"
	"errors"
	"time"

	"pnmc/checker/internal/lanes"
)

// Queue shares out time among things to decide: each gets a slice, then each that is
// still open a longer one, and so on. So easy ones do not wait for hard ones, and hard
// ones get most of the time in the end. If slices grow by a factor g, and each try
// starts from the beginning, all tries together take g/(g-1) of the time of the last.
// It needs no deadline.
type Queue[K comparable] struct {
	First  time.Duration // slice
	Growth float64       // of slices, from round to round
	// Beside is how many things may be tried beside each other, where threads are free (lanes.Team).
	// 0 stands for 1: one after the other.
	Beside int
	// Open lists what is still to be decided, in a slice that is the queue's. IsOpen reports
	// whether one of them is.
	Open   func() []K
	IsOpen func(K) bool
	// Try decides k as far as it can until ctx ends. An error ends all. Tries of different things come
	// from several goroutines if Beside allows it; the other functions are called by one at a time.
	Try func(ctx context.Context, k K, slice time.Duration) (Outcome, error)
	// Share, unless nil, is how long k may have instead of a slice; 0: as long as there is.
	Share func(k K, slice time.Duration) time.Duration
	// Memory, unless nil, says when to try again what filled the memory.
	Memory *Room[K]
}

// Outcome is how a try ended.
type Outcome uint8

// The outcomes.
const (
	Again    Outcome = iota // if it is still open, more time may decide it
	Hopeless                // more time does not
	Crowded                 // more memory may
	Full                    // again, but the memory was full
)

// ErrNoRoom says that what is open fills the memory each time.
var ErrNoRoom = errors.New("there is not memory enough")

// Run takes turns until nothing is open, all that is open is hopeless, memory will not do, or
// ctx ends, which is then the error.
func (t *Queue[K]) Run(ctx context.Context) error {
	defer t.Memory.resume()
	r := &round[K]{Queue: t, slice: t.First, most: max(1, t.Beside), givenUp: make(map[K]bool), working: make(map[K]context.CancelFunc)}
	if r.most > 1 {
		r.team, ctx = lanes.NewTeam(ctx)
		defer r.disband(ctx)
	}
	for ctx.Err() == nil {
		before := r.begun
		if !r.begin() {
			return nil
		}
		r.work(ctx, true)
		r.team.Wait(ctx)
		switch {
		case r.defect != nil:
			panic(r.defect)
		case r.err != nil:
			return r.err
		case r.begun == before && ctx.Err() == nil && !t.Memory.wait(ctx):
			return ErrNoRoom
		}
	}
	return context.Cause(ctx)
}

// part returns the context of one try, in a slice or what it may have instead.
func part(ctx context.Context, slice time.Duration) (context.Context, context.CancelFunc) {
	if slice == 0 {
		return ctx, func() {}
	}
	return lanes.Sliced(ctx, slice)
}
