package checker

import (
	"context"
	"math/bits"

	"pnmc/logic"
	"pnmc/petri"
)

// CTLGraph decides CTL formulas on the whole state graph of a net: by fixpoints
// over sets of states, as Clarke, Emerson and Sistla ("Automatic verification of
// finite-state concurrent systems", 1986), in time linear in the graph for each
// subformula. Worth it where the graph fits and there are many formulas.
type CTLGraph struct {
	kripke *petri.Kripke
	states int
	// predecessors in compressed rows, with repetitions; deadlocks have no edge.
	from  []uint32
	start []uint32
	out   []uint32 // number of edges that leave each state
	dead  stateSet
}

// stateSet has a bit for each state.
type stateSet []uint64

func newStateSet(n int) stateSet       { return make(stateSet, (n+63)/64) }
func (s stateSet) has(i uint32) bool   { return s[i/64]>>(i%64)&1 == 1 }
func (s stateSet) add(i uint32)        { s[i/64] |= 1 << (i % 64) }
func (s stateSet) each(f func(uint32)) { eachBit(s, f) }

func eachBit(words []uint64, f func(uint32)) {
	for w, word := range words {
		for ; word != 0; word &= word - 1 {
			f(uint32(w*64 + bits.TrailingZeros64(word)))
		}
	}
}

// ExploreCTLGraph explores all of the state graph of k and turns its edges
// around. An error tells why it could not: the context, the budget, an unbounded
// place, or a graph with too many edges for 32-bit positions.
func ExploreCTLGraph(ctx context.Context, k *petri.Kripke) (*CTLGraph, error) {
	g := &CTLGraph{kripke: k}
	edges := 0
	for id := petri.StateID(0); int(id) < k.Len(); id++ {
		if id%pollStates == 0 {
			if err := k.Poll(ctx); err != nil {
				return nil, err
			}
		}
		next, err := k.Successors(id)
		if err != nil {
			return nil, err
		}
		if u := k.Unbounded(); u != nil {
			return nil, u
		}
		edges += len(next)
	}
	if edges > 1<<32-1 {
		return nil, petri.ErrTooManyStates
	}
	g.states = k.Len()
	g.dead = newStateSet(g.states)
	g.out, g.start = make([]uint32, g.states), make([]uint32, g.states+2)
	err := g.eachEdge(ctx, func(from, to uint32) {
		g.out[from]++
		g.start[to+2]++
	})
	if err != nil {
		return nil, err
	}
	for i := 2; i < len(g.start); i++ {
		g.start[i] += g.start[i-1]
	}
	g.from = make([]uint32, g.start[g.states+1])
	err = g.eachEdge(ctx, func(from, to uint32) {
		g.from[g.start[to+1]] = from
		g.start[to+1]++
	})
	return g, err
}

// eachEdge calls f with the edges; the one of a deadlock to itself is none.
func (g *CTLGraph) eachEdge(ctx context.Context, f func(from, to uint32)) error {
	for id := range uint32(g.states) {
		if id%pollStates == 0 {
			if err := g.kripke.Poll(ctx); err != nil {
				return err
			}
		}
		next, err := g.kripke.Successors(petri.StateID(id))
		if err != nil {
			return err
		}
		if g.dead.has(id) || len(next) == 1 && uint32(next[0]) == id && g.kripke.Deadlock(next[0]) {
			g.dead.add(id)
			continue
		}
		for _, u := range next {
			f(id, uint32(u))
		}
	}
	return nil
}

// States is the number of states.
func (g *CTLGraph) States() int { return g.states }

// Decide evaluates f in the initial state.
func (g *CTLGraph) Decide(ctx context.Context, f *logic.CTL) (bool, error) {
	set, err := g.evaluate(ctx, f)
	if err != nil {
		return false, err
	}
	return set.has(uint32(g.kripke.Initial())), nil
}

// evaluate is the set of states that satisfy f, which the caller owns.
func (g *CTLGraph) evaluate(ctx context.Context, f *logic.CTL) (stateSet, error) {
	if err := g.kripke.Poll(ctx); err != nil {
		return nil, err
	}
	if f.Operator == logic.CTLState {
		return g.label(ctx, f.Predicate)
	}
	operands := make([]stateSet, len(f.Operands))
	for i, o := range f.Operands {
		var err error
		if operands[i], err = g.evaluate(ctx, o); err != nil {
			return nil, err
		}
	}
	first, last := operands[0], operands[len(operands)-1]
	switch f.Operator {
	case logic.CTLNot:
		return g.not(first), nil
	case logic.CTLAnd, logic.CTLOr:
		for _, o := range operands[1:] {
			for w := range first {
				if f.Operator == logic.CTLAnd {
					first[w] &= o[w]
				} else {
					first[w] |= o[w]
				}
			}
		}
		return first, nil
	case logic.CTLExistsNext:
		return g.existsNext(first), nil
	case logic.CTLAllNext:
		return g.not(g.existsNext(g.not(first))), nil
	case logic.CTLExistsFinally:
		return g.existsUntil(nil, first), nil
	case logic.CTLAllGlobally:
		return g.not(g.existsUntil(nil, g.not(first))), nil
	case logic.CTLExistsUntil:
		return g.existsUntil(first, last), nil
	case logic.CTLAllFinally:
		return g.allUntil(nil, first), nil
	case logic.CTLExistsGlobally:
		return g.not(g.allUntil(nil, g.not(first))), nil
	}
	return g.allUntil(first, last), nil
}

func (g *CTLGraph) not(s stateSet) stateSet {
	for w := range s {
		s[w] = ^s[w]
	}
	if r := g.states % 64; r != 0 {
		s[len(s)-1] &= 1<<r - 1
	}
	return s
}

func (g *CTLGraph) label(ctx context.Context, p *logic.Predicate) (stateSet, error) {
	set := newStateSet(g.states)
	labelling := petri.NewLabelling(g.kripke, []*petri.Proposition{Compile(g.kripke.Net(), p)})
	for id := range uint32(g.states) {
		if id%pollStates == 0 {
			if err := g.kripke.Poll(ctx); err != nil {
				return nil, err
			}
		}
		if labelling.Label(labelling.Of(petri.StateID(id)))[0]&1 == 1 {
			set.add(id)
		}
	}
	return set, nil
}

func (g *CTLGraph) predecessors(s uint32) []uint32 { return g.from[g.start[s]:g.start[s+1]] }

func (g *CTLGraph) existsNext(s stateSet) stateSet {
	set := newStateSet(g.states)
	s.each(func(i uint32) {
		for _, p := range g.predecessors(i) {
			set.add(p)
		}
	})
	return set
}

// existsUntil adds to b the states of a, nil for all, that lead to it.
func (g *CTLGraph) existsUntil(a, b stateSet) stateSet {
	var queue []uint32
	b.each(func(i uint32) { queue = append(queue, i) })
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, p := range g.predecessors(i) {
			if !b.has(p) && (a == nil || a.has(p)) {
				b.add(p)
				queue = append(queue, p)
			}
		}
	}
	return b
}

// allUntil adds to b the states of a, nil for all, that have successors, all of
// them in the set.
func (g *CTLGraph) allUntil(a, b stateSet) stateSet {
	var queue []uint32
	b.each(func(i uint32) { queue = append(queue, i) })
	missing := append([]uint32(nil), g.out...)
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, p := range g.predecessors(i) {
			missing[p]--
			if missing[p] == 0 && !b.has(p) && (a == nil || a.has(p)) {
				b.add(p)
				queue = append(queue, p)
			}
		}
	}
	return b
}
