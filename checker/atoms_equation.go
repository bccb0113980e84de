package checker

import (
	"context"
	"time"

	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/stateequation"
)

// proveAll refutes goals, or bounds sums, by the state equation.
func proveAll(ctx context.Context, r *task) error {
	if n := r.reducedForAll(ctx); n != nil {
		r.prove(ctx, n, 0)
	}
	return context.Cause(ctx)
}

// prove tries each open atom of n. each bounds the time for one; 0: the time is
// shared out.
func (r *task) prove(ctx context.Context, n *reducedNet, each time.Duration) {
	equation := stateequation.New(n.net)
	if equation == nil {
		return
	}
	for i, number := range n.atoms {
		if ctx.Err() != nil {
			return
		}
		if !r.ledger.isOpen(number) {
			continue
		}
		slice := each
		if slice == 0 {
			deadline, _ := ctx.Deadline()
			slice = max(time.Until(deadline)/time.Duration(len(n.atoms)-i)*2, 20*time.Millisecond)
		}
		part, cancel := lanes.Sliced(ctx, slice)
		if sum := n.goals[i].Maximum; sum != nil {
			if bound, ok := equation.UpperBound(part, *sum); ok {
				r.ledger.limit(number, bound, n.by(LinearProgram))
			}
		} else if equation.Contradicts(part, rephrase.DeadlockOverPlaces(n.net, n.goals[i].Predicate)) {
			r.ledger.impossible(number, n.by(LinearProgram), Witness{Ground: Equation})
		}
		cancel()
	}
}
