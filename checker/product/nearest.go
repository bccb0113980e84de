package product

import (
	"context"

	"pnmc/automata"
	"pnmc/automata/emptiness/generic"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/growing"
)

// A depth-first search may find a component that is far away, though one with an accepted run lies
// next to the initial states. Therefore short runs are looked for first, in balls: the n states
// closest to the initial ones in breadth-first order, and the edges between them. A run that stays
// in the ball is a run of the product, whatever lies outside; if none does, nothing is lost but a
// little time. Package generic looks for an accepting component of the ball. Its member with the
// lowest number is closest to the initial states: the prefix goes there, along the edges by which
// states were met.

// ballSizes are the numbers of states in the balls that are tried, one after the other.
var ballSizes = []int{1 << 6, 1 << 9, 1 << 12, 1 << 15}

// ballWork bounds the work for all balls together, in units of the account. Where states have
// thousands of successors, even a small ball has many edges.
const ballWork = 64 << 20

// ball is a part of a product: states in breadth-first order, and the edges between them.
type ball struct {
	nodes  growing.Stack[node]
	number map[states.Pair]uint32
	graph  generic.Graph
	edges  []automata.Edge // of the automaton, for each edge of the graph
}

// nearest returns an accepted run in the smallest ball that has one, or nil if none has or ballWork is
// used up.
func (x *componentsOnTheFly) nearest(ctx context.Context) (*witness.Counterexample, error) {
	condition := generic.NewCondition(x.automaton.Acceptance)
	x.account.Begin(ctx)
	for _, size := range ballSizes {
		b, whole, err := x.ball(size, condition)
		if err != nil || b == nil {
			return nil, err
		}
		c, err := b.graph.AcceptingComponent(ctx, condition.Formula())
		if err != nil {
			return nil, err
		}
		if c != nil {
			return x.tellBall(b, c, condition.Formula())
		}
		if whole {
			break
		}
	}
	return nil, nil
}

// ball collects size states, or fewer if the product has no more; whole reports whether it is the
// whole product. It returns nil when ballWork is used up. An error is the account's.
func (x *componentsOnTheFly) ball(size int, condition *generic.Condition) (b *ball, whole bool, err error) {
	b = &ball{number: map[states.Pair]uint32{}, graph: generic.Graph{Start: []uint32{0}, Words: condition.Words}}
	whole = true
	add := func(p states.Pair, parent uint32, e automata.Edge) {
		if _, known := b.number[p]; known {
			return
		}
		if b.nodes.Length == size {
			whole = false
			return
		}
		b.number[p] = uint32(b.nodes.Length)
		b.nodes.Push(node{p, parent, e})
	}
	for _, q := range x.automaton.Initial() {
		if x.useful[q] {
			add(states.Pair{S: x.kripke.Initial(), Q: uint32(q)}, noParent, 0)
		}
	}
	bits := make([]uint64, condition.Words)
	for i := 0; i < b.nodes.Length; i++ {
		if x.account.Spent() > ballWork {
			return nil, false, nil
		}
		from := b.nodes.At(i).Pair
		first, end := x.row(from.S, from.Q)
		if first < end {
			successors, err := x.kripke.Successors(from.S)
			if err != nil {
				return nil, false, err
			}
			for ; first < end; first += 2 {
				e := automata.Edge(x.edges[first+1])
				condition.Translate(x.automaton.Marks(e), bits)
				if err := x.account.Charge(account.StateWork + (account.EdgeWork+8*condition.Words)*len(successors)); err != nil {
					return nil, false, err
				}
				for _, s := range successors {
					to := states.Pair{S: s, Q: x.edges[first]}
					add(to, uint32(i), e)
					if n, inside := b.number[to]; inside {
						b.graph.Destination = append(b.graph.Destination, n)
						b.graph.Marks = append(b.graph.Marks, bits...)
						b.edges = append(b.edges, e)
					}
				}
			}
		}
		b.graph.Start = append(b.graph.Start, uint32(len(b.edges)))
	}
	return b, whole, nil
}

// tellBall returns the run to the state of c that is closest to the initial states, and a cycle that
// is accepted from there. An error is that of the context.
func (x *componentsOnTheFly) tellBall(b *ball, c *generic.Component, f *generic.Formula) (*witness.Counterexample, error) {
	entry := c.Nodes[0]
	for _, n := range c.Nodes {
		entry = min(entry, n)
	}
	at := b.nodes.At(int(entry))
	var prefix, cycle []arc
	if at.parent != noParent {
		prefix = trail(&b.nodes, at.parent, arc{b.nodes.At(int(at.parent)).Pair, at.Pair, at.edge})
	}
	edges, err := b.graph.Cycle(x.account.Context(), c, entry, f)
	if err != nil {
		return nil, err
	}
	for _, e := range edges {
		from, to := b.nodes.At(int(b.graph.Source(e))).Pair, b.nodes.At(int(b.graph.Destination[e])).Pair
		cycle = append(cycle, arc{from, to, b.edges[e]})
	}
	return x.roads().tell(at.Pair, prefix, cycle), nil
}
