package checker

import (
	"context"

	"pnmc/checker/internal/rephrase"
)

// proveByInvariants decides what the place invariants of the original net settle:
// sums that one of them bounds, and goals that no marking within the bounds of
// places satisfies. (Reductions remove places, and invariants with them.)
func proveByInvariants(ctx context.Context, r *task) error {
	facts := r.factsOf(ctx, r.net)
	if r.whole != nil {
		ctx = r.whole // what is left to do is little
	}
	for _, number := range r.ledger.openAtoms() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		a := r.ledger.atoms[number]
		if a.maximum != nil {
			if bound, ok := boundOf(*a.maximum, facts); ok {
				r.ledger.limit(number, bound, Topological)
			}
		} else if !possibleWithin(rephrase.OverPlaces(r.net, a.goal), true, facts) {
			r.ledger.impossible(number, Topological, Witness{Ground: Invariants})
		}
	}
	return nil
}
