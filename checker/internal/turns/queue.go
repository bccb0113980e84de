package turns

import (
	"context"
	"errors"
	"slices"
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
	// Open lists what is still to be decided, in a slice that is the queue's. IsOpen reports
	// whether one of them is.
	Open   func() []K
	IsOpen func(K) bool
	// Try decides k as far as it can until ctx ends. An error ends all.
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
)

// ErrNoRoom says that what is open fills the memory each time.
var ErrNoRoom = errors.New("there is not memory enough")

// Run takes turns until nothing is open, all that is open is hopeless, memory will not do, or
// ctx ends, which is then the error.
func (t *Queue[K]) Run(ctx context.Context) error {
	givenUp := make(map[K]bool)
	defer t.Memory.resume()
	for slice := t.First; ctx.Err() == nil; {
		open := slices.DeleteFunc(t.Open(), func(k K) bool { return givenUp[k] })
		if len(open) == 0 {
			return nil
		}
		tried := false
		for _, k := range open {
			if ctx.Err() != nil {
				break
			}
			if !t.IsOpen(k) || t.Memory != nil && !t.Memory.suffices(k) {
				continue
			}
			tried = true
			t.Memory.resume()
			had := int64(0)
			if t.Memory != nil {
				had = t.Memory.free()
			}
			part, cancel := t.part(ctx, k, slice)
			result, err := t.Try(part, k, slice)
			cancel()
			switch {
			case err != nil:
				return err
			case result == Hopeless:
				givenUp[k] = true
			case result == Crowded && t.Memory != nil:
				t.Memory.failed(k, had)
			}
		}
		if tried {
			slice = time.Duration(min(float64(lanes.LongestSlice), float64(slice)*t.Growth))
		} else if !t.Memory.wait(ctx) {
			return ErrNoRoom
		}
	}
	return context.Cause(ctx)
}

// part returns the context of one try.
func (t *Queue[K]) part(ctx context.Context, k K, slice time.Duration) (context.Context, context.CancelFunc) {
	if t.Share == nil {
		return lanes.Sliced(ctx, slice)
	}
	if slice = t.Share(k, slice); slice == 0 {
		return ctx, func() {}
	}
	return lanes.Sliced(ctx, slice)
}
