package sizes

import (
	"context"
	"math/big"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// Diagrams counts with decision diagrams, of a smaller net if there is one that keeps counts.
func Diagrams(ctx context.Context, r *core.Task) error {
	reduction, err := r.ReduceNet(ctx, nil, reduce.Counting)
	if err != nil {
		return err
	}
	net, counts, by := reduction.Net, reduction.Counts(), core.ReducedBy(inquiry.DecisionDiagrams, reduction)
	if counts == nil || net.Places() == r.Net.Places() {
		net, counts, by = r.Net, nil, inquiry.DecisionDiagrams
	}
	s, err := r.Diagram(ctx, net)
	if err != nil {
		return err
	}
	defer r.KeepDiagram(s)
	defer s.Forest.Within(ctx)()
	space := s.StateSpace()
	shown := inquiry.Witness{Ground: inquiry.DiagramMarkings, Count: int64(space.Nodes)}
	give := func(size inquiry.Size, value *big.Int) {
		r.Sizes.Give(size, inquiry.LargeNumber(value), by, shown)
	}
	if counts != nil {
		return (&counter{Task: r, space: space, counts: counts, give: give}).run(ctx)
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
