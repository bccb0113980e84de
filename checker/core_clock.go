package checker

import (
	"math"
	"time"
)

// clock tells when a task began, and how much time it has by its plan.
type clock struct {
	start   time.Time
	horizon time.Duration
	endless bool // there is more time after that
}

// newClock has all the time until deadline.
func newClock(deadline time.Time) clock {
	now := time.Now()
	return clock{start: now, horizon: deadline.Sub(now)}
}

// at is when a fraction of the time is over.
func (c clock) at(fraction float64) time.Time {
	return c.start.Add(time.Duration(float64(c.horizon) * min(fraction, math.MaxInt32)))
}
