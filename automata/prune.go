package automata

import "context"

// Prune drops the states of a generalized Büchi automaton that no accepting run
// visits, and the marks that do not matter: those on edges that lie on no cycle,
// and in components without accepting cycle. An automaton that accepts nothing
// becomes one state without edges. Linear in states and edges.
func Prune(ctx context.Context, a *Automaton) (*Automaton, error) {
	return transform(ctx, a, func(_ context.Context, r *reducible) error {
		r.prune()
		return nil
	})
}

// prune does what Prune says.
func (r *reducible) prune() {
	c := r.components()
	accepting := r.acceptingComponents(c)
	useful := r.reachable()
	useless := make([]bool, c.Count())
	for n := range c.Count() { // successors have lower numbers
		useless[n] = !accepting[n]
		for _, s := range c.States(Component(n)) {
			for i, e := range r.out[s] {
				to := c.Of(e.to)
				if to != Component(n) && !useless[to] {
					useless[n] = false
				}
				if to != Component(n) || !accepting[n] {
					r.out[s][i].marks = 0
				}
			}
		}
	}
	for s := range useful {
		useful[s] = useful[s] && !useless[c.Of(State(s))]
	}
	r.keep(useful)
	if len(r.initial) == 0 {
		r.out, r.initial = [][]link{nil}, []State{0}
	}
}

// acceptingComponents tells of each component whether it has an accepting cycle.
func (r *reducible) acceptingComponents(c *Components) []bool {
	seen := make([]uint64, c.Count())
	cyclic := make([]bool, c.Count())
	for s, out := range r.out {
		n := c.Of(State(s))
		for _, e := range out {
			if c.Of(e.to) == n {
				seen[n] |= e.marks
				cyclic[n] = true
			}
		}
	}
	for n := range cyclic {
		cyclic[n] = cyclic[n] && seen[n] == r.all()
	}
	return cyclic
}

// reachable tells of each state whether an initial one leads to it.
func (r *reducible) reachable() []bool {
	return reachableFrom(len(r.out), r.initial, func(s State, visit func(State)) {
		for _, e := range r.out[s] {
			visit(e.to)
		}
	})
}
