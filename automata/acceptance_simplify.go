package automata

import (
	"context"
	"math/bits"
)

// SimplifyAcceptance removes acceptance sets from a generalized Büchi automaton
// that say nothing: in each component a set is dropped that is on every edge, or
// that is implied because it contains another one; the sets that remain are
// numbered anew, component by component, and a component that needs fewer sets
// than another has the rest on each of its edges. Linear in edges, quadratic in
// sets.
func SimplifyAcceptance(ctx context.Context, a *Automaton) (*Automaton, error) {
	return transform(ctx, a, func(_ context.Context, r *reducible) error {
		r.prune()
		r.simplifyAcceptance()
		return nil
	})
}

// simplifyAcceptance does what SimplifyAcceptance says to what prune left.
func (r *reducible) simplifyAcceptance() {
	c := r.components()
	accepting := r.acceptingComponents(c)
	needed := make([]uint64, c.Count())
	most := 0
	for n := range needed {
		if accepting[n] {
			needed[n] = r.neededSets(c, Component(n))
			most = max(most, bits.OnesCount64(needed[n]))
		}
	}
	if most == 0 && !r.everyCycleIn(c, accepting) {
		most = 1 // some component rejects, so that one set must tell
	}
	r.sets = most
	for n := range needed {
		sets := members(needed[n])
		for _, s := range c.States(Component(n)) {
			for i, e := range r.out[s] {
				r.out[s][i].marks = 0
				if c.Of(e.to) == Component(n) && accepting[n] {
					r.out[s][i].marks = renumbered(e.marks, sets, most)
				}
			}
		}
	}
	for s := range r.out {
		r.merge(State(s))
	}
}

// renumbered are the marks among sets by their place in that list; places that the list
// lacks, up to most, are marked.
func renumbered(marks uint64, sets []int, most int) uint64 {
	var result uint64
	for place := range most {
		if place >= len(sets) || marks>>sets[place]&1 == 1 {
			result |= 1 << place
		}
	}
	return result
}

// neededSets are acceptance sets that imply the others in an accepting
// component: a set that contains all edges of a needed one is not needed.
func (r *reducible) neededSets(c *Components, n Component) uint64 {
	within := make([]uint64, r.sets) // the sets on every edge that is in set i
	for i := range within {
		within[i] = r.all()
	}
	common := r.all()
	for _, s := range c.States(n) {
		for _, e := range r.out[s] {
			if c.Of(e.to) != n {
				continue
			}
			common &= e.marks
			for _, i := range members(e.marks) {
				within[i] &= e.marks
			}
		}
	}
	needed := r.all() &^ common
	for i := range r.sets {
		if needed>>i&1 == 1 {
			needed &^= within[i] &^ (1 << i)
		}
	}
	return needed
}

// everyCycleIn tells whether every component with a cycle is one of those.
func (r *reducible) everyCycleIn(c *Components, those []bool) bool {
	for s, out := range r.out {
		for _, e := range out {
			if n := c.Of(State(s)); c.Of(e.to) == n && !those[n] {
				return false
			}
		}
	}
	return true
}
