package invariant

import (
	"slices"

	"pnmc/internal/arithmetic"
	"pnmc/petri"
)

// Transfer returns what flows, semiflows of another net, say of net: placeOf gives each
// place of the other one its place in net, ascending, or -1. Each is held against
// the transitions of net, and kept if it is a semiflow there too. Linear in the arcs
// of the places of each flow, so that it is much cheaper than a search.
func Transfer(net *petri.Net, flows []petri.Semiflow, placeOf []int32) []petri.Semiflow {
	// The effects on each place, by transition.
	type change struct {
		transition petri.Transition
		weight     int64
	}
	changes := make([][]change, net.Places())
	for t := range petri.Transition(net.Transitions()) {
		for _, d := range net.Effect(t) {
			changes[d.Place] = append(changes[d.Place], change{t, d.Weight})
		}
	}
	sum := make([]int64, net.Transitions())
	var kept []petri.Semiflow
	for _, f := range flows {
		var g petri.Semiflow
		var touched []petri.Transition
		fits := true
		for _, a := range f.Terms {
			p := placeOf[a.Place]
			if p < 0 {
				continue
			}
			fits = fits && !net.Emptied(petri.Place(p))
			tokens, ok := arithmetic.Multiply(net.InitialTokens(petri.Place(p)), a.Weight)
			g.Value += tokens
			fits = fits && ok && g.Value >= 0
			g.Terms = append(g.Terms, petri.Arc{Place: petri.Place(p), Weight: a.Weight})
			for _, c := range changes[p] {
				product, ok := arithmetic.Multiply(c.weight, a.Weight)
				fits = fits && ok && product < largeSum && product > -largeSum
				sum[c.transition] += product
				fits = fits && sum[c.transition] < largeSum && sum[c.transition] > -largeSum
				touched = append(touched, c.transition)
			}
		}
		balanced := !slices.ContainsFunc(touched, func(t petri.Transition) bool { return sum[t] != 0 })
		for _, t := range touched {
			sum[t] = 0
		}
		if !fits || !balanced || len(g.Terms) == 0 {
			continue
		}
		kept = append(kept, g)
	}
	return kept
}

// largeSum bounds partial sums, so that none overflows.
const largeSum = 1 << 60
