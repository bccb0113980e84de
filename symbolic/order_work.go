package symbolic

import "context"

// An orderWork bounds the search for one order: by the variables and members of edges that
// it looks at, and by a context. A heuristic that it ends says nothing: others do, at least
// the declared order.
type orderWork struct {
	ctx  context.Context
	left int
	look int // work until the next look at the context
}

const (
	// mostOrderWork is some tenths of a second.
	mostOrderWork = 1 << 27
	// orderWorkBetweenLooks is less than a millisecond.
	orderWorkBetweenLooks = 1 << 18
)

func newOrderWork(ctx context.Context) *orderWork { return &orderWork{ctx: ctx, left: mostOrderWork} }

// spend counts work, and reports whether the search may go on. Without an orderWork any
// search may.
func (w *orderWork) spend(work int) bool {
	if w == nil {
		return true
	}
	w.left -= work
	if w.look -= work; w.look < 0 {
		w.look = orderWorkBetweenLooks
		if w.ctx.Err() != nil {
			w.left = -1
		}
	}
	return w.left >= 0
}
