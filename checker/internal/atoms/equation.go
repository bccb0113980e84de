package atoms

import (
	"context"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/stateequation"
)

// Equation refutes goals, or bounds sums, by the state equation.
func Equation(ctx context.Context, r *core.Task) error {
	if n := r.ReducedForAll(ctx); n != nil {
		prove(ctx, r, n, 0)
	}
	return context.Cause(ctx)
}

// prove tries each open atom of n. each bounds the time for one; 0: the time is
// shared out.
func prove(ctx context.Context, r *core.Task, n *core.Reduced, each time.Duration) {
	equation := stateequation.New(n.Net)
	if equation == nil {
		return
	}
	for i, number := range n.Atoms {
		if ctx.Err() != nil {
			return
		}
		if !r.Ledger.IsOpen(number) {
			continue
		}
		slice := each
		if slice == 0 {
			deadline, _ := ctx.Deadline()
			slice = max(time.Until(deadline)/time.Duration(len(n.Atoms)-i)*2, 20*time.Millisecond)
		}
		part, cancel := lanes.Sliced(ctx, slice)
		if sum := n.Goals[i].Maximum; sum != nil {
			if bound, ok := equation.UpperBound(part, *sum); ok {
				r.Ledger.Limit(number, bound, n.By(inquiry.LinearProgram))
			}
		} else if equation.Contradicts(part, rephrase.DeadlockOverPlaces(n.Net, n.Goals[i].Predicate)) {
			r.Ledger.Impossible(number, n.By(inquiry.LinearProgram), inquiry.Witness{Ground: inquiry.Equation})
		}
		cancel()
	}
}
