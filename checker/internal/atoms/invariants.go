package atoms

import (
	"context"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/bounds"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/rephrase"
)

// Invariants decides what the place invariants of the original net settle:
// sums that one of them bounds, and goals that no marking within the bounds of
// places satisfies. (Reductions remove places, and invariants with them.)
func Invariants(ctx context.Context, r *core.Task) error {
	facts := r.FactsOf(ctx, r.Net)
	if r.Whole != nil {
		ctx = r.Whole // what is left to do is little
	}
	for _, number := range r.Ledger.OpenAtoms() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		a := r.Ledger.Atoms[number]
		if a.Maximum != nil {
			if bound, ok := bounds.OfNumber(a.Number(), facts); ok {
				r.Ledger.Limit(number, bound, inquiry.Topological)
			}
		} else if !bounds.Possible(rephrase.OverPlaces(r.Net, a.Goal), true, facts) {
			r.Ledger.Impossible(number, inquiry.Topological, inquiry.Witness{Ground: inquiry.Invariants})
		}
	}
	return nil
}
