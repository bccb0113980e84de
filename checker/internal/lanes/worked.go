package lanes

import (
	"context"
	"sync/atomic"
	"time"

	"pnmc/internal/account"
)

// busiest is how many times as long as on a machine of its own a slice of work may take.
const busiest = 16

// Worked returns a part of ctx for one engine that works while no other does. It ends when the engine has
// looked at it as often as it does within d, however much of the processor other programs have; but at
// the latest when busiest times d are over.
func Worked(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if c, ok := ctx.(*laneContext); ok && c.turns.threads == 1 {
		return c.slice(d)
	}
	part, stop := context.WithTimeout(ctx, busiest*d)
	within, cancel := context.WithCancelCause(part)
	w := &workContext{Context: within, cancel: cancel}
	w.left.Store(max(1, d.Milliseconds()*looksPerMillisecond))
	return w, func() {
		cancel(context.Canceled)
		stop()
	}
}

// workContext ends after some looks.
type workContext struct {
	context.Context
	cancel context.CancelCauseFunc
	left   atomic.Int64
}

// Err counts as a look.
func (c *workContext) Err() error {
	c.look()
	return c.Context.Err()
}

// Value counts as a look, as context.Cause calls it; but not what else is part of a look that was counted.
func (c *workContext) Value(key any) any {
	switch key {
	case laneKey{}, account.PaceKey{}, teamKey{}:
	default:
		c.look()
	}
	return c.Context.Value(key)
}

// look counts a look.
func (c *workContext) look() {
	if c.left.Add(-1) == 0 {
		c.cancel(context.DeadlineExceeded)
	}
}
