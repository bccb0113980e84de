package checker

import (
	"context"

	"pnmc/checker/internal/lanes"
	"pnmc/checker/stateequation"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// boundTokens proves bounds of the places and of the whole marking, by place
// invariants and then by the state equation.
func boundTokens(ctx context.Context, r *task) error {
	within, stop := account.Within(ctx, r.budget)
	defer stop(nil)
	semiflows := append(unitInvariants(r.net), invariant.Prove(within, r.net, factsWork/4).Semiflows...)
	bounds := invariant.Bounds(r.net, semiflows)
	for p, b := range bounds {
		if b == petri.Unbounded {
			bounds[p] = unbounded
		}
	}
	r.tokens.limitPlaces(bounds, Topological)
	equation := stateequation.New(r.net)
	if equation == nil {
		return nil
	}
	places, marking := r.tokens.above()
	if marking {
		part, cancel := lanes.Half(ctx)
		if bound, ok := equation.UpperBound(part, allTokens(r.net)); ok {
			r.tokens.limitMarking(bound, LinearProgram)
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
	r.tokens.limitPlaces(bounds, LinearProgram)
	return nil
}

// allTokens is the number of tokens in a marking.
func allTokens(net *petri.Net) logic.Sum {
	var all logic.Sum
	for p := range uint32(net.Places()) {
		all.Terms = append(all.Terms, logic.Term{Place: p, Coefficient: 1})
	}
	return all
}
