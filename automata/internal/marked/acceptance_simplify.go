package marked

import (
	"context"
	"math/bits"

	"pnmc/automata"
)

// SimplifyAcceptance removes acceptance sets from a generalized Büchi automaton
// that say nothing. In each component a set is dropped that is on every edge, or
// that is implied because it contains another one. The sets that remain are
// numbered anew, component by component. A component that needs fewer sets
// than another has the rest on each of its edges.
//
// For example, a component has three edges in the sets {0, 1, 2}, {1, 2} and {2}. Set 2 is on all of
// them: any run visits it. Set 1 contains set 0: a run that visits 0 again and again visits 1, too. Only
// set 0 is needed. Another component may need set 2 only; both then count the same set, 0, of the
// result. That is allowed as a run stays in one component in the end.
//
// With each set less a degeneralization has fewer levels. Linear in edges, quadratic in sets.
func SimplifyAcceptance(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	return Transform(ctx, a, func(_ context.Context, r *Reducible) error {
		r.Prune()
		r.simplifyAcceptance()
		return nil
	})
}

// simplifyAcceptance simplifies the acceptance of a pruned automaton.
func (r *Reducible) simplifyAcceptance() {
	c := r.Components()
	accepting := r.AcceptingComponents(c)
	needed := make([]uint64, c.Count())
	most := 0
	for n := range needed {
		if accepting[n] {
			needed[n] = r.NeededSets(c, automata.Component(n))
			most = max(most, bits.OnesCount64(needed[n]))
		}
	}
	if most == 0 && !r.everyCycleIn(c, accepting) {
		most = 1 // some component rejects, so that one set must tell
	}
	r.Sets = most
	for n := range needed {
		sets := Members(needed[n])
		for _, s := range c.States(automata.Component(n)) {
			for i, e := range r.Out[s] {
				r.Out[s][i].Marks = 0
				if c.Of(e.To) == automata.Component(n) && accepting[n] {
					r.Out[s][i].Marks = renumbered(e.Marks, sets, most)
				}
			}
		}
	}
	for s := range r.Out {
		r.Merge(automata.State(s))
	}
}

// renumbered returns the marks among sets, by their places in that list. Places that the list
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

// NeededSets returns acceptance sets that imply the others in an accepting
// component: a set that contains all edges of a needed one is not needed. Of sets with the same
// edges the first is needed only.
func (r *Reducible) NeededSets(c *automata.Components, n automata.Component) uint64 {
	within := make([]uint64, r.Sets) // the sets on every edge that is in set i
	for i := range within {
		within[i] = r.All()
	}
	common := r.All()
	for _, s := range c.States(n) {
		for _, e := range r.Out[s] {
			if c.Of(e.To) != n {
				continue
			}
			common &= e.Marks
			for _, i := range Members(e.Marks) {
				within[i] &= e.Marks
			}
		}
	}
	needed := r.All() &^ common
	for i := range r.Sets {
		if needed>>i&1 == 1 {
			needed &^= within[i] &^ (1 << i)
		}
	}
	return needed
}

// everyCycleIn reports whether every component with a cycle is one of those.
func (r *Reducible) everyCycleIn(c *automata.Components, those []bool) bool {
	for s, out := range r.Out {
		for _, e := range out {
			if n := c.Of(automata.State(s)); c.Of(e.To) == n && !those[n] {
				return false
			}
		}
	}
	return true
}
