package order

import (
	"context"

	"pnmc/internal/account"
)

// A work bounds the search for one order: by the variables and members of edges that it looks at,
// and by a context with the memory that it carries. A heuristic that it ends says nothing: others
// do, at least the declared order.
type work struct {
	ctx  context.Context
	left int
	look int // work until the next look at the context and the memory
}

const (
	// mostWork is some tenths of a second.
	mostWork = 1 << 27
	// workBetweenLooks is less than a millisecond.
	workBetweenLooks = 1 << 18
)

func newWork(ctx context.Context) *work { return &work{ctx: ctx, left: mostWork} }

// spend counts work, and reports whether the search may go on. Without a work any
// search may.
func (w *work) spend(work int) bool {
	if w == nil {
		return true
	}
	w.left -= work
	if w.look -= work; w.look < 0 {
		w.look = workBetweenLooks
		if account.Reason(w.ctx) != nil {
			w.left = -1
		}
	}
	return w.left >= 0
}
