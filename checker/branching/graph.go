package branching

import (
	"context"
	"errors"
	"math/bits"

	"pnmc/checker/internal/lanes"
	"pnmc/checker/properties"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/internal/growing"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/labelling"
	"pnmc/petri/multicore"
)

// Graph decides CTL formulas on the whole state graph of a net: by fixpoints
// over sets of states, as Clarke, Emerson and Sistla ("Automatic verification of
// finite-state concurrent systems", 1986). It is worth its cost where the graph fits into memory
// and there are many formulas.
//
// The idea. Each subformula gets the set of states that satisfy it, operands first. Boolean
// operators combine sets word by word. The temporal ones are fixpoints, and all go backwards:
// from the states that are in the set already to their predecessors.
//
//   - E(p U q): start with q; add each predecessor that has p.
//   - A(p U q): start with q; add each predecessor with p once all edges that leave it lead into
//     the set. A counter for each state, at first the number of its edges, is lowered for each
//     edge seen, and the state enters at zero.
//   - EF, AG, AF and EG are untils with true, and their duals; EX is one step back.
//
// An example for the counters. The edges are 0→1, 0→2, 1→3, 2→3, 2→2 and 3→3, and only 3 has q.
// For AF q the counters are 2, 1, 2, 1. From 3 the search goes back to 1, whose counter becomes 0,
// so that it enters, and to 2, whose counter becomes 1. From 1 it goes back to 0, whose counter
// becomes 1. Nothing is left: 3 and 1 have AF q. States 0 and 2 do not, as 2 may loop for ever.
//
// Why it is right. A state enters only for a reason that stays valid, so the set lies within the
// least fixpoint. When no state is left to work off, the set is closed, so it is that fixpoint. A
// deadlock has no edges here. Its counter is 0 from the start and is never lowered, so that it has
// AF q only with q, as maximal paths want it.
//
// What it costs. Each edge is looked at once for each temporal operator, each word of a set once
// for each Boolean one. An edge takes 4 bytes. A state takes 8, 4 more while an A(p U q) is worked
// off, and a bit for each set that is in use.
//
// Several threads may explore, turn edges around, find labels and work off fixpoints (together.go).
type Graph struct {
	kripke  *petri.Kripke
	account *account.Account
	states  int
	// from holds the predecessors of state s from start[s] to start[s+1], with repetitions: two
	// transitions between the same states are two edges. Deadlocks have no edge.
	from  []uint32
	start []uint32
	out   []uint32 // number of edges that leave each state
	dead  stateSet // states found to be deadlocks
	crew  *crew    // nil: one thread does all

	columns columns // of state predicates
}

// stateSet is a set of states, with a bit for each.
type stateSet []uint64

// newStateSet returns an empty set of states with numbers below n.
func newStateSet(n int) stateSet       { return make(stateSet, bitset.WordsFor(n)) }
func (s stateSet) has(i uint32) bool   { return bitset.Has(s, i) }
func (s stateSet) add(i uint32)        { bitset.Add(s, i) }
func (s stateSet) each(f func(uint32)) { eachBit(s, f) }

// eachBit calls f with the numbers of the bits that are set, in ascending order.
func eachBit(words []uint64, f func(uint32)) {
	for w, word := range words {
		for ; word != 0; word &= word - 1 {
			f(uint32(w*64 + bits.TrailingZeros64(word)))
		}
	}
}

// ExploreGraph explores all of the state graph of k, of which no selection leaves out edges, and turns
// its edges around. It asks for the edges three times, once to find them and twice to file them: first
// they are counted by their target, then each is put where the edges of its target lie. An error says
// why it could not: the context, the budget, an unbounded place, or more than 2^32-1 edges.
//
// If there are more than first states, so many threads work; states of k have other numbers then. A
// context of a lane (package lanes) is looked at by the thread of the caller only.
func ExploreGraph(ctx context.Context, k *petri.Kripke, threads, first int) (*Graph, error) {
	k.Begin(ctx)
	g := &Graph{kripke: k, account: k.Account()}
	explore := multicore.Graph{Kripke: k, Threads: threads, First: first, Others: lanes.Plain(ctx)}
	if _, err := explore.Explore(ctx); err != nil {
		return nil, err
	}
	if threads > 1 && k.Len() > first && k.IsComplete() {
		return TurnGraph(ctx, k, threads)
	}
	if err := g.reserve(); err != nil {
		return nil, err
	}
	return g, g.turn()
}

