package checker

import (
	"context"

	"pnmc/checker/internal/lanes"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// graphNet is the net reduced so far as its state graph stays bisimilar for the
// open questions, with the graph as far as it is explored.
type graphNet struct {
	reduction *reduce.Reduction
	net       *petri.Net
	placeOf   []int32
	facts     petri.Facts
	kripke    *petri.Kripke
}

func (r *task) graphOf(ctx context.Context, protected []bool, wanted reduce.Preserves) *graphNet {
	reduction, err := r.reduceNet(ctx, protected, wanted)
	if err != nil {
		return nil
	}
	g := &graphNet{reduction: reduction, net: reduction.Net, placeOf: reduction.PlaceOf}
	r.note("reduced to %d places, %d transitions", g.net.Places(), g.net.Transitions())
	g.facts = r.factsOfReduced(ctx, reduction)
	g.kripke = r.graphOn(reduction, g.facts)
	return g
}

// renew starts the state graph again, to make room.
func (g *graphNet) renew(budget petri.Budget) {
	g.kripke = petri.NewKripke(g.net, g.facts, budget)
}

// graphOn is the state graph of a reduced net, as far as it was explored for others, or a new
// one. It goes back by keepGraph.
func (r *task) graphOn(reduction *reduce.Reduction, facts petri.Facts) *petri.Kripke {
	if g := take(r.shared.kept, r.shared.kept.graphMap, reduction.Net); g != nil {
		return g
	}
	return petri.NewKripke(reduction.Net, facts, r.budget)
}

// keepGraph keeps a state graph for later questions.
func (r *task) keepGraph(ctx context.Context, g *petri.Kripke) {
	if g.Len() > 1 && g.Unbounded() == nil && r.shared.hasRoom(lanes.Plain(ctx)) {
		k := r.shared.kept
		k.mutex.Lock()
		defer k.mutex.Unlock()
		if len(k.graphs) >= mostGraphs {
			clear(k.graphs)
		}
		k.graphs[g.Net()] = g
	}
}

// leaveGraph leaves a graph to engines of the task that come later.
func (r *task) leaveGraph(g *graphNet) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.graph = g
}

// leftGraph takes the graph that an engine left; nil if none did.
func (r *task) leftGraph() *graphNet {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	g := r.graph
	r.graph = nil
	return g
}
