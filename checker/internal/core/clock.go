package core

import (
	"context"
	"math"
	"time"

	"pnmc/checker/internal/lanes"
)

// Clock has the moment when a task began, and how much time it has by its plan. With a horizon of 100
// seconds, a phase until 0.3 ends 30 seconds after the start. A task without a deadline shares out its
// horizon in the same way, but last phases go on. Where one lane works at a time, time is counted in
// looks at contexts instead (package lanes), so that phases end after the same work in each run.
type Clock struct {
	Start   time.Time
	Horizon time.Duration
	Endless bool // there is more time after that
	Looks   int  // that lanes had made at the start
}

// Until returns a part of ctx that ends when a fraction of the time is over.
func (c Clock) Until(ctx context.Context, fraction float64) (context.Context, context.CancelFunc) {
	return lanes.UntilAfter(ctx, c.Start, c.At(fraction).Sub(c.Start), c.Looks)
}

// At returns the moment when a fraction of the time is over.
func (c Clock) At(fraction float64) time.Time {
	return c.Start.Add(time.Duration(float64(c.Horizon) * min(fraction, math.MaxInt32)))
}

// Rest returns a clock that starts now and has the time that is left of c. Time that has passed is
// counted in looks if one lane works at a time.
func (c Clock) Rest(turns *lanes.Turnstile) Clock {
	c.Horizon -= min(c.Horizon, turns.Elapsed(c.Start, c.Looks))
	c.Start, c.Looks = time.Now(), turns.Looks()
	return c
}
