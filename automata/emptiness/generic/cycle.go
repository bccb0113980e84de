package generic

import (
	"context"
	"sort"

	"pnmc/automata"
	"pnmc/internal/bitset"
)

// Source returns the node that edge e leaves.
func (g *Graph) Source(e uint32) uint32 {
	return uint32(sort.Search(g.Nodes(), func(n int) bool { return g.Start[n+1] > e }))
}

// Cycle returns a closed walk from the node start through an accepting component: the edges in
// order, one at least, none with a forbidden bit. For a set of Inf that makes f true, as the
// forbidden bits are absent, it has an edge with each of their bits. Each edge with a missing bit
// is reached by a shortest path. Time: bits times edges of the component, within ctx; nil: nothing ends it.
//
// For example, with Inf(0) & Inf(1) it goes from start to the nearest edge in set 0 or 1, from
// there to the nearest one in the other set, and back to start. The walk is short, but there may
// be a shorter one: to find a shortest one is NP-hard, as the order in which sets are visited
// matters.
func (g *Graph) Cycle(ctx context.Context, c *Component, start uint32, f *Formula) ([]uint32, error) {
	missing := make([]uint64, g.Words)
	f.implicant(c.marks, missing)
	inside := make(map[uint32]bool, len(c.Nodes))
	for _, n := range c.Nodes {
		inside[n] = true
	}
	var walk []uint32
	at, looks := start, &Search{ctx: ctx, work: searchWork}
	follow := func(wanted func(e uint32) bool) error {
		for _, e := range g.pathToEdge(looks, c, inside, at, wanted) {
			walk = append(walk, e)
			for i, w := range g.EdgeMarks(e) {
				missing[i] &^= w
			}
			at = g.Destination[e]
		}
		return looks.Err
	}
	for !noBit(missing) {
		if err := follow(func(e uint32) bool { return haveCommonBit(g.EdgeMarks(e), missing) }); err != nil {
			return nil, err
		}
	}
	if at != start || len(walk) == 0 {
		if err := follow(func(e uint32) bool { return g.Destination[e] == start }); err != nil {
			return nil, err
		}
	}
	return walk, nil
}

// noBit reports whether no bit is set.
func noBit(words []uint64) bool {
	for _, w := range words {
		if w != 0 {
			return false
		}
	}
	return true
}

// pathToEdge returns a shortest path within c from a node that ends with a wanted edge,
// of which the component has one. It is nil if looks has ended.
func (g *Graph) pathToEdge(looks *Search, c *Component, inside map[uint32]bool, from uint32, wanted func(e uint32) bool) []uint32 {
	by := map[uint32]uint32{} // the edge by which a node was reached
	queue := []uint32{from}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		if looks.ended(1 + int(g.Start[n+1]-g.Start[n])) {
			return nil
		}
		for e := g.Start[n]; e < g.Start[n+1]; e++ {
			to := g.Destination[e]
			if !inside[to] || haveCommonBit(g.EdgeMarks(e), c.forbidden) {
				continue
			}
			if wanted(e) {
				path := []uint32{e}
				for m := n; m != from; m = g.Source(by[m]) {
					path = append(path, by[m])
				}
				for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
					path[i], path[j] = path[j], path[i]
				}
				return path
			}
			if _, reached := by[to]; !reached && to != from {
				by[to] = e
				queue = append(queue, to)
			}
		}
	}
	return nil
}

// implicant adds to bits, for f which holds for the bits seen, a set of bits that
// makes f true wherever nothing but the bits seen is seen. Of a disjunction it takes the operand
// that needs the fewest bits, the first of several, so that cycles are short.
func (f *Formula) implicant(seen, bits []uint64) {
	switch f.operator {
	case automata.Inf:
		bitset.Add(bits, f.bit)
	case automata.ConditionAnd:
		for _, o := range f.operands {
			o.implicant(seen, bits)
		}
	case automata.ConditionOr:
		var best []uint64
		least := -1
		for _, o := range f.operands {
			if !o.Holds(seen) {
				continue
			}
			own := make([]uint64, len(bits))
			o.implicant(seen, own)
			if n := automata.Marks(own).Count(); least < 0 || n < least {
				best, least = own, n
			}
		}
		for i, w := range best {
			bits[i] |= w
		}
	}
}
