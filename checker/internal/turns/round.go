package turns

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"pnmc/checker/internal/lanes"
)

// round is a queue at work. Members of a team take what is next from one list, each under the mutex. With
// one member it is a loop over the list, and another one with longer slices, and so on.
//
// With several, a member that finds the list empty begins the next round, though others still are at
// work on things of the one before. These come to the end of the new list when they are done, unless
// they are decided. So nobody waits at the end of a round, and all slices of one thing grow step by step.
//
// Example: a, b and c are open, and two members try a and b for a second. b is decided soon, and c is
// tried. Then a's second is over. The list is empty, so that the second round begins, with a alone, and 2
// seconds for it. When c's second is over, it comes to the end of this round, and is tried for 2 seconds.
//
// Memory is that of all. What fills it alone waits in the Room until there is more. What fills it while
// others are tried beside says nothing about itself. Then fewer are tried beside each other from there
// on, half as many, and it comes again: at worst each alone, as with one thread.
type round[K comparable] struct {
	*Queue[K]
	team *lanes.Team

	mutex   sync.Mutex // guards what follows
	list    []K        // to be tried in this round
	tried   bool       // something, in this round
	number  int        // of the round
	slice   time.Duration
	givenUp map[K]bool
	working map[K]context.CancelFunc // that end tries
	begun   int                      // tries
	most    int                      // members
	err     error                    // that ends all
	defect  any                      // a panic of a member
}

// try is one that has begun.
type try[K comparable] struct {
	k      K
	slice  time.Duration
	round  int
	begun  int   // tries, with this one
	alone  bool  // when it began
	most   int   // members, then
	had    int64 // bytes of memory that were free
	ctx    context.Context
	cancel context.CancelFunc
}

// begin begins a round, with the slice as it is. It reports false if nothing is open.
func (r *round[K]) begin() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.fill()
	return len(r.list) > 0
}

// fill lists what is open, and not being tried. It is called with the mutex held, as are next, finish and narrow.
func (r *round[K]) fill() {
	r.number++
	r.tried = false
	r.list = slices.DeleteFunc(r.Open(), func(k K) bool { return r.givenUp[k] || r.working[k] != nil })
}

// work tries one thing after the other, until there is none to be tried now. It reports whether it ended because
// there are to be fewer members; the first never does.
func (r *round[K]) work(ctx context.Context, first bool) (left bool) {
	for ctx.Err() == nil {
		if !first && r.leaves() {
			return true
		}
		t := r.take(ctx)
		if t == nil {
			return false
		}
		r.addMembers()
		result, err := Hopeless, error(nil)
		func() {
			defer t.cancel()
			result, err = r.Try(t.ctx, t.k, t.slice)
		}()
		r.finish(t, result, err)
	}
	return false
}

// help is the work of a member that is not the first. A panic comes out of Run, which the
// first one is in.
func (r *round[K]) help(ctx context.Context) (left bool) {
	defer func() {
		if defect := recover(); defect != nil {
			r.mutex.Lock()
			defer r.mutex.Unlock()
			r.defect = fmt.Sprintf("%v\n%s", defect, debug.Stack())
			r.endAll()
		}
	}()
	return r.work(ctx, false)
}

// leaves reports whether a member is to end.
func (r *round[K]) leaves() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.team.Leave(r.most)
}

// addMembers adds members to the team as far as there is work, and threads are free.
func (r *round[K]) addMembers() {
	if r.team == nil {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for n := len(r.list); n > 0; n-- {
		if !r.team.Start(r.most, r.help) {
			return
		}
	}
	r.team.Content()
}

// take begins a try of what is next; nil if there is nothing now.
func (r *round[K]) take(ctx context.Context) *try[K] {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.err != nil || r.defect != nil {
		return nil
	}
	k, ok := r.next()
	if !ok {
		return nil
	}
	t := &try[K]{k: k, slice: r.slice, round: r.number, alone: len(r.working) == 0, most: r.most}
	r.begun++
	t.begun = r.begun
	r.Memory.resume()
	if r.Memory != nil {
		t.had = r.Memory.free()
	}
	share := r.slice
	if r.Share != nil {
		share = r.Share(k, r.slice)
	}
	t.ctx, t.cancel = part(ctx, share)
	r.working[k] = t.cancel
	return t
}

// next returns the next thing of this round that may be tried, or of the next one.
func (r *round[K]) next() (k K, ok bool) {
	for {
		for len(r.list) > 0 {
			k, r.list = r.list[0], r.list[1:]
			if r.IsOpen(k) && (r.Memory == nil || r.Memory.suffices(k)) {
				r.tried = true
				return k, true
			}
		}
		if !r.tried {
			return k, false
		}
		r.slice = time.Duration(min(float64(lanes.LongestSlice), float64(r.slice)*r.Growth))
		r.fill()
	}
}

// finish notes how a try ended.
func (r *round[K]) finish(t *try[K], result Outcome, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	delete(r.working, t.k)
	if err != nil {
		if r.err == nil {
			r.err = err
		}
		r.endAll()
		return
	}
	alone := t.alone && r.begun == t.begun
	if (result == Crowded || result == Full) && !alone {
		if r.most == t.most { // else the others of that time have done it
			r.most = max(1, (len(r.working)+1)/2)
		}
		result = Again
	}
	switch {
	case result == Hopeless:
		r.givenUp[t.k] = true
	case result == Crowded && r.Memory != nil:
		r.Memory.failed(t.k, t.had)
	case r.number > t.round:
		r.list = append(r.list, t.k)
	}
}

// disband ends all members but the first, which are at work only if that one had a panic.
func (r *round[K]) disband(ctx context.Context) {
	r.mutex.Lock()
	if r.err == nil {
		r.err = context.Canceled
	}
	r.endAll()
	r.mutex.Unlock()
	r.team.Wait(ctx)
	r.team.Close()
}

// endAll ends the tries of all members, with the mutex held.
func (r *round[K]) endAll() {
	for _, cancel := range r.working {
		cancel()
	}
}
