package sizes

import (
	"context"
	"math/big"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/petri"
)

// Diagrams counts with decision diagrams.
func Diagrams(ctx context.Context, r *core.Task) error {
	s, err := r.Diagram(ctx, r.Net)
	if err != nil {
		return err
	}
	defer r.KeepDiagram(s)
	defer s.Forest.Within(ctx)()
	space := s.StateSpace()
	shown := inquiry.Witness{Ground: inquiry.DiagramMarkings, Count: int64(space.Nodes)}
	give := func(size inquiry.Size, value *big.Int) {
		r.Sizes.Give(size, inquiry.LargeNumber(value), inquiry.DecisionDiagrams, shown)
	}
	states, err := space.StatesWithin(ctx)
	if err != nil {
		return err
	}
	give(inquiry.Markings, states)
	most, counted := uint32(0), make([]int64, r.Net.Places())
	for p, bound := range space.PlaceBounds() {
		if r.Sizes.Counts(petri.Place(p)) {
			most, counted[p] = max(most, bound), 1
		}
	}
	give(inquiry.TokensInPlace, big.NewInt(int64(most)))
	if v, err := space.LargestSum(counted); err == nil {
		give(inquiry.TokensPerMarking, v)
	}
	firings, err := space.Firings(ctx)
	if err == nil {
		give(inquiry.Firings, firings)
	}
	return err
}
