package lanes

import "context"

// Threads that no lane uses are of use in two ways. A queue of questions takes up further ones beside
// the first (Team). And an engine may use several (Take). It asks before it begins, and gives them
// back at its end. Lanes that begin or end later change nothing for it: a plan runs its lanes from the
// beginning, and few of them end.
//
// For example, of 8 processors three lanes use one each. The engine of one of them then gets five
// threads, or eight once the two others have ended. Of 2 processors it gets one thread, and two
// when it is alone.

// laneKey is the key under which the context of a lane has its turnstile.
type laneKey struct{}

// turnstileOf returns the turnstile of the lane that ctx is of, or nil.
func turnstileOf(ctx context.Context) *Turnstile {
	t, _ := ctx.Value(laneKey{}).(*Turnstile)
	return t
}
