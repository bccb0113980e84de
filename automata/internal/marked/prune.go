package marked

import (
	"context"

	"pnmc/automata"
)

// Prune drops the states of a generalized Büchi automaton that no accepting run visits.
// It also drops the marks that do not matter: those on edges that lie on no cycle, and
// those in components without accepting cycle. An automaton that accepts nothing
// becomes one state without edges. Linear in states and edges.
func Prune(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	return Transform(ctx, a, func(_ context.Context, r *Reducible) error {
		r.Prune()
		return nil
	})
}

// Prune prunes in place, as the function Prune describes. One pass over the components finds what is useful,
// as successors have lower numbers.
//
// For example, from the initial state 0 one edge leads to 1, which has a loop in all sets, and
// one to 2, which has a loop in no set. State 2 is dropped with the edge to it, and the marks of
// the edge from 0 to 1, which no run takes twice, are cleared.
func (r *Reducible) Prune() {
	c := r.Components()
	accepting := r.AcceptingComponents(c)
	useful := r.Reachable()
	useless := make([]bool, c.Count())
	for n := range c.Count() { // successors have lower numbers
		useless[n] = !accepting[n]
		for _, s := range c.States(automata.Component(n)) {
			for i, e := range r.Out[s] {
				to := c.Of(e.To)
				if to != automata.Component(n) && !useless[to] {
					useless[n] = false
				}
				if to != automata.Component(n) || !accepting[n] {
					r.Out[s][i].Marks = 0
				}
			}
		}
	}
	for s := range useful {
		useful[s] = useful[s] && !useless[c.Of(automata.State(s))]
	}
	r.Keep(useful)
	if len(r.Initial) == 0 {
		r.Out, r.Initial = [][]Link{nil}, []automata.State{0}
	}
}

// AcceptingComponents returns for each component whether it has an accepting cycle: whether it has a
// cycle, and its edges together are in all sets. A run can go round such a component so that it takes
// each of them again and again.
func (g *Graph) AcceptingComponents(c *automata.Components) []bool {
	seen := make([]uint64, c.Count())
	cyclic := make([]bool, c.Count())
	for s, out := range g.Out {
		n := c.Of(automata.State(s))
		for _, e := range out {
			if c.Of(e.To) == n {
				seen[n] |= e.Marks
				cyclic[n] = true
			}
		}
	}
	for n := range cyclic {
		cyclic[n] = cyclic[n] && seen[n] == g.All()
	}
	return cyclic
}

// Reachable returns for each state whether an initial one leads to it.
func (r *Reducible) Reachable() []bool { return r.ReachableFrom(r.Initial) }

// ReachableFrom returns for each state whether one of those leads to it.
func (g *Graph) ReachableFrom(from []automata.State) []bool {
	return automata.ReachableFrom(len(g.Out), from, func(s automata.State, visit func(automata.State)) {
		for _, e := range g.Out[s] {
			visit(e.To)
		}
	})
}
