package symbolic

import (
	"context"

	"pnmc/automata"
	"pnmc/logic"
)

// An accepted run is looked for in the product of Definition 5, as by the check without aggregation
// (emptiness.go). That search needs two sets: the states that are reached, and those from which an
// accepted cycle can be reached. The aggregates are the first set, and the hull is the second.

// witness returns an accepted run, where the search has found something.
func (g *aggregation) witness(ctx context.Context, all, found *family, propositions []*logic.Predicate, o ProductOptions) (*Run, error) {
	memory := max(1, g.forest.budget-g.forest.Memory())
	p, err := newProduct(ctx, g.space, g.automaton, propositions, ProductOptions{Memory: memory, StateVariable: Top, eager: o.eager})
	if err != nil {
		return nil, err
	}
	defer p.forest.within(ctx)()
	var reached, inside Node // kept
	_, err = p.forest.guarded(nil, func() Node {
		reached, inside = p.joined(g.forest, all.aggregates), p.joined(g.forest, found.aggregates)
		return Empty
	})
	if err != nil {
		return nil, err
	}
	return p.witness(reached, &finding{phase: p.phases[0], set: inside})
}

// joined returns a set of states of the product, kept. sets has for each state q of the automaton a
// set of states of the system, in another forest: each of them comes with q. The automaton's state is
// one level, on top.
func (p *product) joined(from *Forest, sets []Node) Node {
	var edges []Edge
	for q, n := range sets {
		if n != Empty {
			edges = append(edges, Edge{p.state.value(automata.State(q), 0), p.forest.copied(from, n)})
		}
	}
	base := len(p.forest.scratch)
	for _, e := range edges {
		p.forest.begin(e)
	}
	n := p.forest.Keep(p.forest.makeNode(p.forest.height, base))
	for _, e := range edges {
		p.forest.Release(e.Child)
	}
	return n
}
