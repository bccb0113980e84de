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
	net, counts, by := smaller(ctx, r)
	s, err := r.Diagram(ctx, net)
	r.Net.RefuteAs(net)
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

// smaller returns the net that is counted, and how: the task's own without counts, if no place can go, or
// the means for that run short.
func smaller(ctx context.Context, r *core.Task) (*petri.Net, *reduce.Counts, inquiry.Techniques) {
	reduction, err := r.ReduceNet(ctx, nil, reduce.Counting)
	if err != nil || reduction.Counts() == nil || reduction.Net.Places() == r.Net.Places() {
		return r.Net, nil, inquiry.DecisionDiagrams
	}
	return reduction.Net, reduction.Counts(), core.ReducedBy(inquiry.DecisionDiagrams, reduction)
}
