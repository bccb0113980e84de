package core

import (
	"math"
	"time"
)

// Clock tells when a task began, and how much time it has by its plan.
type Clock struct {
	Start   time.Time
	Horizon time.Duration
	Endless bool // there is more time after that
}

// At is when a fraction of the time is over.
func (c Clock) At(fraction float64) time.Time {
	return c.Start.Add(time.Duration(float64(c.Horizon) * min(fraction, math.MaxInt32)))
}
