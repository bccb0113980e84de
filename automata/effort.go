package automata

import (
	"context"
	"errors"

	"pnmc/internal/account"
)

// An effort bounds an operation whose price may be more than polynomial: by a number of
// units of work, each of which takes some nanoseconds, and by a context. An operation
// that it ends has no answer, and its caller takes the one that is right in any case.
type effort struct {
	ctx  context.Context
	left int
	look int // work until the next look at ctx
	err  error
}

// errEffort ends an operation that took all its work.
var errEffort = errors.New("too much work for this acceptance condition or these labels")

// workBetweenLooks is how much work an effort does between two looks at its context:
// less than a millisecond.
const workBetweenLooks = 1 << 16

func newEffort(ctx context.Context, work int) *effort {
	return &effort{ctx: ctx, left: work, look: workBetweenLooks}
}

// spend counts work, and reports whether the operation may go on.
func (e *effort) spend(work int) bool {
	if e.err != nil {
		return false
	}
	e.left -= work
	if e.look -= work; e.look < 0 {
		e.look = workBetweenLooks
		e.err = account.Reason(e.ctx)
	}
	if e.err == nil && e.left < 0 {
		e.err = errEffort
	}
	return e.err == nil
}
