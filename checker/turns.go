package checker

import (
	"context"
	"errors"
	"slices"
	"time"

	"pnmc/checker/internal/lanes"
)

// turns shares out time among things to decide: each gets a slice, then each that is
// still open a longer one, and so on. So what is easy is not kept waiting by what is
// hard, and what is hard gets most of the time in the end: with slices that grow by a
// factor g, tries that start from the beginning take g/(g-1) of the time of the last.
// It needs no deadline.
type turns[K comparable] struct {
	first  time.Duration // slice
	growth float64       // of slices, from round to round
	// open lists what is to be decided still, isOpen tells of one.
	open   func() []K
	isOpen func(K) bool
	// try decides k as far as it can until ctx ends. An error ends all.
	try func(ctx context.Context, k K, slice time.Duration) (outcome, error)
	// share, unless nil, is how long k may have instead of a slice; 0: as long as there is.
	share func(k K, slice time.Duration) time.Duration
	// memory, unless nil, tells when what filled the memory may be tried again.
	memory *room[K]
}

// outcome is how a try ended.
type outcome uint8

const (
	again    outcome = iota // if it is still open, more time may decide it
	hopeless                // more time does not
	crowded                 // more memory may
)

// errNoRoom tells that what is open fills the memory each time.
var errNoRoom = errors.New("there is not memory enough")

// run takes turns until nothing is open, all that is open is hopeless, memory will not do, or
// ctx ends, which is then the error.
func (t *turns[K]) run(ctx context.Context) error {
	givenUp := make(map[K]bool)
	defer t.memory.resume()
	for slice := t.first; ctx.Err() == nil; {
		open := slices.DeleteFunc(t.open(), func(k K) bool { return givenUp[k] })
		if len(open) == 0 {
			return nil
		}
		tried := false
		for _, k := range open {
			if ctx.Err() != nil {
				break
			}
			if !t.isOpen(k) || t.memory != nil && !t.memory.suffices(k) {
				continue
			}
			tried = true
			t.memory.resume()
			had := int64(0)
			if t.memory != nil {
				had = t.memory.free()
			}
			part, cancel := t.part(ctx, k, slice)
			result, err := t.try(part, k, slice)
			cancel()
			switch {
			case err != nil:
				return err
			case result == hopeless:
				givenUp[k] = true
			case result == crowded && t.memory != nil:
				t.memory.failed(k, had)
			}
		}
		if tried {
			slice = time.Duration(min(float64(lanes.LongestSlice), float64(slice)*t.growth))
		} else if !t.memory.wait(ctx) {
			return errNoRoom
		}
	}
	return context.Cause(ctx)
}

// part is the context of one try.
func (t *turns[K]) part(ctx context.Context, k K, slice time.Duration) (context.Context, context.CancelFunc) {
	if t.share == nil {
		return lanes.Sliced(ctx, slice)
	}
	if slice = t.share(k, slice); slice == 0 {
		return ctx, func() {}
	}
	return lanes.Sliced(ctx, slice)
}
