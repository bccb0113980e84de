package invariant

import (
	"context"

	"pnmc/petri"
)

// Prove collects the facts that follow from the structure of the net, touching
// about work entries, as Semiflows does.
func Prove(ctx context.Context, net *petri.Net, work int) petri.Facts {
	flows := Semiflows(ctx, net, work)
	return petri.Facts{Bounds: Bounds(net, flows), Semiflows: flows}
}

// Bounds returns for each place the least bound that follows from one semiflow, from its capacity,
// or because no transition adds to it. It returns petri.Unbounded for a place without such a
// bound. From 2p + q = 7 follow p ≤ 3 and q ≤ 7. (Effect is the most that a firing adds, with
// reset arcs too.)
func Bounds(net *petri.Net, flows []petri.Semiflow) []int64 {
	bounds := make([]int64, net.Places())
	grows := make([]bool, net.Places())
	for t := range petri.Transition(net.Transitions()) {
		for _, d := range net.Effect(t) {
			grows[d.Place] = grows[d.Place] || d.Weight > 0
		}
	}
	for p := range bounds {
		bounds[p] = petri.Unbounded
		if !grows[p] {
			bounds[p] = net.InitialTokens(petri.Place(p))
		} else if capacity := net.Capacity(petri.Place(p)); capacity != petri.Unbounded {
			bounds[p] = capacity
		}
	}
	for _, f := range flows {
		for _, a := range f.Terms {
			if b := f.Value / a.Weight; bounds[a.Place] == petri.Unbounded || b < bounds[a.Place] {
				bounds[a.Place] = b
			}
		}
	}
	return bounds
}
