package effort

import (
	"context"
	"errors"

	"pnmc/internal/account"
)

// Bound limits an operation whose price may be more than polynomial. It has a number of
// units of work, some nanoseconds each, and a context. An operation that it ends has no
// answer, and its caller takes the one that is right in any case.
//
// For example, whether a label matches all valuations is NP-hard. A caller that needs the answer to
// leave something out asks with a bound, and leaves nothing out if Err is ErrSpent. Units count
// work rather than time, so that the same input has the same answer on any machine.
type Bound struct {
	ctx  context.Context
	left int
	look int // work until the next look at ctx
	Err  error
}

// ErrSpent ends an operation that took all its work.
var ErrSpent = errors.New("too much work for this acceptance condition or these labels")

// workBetweenLooks is how much work an effort does between two looks at its context:
// less than a millisecond.
const workBetweenLooks = 1 << 16

// New returns a Bound of so many units of work that ends with ctx, too.
func New(ctx context.Context, work int) *Bound {
	return &Bound{ctx: ctx, left: work, look: workBetweenLooks}
}

// Spend counts work, and reports whether the operation may go on.
func (e *Bound) Spend(work int) bool {
	if e.Err != nil {
		return false
	}
	e.left -= work
	if e.look -= work; e.look < 0 {
		e.look = workBetweenLooks
		e.Err = account.Reason(e.ctx)
	}
	if e.Err == nil && e.left < 0 {
		e.Err = ErrSpent
	}
	return e.Err == nil
}
