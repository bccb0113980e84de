package sizes

import (
	"context"
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/bounds"
	"pnmc/checker/internal/core"
)

// First bounds places and whole markings by the machines of a large net, before the plan begins: all else that
// engines begin with takes seconds there. Where the initial marking has as many tokens, that is the answer. It does
// nothing on other nets, of which the plan finds as much at once.
func First(ctx context.Context, r *core.Task) {
	if r.Sizes == nil || !r.IsLarge() || !r.Shared.Uses(inquiry.Topological) {
		return
	}
	facts := r.MachinesOf(ctx, r.Net)
	r.Sizes.LimitPlaces(ofPlaces(slices.Clone(facts.Bounds)), inquiry.Topological)
	if bound, ok := bounds.Of(allTokens(r), facts); ok {
		r.Sizes.LimitMarking(bound, inquiry.Topological)
	}
}
