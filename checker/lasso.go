package checker

import (
	"context"
	"errors"
	"slices"

	"pnmc/automata"
)

// maxPrefixSearch bounds the states that the search for a short prefix visits;
// beyond it the depth-first path serves, however long it is.
const maxPrefixSearch = 4_000_000

// counterexample turns what the search found into a prefix and a cycle: the
// shortest prefix to the accepting component, if that does not take too long to
// find, and a cycle put together from shortest ways to the marks it needs.
func (x *emptiness) counterexample(ctx context.Context, found *finding) (*Counterexample, error) {
	if found.terminal {
		return x.terminalLasso(ctx)
	}
	first := x.roots[len(x.roots)-1].number
	inside := func(p pair) bool {
		n := *x.numbering.slot(p.s, p.q)
		return n != dead && n >= first && x.strength[p.q] != automata.Rejecting
	}
	prefix, entry, err := x.prefixTo(ctx, inside)
	if err != nil {
		return nil, err
	}
	cycle, err := x.cycleFrom(ctx, entry, inside)
	if err != nil {
		return nil, err
	}
	return x.tell(entry, prefix, cycle), nil
}

// arc is an edge of the product.
type arc struct {
	from, to pair
	edge     automata.Edge
}

// prefixTo is a run from an initial state to a state that is a goal, and that
// state.
func (x *emptiness) prefixTo(ctx context.Context, goal func(pair) bool) ([]arc, pair, error) {
	var starts []pair
	for _, q := range x.automaton.Initial() {
		if p := (pair{x.kripke.Initial(), uint32(q)}); x.met(p) {
			if goal(p) {
				return nil, p, nil
			}
			starts = append(starts, p)
		}
	}
	ok, run, err := x.breadthFirst(ctx, starts, x.met, maxPrefixSearch, func(a arc) bool { return goal(a.to) })
	if err != nil {
		return nil, pair{}, err
	}
	for i := 1; !ok && i < len(x.path) && !goal(x.path[i-1].pair); i++ {
		from, to := x.path[i-1], x.path[i]
		run = append(run, arc{from.pair, to.pair, automata.Edge(x.edges[from.edge+1])})
	}
	return run, run[len(run)-1].to, nil
}

func (x *emptiness) met(p pair) bool { return *x.numbering.slot(p.s, p.q) != unmet }

// cycleFrom is a cycle through entry inside its component whose marks satisfy the
// acceptance condition.
func (x *emptiness) cycleFrom(ctx context.Context, entry pair, inside func(pair) bool) ([]arc, error) {
	needed := x.neededMarks(x.rootMarks[2*(len(x.roots)-1)*x.acceptance.words:][:x.acceptance.words])
	if x.strength[entry.q] == automata.Weak {
		clear(needed)
	}
	var cycle []arc
	at := entry
	for {
		missing := func(e automata.Edge) bool {
			for i, m := range x.acceptance.of(e) {
				if m&needed[i] != 0 {
					return true
				}
			}
			return false
		}
		done := !slices.ContainsFunc(needed, func(w uint64) bool { return w != 0 })
		if done && at == entry && len(cycle) > 0 {
			return cycle, nil
		}
		goal := func(a arc) bool { return missing(a.edge) }
		if done {
			goal = func(a arc) bool { return a.to == entry }
		}
		ok, way, err := x.breadthFirst(ctx, []pair{at}, inside, 1<<62, goal)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, errors.New("no accepting cycle in an accepting component")
		}
		for _, a := range way {
			cycle = append(cycle, a)
			for i, m := range x.acceptance.of(a.edge) {
				needed[i] &^= m
			}
		}
		at = cycle[len(cycle)-1].to
	}
}

// neededMarks is a least part of the union of a component's marks that satisfies
// the condition.
func (x *emptiness) neededMarks(union []uint64) []uint64 {
	needed := slices.Clone(union)
	for i := range needed {
		for bit := uint64(1); bit != 0; bit <<= 1 {
			if needed[i]&bit != 0 {
				if needed[i] &^= bit; !x.acceptance.holds(needed) {
					needed[i] |= bit
				}
			}
		}
	}
	return needed
}

// node is a state met by a breadth-first search, with the one it was met from.
type node struct {
	pair
	parent int32
	edge   automata.Edge
}

// breadthFirst looks for a shortest run from one of the starts over states that
// within allows, whose last edge is a goal. It gives up, with false, after limit
// states. A state may be reached again only by the last edge.
func (x *emptiness) breadthFirst(ctx context.Context, starts []pair, within func(pair) bool, limit int, goal func(arc) bool) (bool, []arc, error) {
	var queue []node
	seen := map[pair]bool{}
	for _, p := range starts {
		queue = append(queue, node{pair: p, parent: -1})
		seen[p] = true
	}
	for i := 0; i < len(queue) && i < limit; i++ {
		if i&pollMask == pollMask {
			if err := x.kripke.Poll(ctx); err != nil {
				return false, nil, err
			}
		}
		from := queue[i].pair
		first, end := x.row(from.s, from.q)
		if first == end {
			continue
		}
		successors, err := x.kripke.Successors(from.s)
		if err != nil {
			return false, nil, err
		}
		for ; first < end; first += 2 {
			for _, s := range successors {
				a := arc{from, pair{s, x.edges[first]}, automata.Edge(x.edges[first+1])}
				if !within(a.to) {
					continue
				}
				if goal(a) {
					return true, trail(queue, int32(i), a), nil
				}
				if !seen[a.to] {
					seen[a.to] = true
					queue = append(queue, node{a.to, int32(i), a.edge})
				}
			}
		}
	}
	return false, nil, nil
}

// trail is the run that led to the node with number at, and then takes last.
func trail(queue []node, at int32, last arc) []arc {
	run := []arc{last}
	for queue[at].parent >= 0 {
		parent := queue[at].parent
		run = append(run, arc{queue[parent].pair, queue[at].pair, queue[at].edge})
		at = parent
	}
	slices.Reverse(run)
	return run
}

// tell gives a run in terms of transitions; at is where the cycle starts.
func (x *emptiness) tell(at pair, prefix, cycle []arc) *Counterexample {
	c := &Counterexample{Start: automata.State(at.q)}
	if len(prefix) > 0 {
		c.Start = automata.State(prefix[0].from.q)
	}
	for _, part := range []struct {
		from []arc
		to   *[]Step
	}{{prefix, &c.Prefix}, {cycle, &c.Cycle}} {
		for _, a := range part.from {
			s := Step{Edge: a.edge}
			t, ok := x.kripke.Firing(a.from.s, a.to.s)
			if s.Transition = t; !ok {
				s.Stutter = true
			}
			*part.to = append(*part.to, s)
		}
	}
	return c
}