// TurnGraph turns the edges of k around, of which all are kept, with several threads.
func TurnGraph(ctx context.Context, k *petri.Kripke, threads int) (*Graph, error) {
	g := &Graph{kripke: k, account: k.Account(), crew: newCrew(ctx, k.Account(), threads)}
	if err := g.reserve(); err != nil {
		return nil, err
	}
	return g, g.turnTogether()
}

// ErrTooManyEdges says that there are no more numbers for edges.
var ErrTooManyEdges = errors.New("more than 2^32-1 edges")

// mostEdges is how many edges a graph may have. Tests lower it.
var mostEdges int64 = 1<<32 - 1

// reserve makes room for the states of the structure, which is explored.
func (g *Graph) reserve() error {
	_, firings := g.kripke.Explored()
	if firings > mostEdges {
		return ErrTooManyEdges
	}
	g.states = g.kripke.Len()
	if err := g.account.Reserve(12*g.states + 4*int(firings)); err != nil {
		return err
	}
	g.out, g.start = make([]uint32, g.states), make([]uint32, g.states+2)
	return nil
}

// turn turns the edges around.
func (g *Graph) turn() error {
	g.dead = newStateSet(g.states)
	err := g.eachEdge(func(from, to uint32) {
		g.out[from]++
		g.start[to+2]++
	})
	if err != nil {
		return err
	}
	g.place()
	return g.eachEdge(func(from, to uint32) {
		g.from[g.start[to+1]] = from
		g.start[to+1]++
	})
}

// place makes room for predecessors, when start has the number of those of state s at s+2: now it has
// at s+1 where they begin.
func (g *Graph) place() {
	for i := 2; i < len(g.start); i++ {
		g.start[i] += g.start[i-1]
	}
	g.from = make([]uint32, g.start[g.states+1])
}

