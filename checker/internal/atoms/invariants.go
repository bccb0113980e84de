package atoms

import (
	"context"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/bounds"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/account"
	"pnmc/petri"
)

// Invariants decides what the place invariants of the original net settle:
// sums that they bound, and goals that no marking within the bounds of
// places satisfies. (Reductions remove places, and invariants with them.) It begins with those that
// are soon found.
func Invariants(ctx context.Context, r *core.Task) error {
	if machines := r.MachinesOf(ctx, r.Net); len(machines.Semiflows) > 0 {
		if err := settle(ctx, r, machines); err != nil || len(r.Ledger.OpenAtoms()) == 0 {
			return err
		}
	}
	return settle(ctx, r, r.FactsOf(ctx, r.Net))
}

// settle decides what the facts settle.
func settle(ctx context.Context, r *core.Task, facts petri.Facts) error {
	if r.Whole != nil {
		whole, release := r.Shared.Within(r.Whole) // what is left to do is little
		defer func() { release(context.Cause(whole)) }()
		ctx = whole
	}
	work := account.Of(ctx)
	for _, number := range r.Ledger.OpenAtoms() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		a := r.Ledger.Atoms[number]
		if a.Maximum != nil {
			if bound, ok := bounds.OfNumber(a.Number(), facts); ok {
				r.Ledger.Limit(number, bound, inquiry.Topological)
			}
		} else if !bounds.Possible(work, rephrase.OverPlaces(r.Net, a.Goal), true, facts) {
			r.Ledger.Impossible(number, inquiry.Topological, inquiry.Witness{Ground: inquiry.Invariants})
		}
	}
	return nil
}
