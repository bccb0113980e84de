package lanes

import (
	"context"
	"runtime"
)

// An engine may use several threads where fewer lanes are at work than there are threads. It asks
// once, before it begins. Lanes that begin or end later change nothing for it: a plan runs its lanes
// from the beginning, and few of them end.
//
// For example, of 8 processors three lanes use one each. The engine of one of them then gets six
// threads, and eight once the two others have ended. Of 2 processors it gets one thread, and two
// when it is alone.

// laneKey is the key under which the context of a lane has its turnstile.
type laneKey struct{}

// turnstileOf returns the turnstile of the lane that ctx is of, or nil.
func turnstileOf(ctx context.Context) *Turnstile {
	t, _ := ctx.Value(laneKey{}).(*Turnstile)
	return t
}

// Threads returns how many threads the lane of ctx may use, itself among them: those that the
// lanes beside it leave of all that there are. These are the turns, or without a bound the
// processors. It is 1 at least, and where ctx is of no lane.
func Threads(ctx context.Context) int {
	t := turnstileOf(ctx)
	if t == nil {
		return 1
	}
	all := t.threads
	if all == 0 {
		all = runtime.GOMAXPROCS(0)
	}
	return max(1, all+1-int(t.busy.Load()))
}