// eachEdge calls f with each edge. A Kripke structure gives a deadlock an edge to itself, which is
// left out here.
func (g *Graph) eachEdge(f func(from, to uint32)) error {
	for id := range uint32(g.states) {
		next, err := g.kripke.Successors(petri.StateID(id))
		if err == nil {
			err = g.account.Charge(account.EdgeWork * (1 + len(next)))
		}
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

// Together reports whether several threads work on the graph.
func (g *Graph) Together() bool { return g.crew != nil }

// States returns the number of states.
func (g *Graph) States() int { return g.states }

// Decide reports whether the initial state satisfies f. Its cost is linear in the graph, for each
// operator of f.
func (g *Graph) Decide(ctx context.Context, f *ctl.Formula) (bool, error) {
	g.kripke.Begin(ctx)
	g.crew.begin(ctx)
	set, err := g.evaluate(f)
	if err != nil {
		return false, err
	}
	return set.has(uint32(g.kripke.Initial())), nil
}

// evaluate returns the set of states that satisfy f. The caller owns it, and may change it.
func (g *Graph) evaluate(f *ctl.Formula) (stateSet, error) {
	if err := g.account.Reserve(g.states / 8); err != nil { // for a set
		return nil, err
	}
	if f.Operator == ctl.State {
		return g.label(f.Predicate)
	}
	operands := make([]stateSet, len(f.Operands))
	for i, o := range f.Operands {
		var err error
		if operands[i], err = g.evaluate(o); err != nil {
			return nil, err
		}
	}
	first, last := operands[0], operands[len(operands)-1]
	switch f.Operator {
	case logic.Not:
		return g.not(first), nil
	case logic.And, logic.Or:
		for _, o := range operands[1:] {
			for w := range first {
				if f.Operator == logic.And {
					first[w] &= o[w]
				} else {
					first[w] |= o[w]
				}
			}
		}
		return first, nil
	case ctl.ExistsNext:
		return g.existsNext(first)
	case ctl.AllNext:
		return g.negated(g.existsNext(g.not(first)))
	case ctl.ExistsFinally:
		return g.existsUntil(nil, first)
	case ctl.AllGlobally:
		return g.negated(g.existsUntil(nil, g.not(first)))
	case ctl.ExistsUntil:
		return g.existsUntil(first, last)
	case ctl.AllFinally:
		return g.allUntil(nil, first)
	case ctl.ExistsGlobally:
		return g.negated(g.allUntil(nil, g.not(first)))
	}
	return g.allUntil(first, last)
}

// negated returns the complement of s, in the same storage, or the error.
func (g *Graph) negated(s stateSet, err error) (stateSet, error) {
	if err != nil {
		return nil, err
	}
	return g.not(s), nil
}

// not turns s into its complement. Bits beyond the last state stay 0.
func (g *Graph) not(s stateSet) stateSet {
	for w := range s {
		s[w] = ^s[w]
	}
	bitset.Trim(s, g.states)
	return s
}

// labelEach returns the states whose markings satisfy p, which it evaluates in each.
func (g *Graph) labelEach(p *logic.Predicate) (stateSet, error) {
	set := newStateSet(g.states)
	if g.crew != nil {
		return set, g.labelTogether(p, set)
	}
	labelling := labelling.New(g.kripke, []*labelling.Proposition{properties.Compile(g.kripke.Net(), p)})
	for id := range uint32(g.states) {
		if err := g.account.Charge(account.EdgeWork); err != nil {
			return nil, err
		}
		if labelling.Label(labelling.Of(petri.StateID(id)))[0]&1 == 1 {
			set.add(id)
		}
	}
	return set, nil
}

// predecessors returns the states with an edge to s, each as often as it has one.
func (g *Graph) predecessors(s uint32) []uint32 { return g.from[g.start[s]:g.start[s+1]] }

// existsNext returns the states with an edge into s.
func (g *Graph) existsNext(s stateSet) (stateSet, error) {
	if err := g.account.Reserve(g.states / 8); err != nil {
		return nil, err
	}
	set := newStateSet(g.states)
	if g.crew != nil {
		return set, g.nextTogether(s, set)
	}
	var err error
	s.each(func(i uint32) {
		if err != nil {
			return
		}
		before := g.predecessors(i)
		for _, p := range before {
			set.add(p)
		}
		err = g.account.Charge(account.EdgeWork * (1 + len(before)))
	})
	return set, err
}

// members returns the states of a set as a stack to be worked off.
func (g *Graph) members(s stateSet) (*growing.Stack[uint32], error) {
	var list growing.Stack[uint32]
	var err error
	s.each(func(i uint32) {
		if err == nil {
			err = g.account.Charge(4)
			list.Push(i)
		}
	})
	return &list, err
}

// existsUntil adds to b the states of a that lead to b through a; nil stands for all states.
func (g *Graph) existsUntil(a, b stateSet) (stateSet, error) {
	if g.crew != nil {
		return b, g.untilTogether(a, b, nil)
	}
	queue, err := g.members(b)
	for err == nil && queue.Length > 0 {
		i := *queue.Top()
		queue.Pop()
		before := g.predecessors(i)
		for _, p := range before {
			if !b.has(p) && (a == nil || a.has(p)) {
				b.add(p)
				queue.Push(p)
			}
		}
		err = g.account.Charge(account.EdgeWork * (1 + len(before)))
	}
	return b, err
}

// allUntil adds to b the states of a that have successors, all of them in b; again and again until
// there are none. A nil a stands for all states.
func (g *Graph) allUntil(a, b stateSet) (stateSet, error) {
	if err := g.account.Reserve(4 * len(g.out)); err != nil {
		return nil, err
	}
	missing := append([]uint32(nil), g.out...)
	if g.crew != nil {
		return b, g.untilTogether(a, b, missing)
	}
	queue, err := g.members(b)
	for err == nil && queue.Length > 0 {
		i := *queue.Top()
		queue.Pop()
		before := g.predecessors(i)
		for _, p := range before {
			missing[p]--
			if missing[p] == 0 && !b.has(p) && (a == nil || a.has(p)) {
				b.add(p)
				queue.Push(p)
			}
		}
		err = g.account.Charge(account.EdgeWork * (1 + len(before)))
	}
	return b, err
}
