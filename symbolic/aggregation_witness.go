package symbolic

import (
	"context"

	"pnmc/automata"
	"pnmc/logic"
)

// An accepted run is looked for in the product of Definition 5, within the states
// found: what the hull says of its states is what the search needs that goes
// backwards from the states that the other check leaves.

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

// joined returns the states of the product with the system's states that the sets of
// another forest have for each state of the automaton; kept. The automaton's state
// is one level, on top.
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
