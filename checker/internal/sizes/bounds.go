package sizes

import (
	"context"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/bounds"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/stateequation"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// Bounds proves bounds of the places and of the whole marking, by place
// invariants and then by the state equation.
func Bounds(ctx context.Context, r *core.Task) error {
	var semiflows []petri.Semiflow
	if r.Shared.Uses(inquiry.Topological) {
		semiflows = append(bounds.Units(r.Net), r.FactsForMarkings(ctx, core.FactsWork/4).Semiflows...)
	}
	bounds := ofPlaces(invariant.Bounds(r.Net, semiflows))
	if r.Shared.Uses(inquiry.Topological) {
		r.Sizes.LimitPlaces(bounds, inquiry.Topological)
	}
	if !r.Shared.Uses(inquiry.LinearProgram) {
		return nil
	}
	equation := stateequation.New(ctx, r.Net)
	if equation == nil {
		return nil
	}
	places, marking := r.Sizes.Above()
	if marking {
		part, cancel := lanes.Half(ctx)
		if bound, ok := equation.UpperBound(part, allTokens(r)); ok {
			r.Sizes.LimitMarking(bound, inquiry.LinearProgram)
		}
		cancel()
	}
	for _, p := range places {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		sum := logic.Sum{Terms: []logic.Term{{Place: uint32(p), Coefficient: 1}}}
		bound, ok := equation.UpperBound(ctx, sum)
		if !ok {
			return nil // one place without a bound leaves all of them without one
		}
		bounds[p] = min(bounds[p], bound)
	}
	r.Sizes.LimitPlaces(bounds, inquiry.LinearProgram)
	return nil
}

// ofPlaces makes the bounds of facts those of sizes.
func ofPlaces(bounds []int64) []int64 {
	for p, b := range bounds {
		if b == petri.Unbounded {
			bounds[p] = ledger.Unbounded
		}
	}
	return bounds
}

// allTokens returns the number of tokens in a marking, of those that count.
func allTokens(r *core.Task) logic.Sum {
	var all logic.Sum
	for p := range petri.Place(r.Net.Places()) {
		if r.Sizes.Counts(p) {
			all.Terms = append(all.Terms, logic.Term{Place: uint32(p), Coefficient: 1})
		}
	}
	return all
}
