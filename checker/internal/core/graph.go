package core

import (
	"context"
	"slices"

	"pnmc/petri"
	"pnmc/petri/reduce"
)

// Graph is the net reduced so far as its state graph stays bisimilar for the
// open questions, with the graph as far as it is explored.
type Graph struct {
	Reduction *reduce.Reduction
	Net       *petri.Net // the reduced net
	PlaceOf   []int32    // of the places of the original net
	Kripke    *petri.Kripke
	facts     petri.Facts
}

// GraphOf returns the state graph of the net reduced as far as wanted and the protected places
// allow; nil if ctx ended first.
func (r *Task) GraphOf(ctx context.Context, protected []bool, wanted reduce.Preserves) *Graph {
	reduction, err := r.ReduceNet(ctx, protected, wanted)
	if err != nil {
		return nil
	}
	return r.GraphOfReduced(ctx, reduction)
}

// GraphOfReduced returns the state graph of a reduced net.
func (r *Task) GraphOfReduced(ctx context.Context, reduction *reduce.Reduction) *Graph {
	g := &Graph{Reduction: reduction, Net: reduction.Net, PlaceOf: reduction.PlaceOf}
	r.Note("reduced to %d places, %d transitions", g.Net.Places(), g.Net.Transitions())
	g.facts = r.FactsOfReduced(ctx, reduction)
	g.Kripke = r.GraphOn(reduction, g.facts)
	return g
}

// NetAsItIs returns the task's net as it is in the place of one reduced as g is, without a state graph; nil
// if nothing was reduced, the net is too large, or ctx ended first.
func (r *Task) NetAsItIs(ctx context.Context, g *Graph) *Graph {
	if r.Net.Arcs() > mostArcsBeside || !isReduced(g.Reduction) {
		return nil
	}
	reduction, err := r.ReduceNet(ctx, make([]bool, r.Net.Places()), reduce.Everything)
	if err != nil {
		return nil
	}
	return &Graph{Reduction: reduction, Net: reduction.Net, PlaceOf: reduction.PlaceOf}
}

// mostArcsBeside is how many arcs a net may have that is explored beside a smaller one: of more the
// orders of variables alone take tenths of a second.
const mostArcsBeside = 100_000

// isReduced reports whether some rule applied.
func isReduced(reduction *reduce.Reduction) bool {
	return slices.ContainsFunc(reduction.Applied, func(times int) bool { return times > 0 })
}

// Renew starts the state graph again, to make room.
func (g *Graph) Renew(ctx context.Context, budget petri.Budget) {
	g.Kripke = petri.NewKripkeWithin(ctx, g.Net, g.facts, budget)
}

// Another returns the same net with a state graph of its own, of which nothing is explored.
func (g *Graph) Another(ctx context.Context, budget petri.Budget) *Graph {
	other := *g
	other.Renew(ctx, budget)
	return &other
}

// GraphOn returns the state graph of a reduced net, as far as it was explored for others, or a new
// one. It goes back by KeepGraph.
func (r *Task) GraphOn(reduction *reduce.Reduction, facts petri.Facts) *petri.Kripke {
	if g := take(r.Shared.Kept, r.Shared.Kept.graphMap, reduction.Net); g != nil {
		return g
	}
	if !isReduced(reduction) {
		// The reduced net has the same places and transitions as the net as it is.
		if g := take(r.Shared.Kept, r.Shared.Kept.graphMap, r.Net); g != nil {
			return g
		}
	}
	return petri.NewKripkeWithin(r.Whole, reduction.Net, facts, r.Budget)
}

// KeepGraph keeps a state graph for later questions, of a net the largest, if there is room. The context of who
// made it has mostly ended by then, as all is answered.
func (r *Task) KeepGraph(g *petri.Kripke) {
	if g.Len() > 1 && g.Unbounded() == nil && r.Shared.HasRoom(context.Background()) {
		k := r.Shared.Kept
		k.mutex.Lock()
		defer k.mutex.Unlock()
		if len(k.graphs) >= mostGraphs {
			clear(k.graphs)
		}
		if other := k.graphs[g.Net()]; other == nil || other.Len() < g.Len() {
			k.graphs[g.Net()] = g
		}
	}
}
