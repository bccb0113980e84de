package symbolic

import "pnmc/automata"

// A stutterGraph has the edges of an automaton that match one valuation: the
// steps while nothing changes.
type stutterGraph struct {
	automaton  *automata.Automaton
	out        [][]automata.Edge
	components *automata.Components
	accepted   []bool // by component: it has an accepted cycle
}

func newStutterGraph(a *automata.Automaton, edges []automata.Edge) *stutterGraph {
	g := &stutterGraph{automaton: a, out: make([][]automata.Edge, a.States())}
	b := automata.NewBuilder(nil, a.Acceptance)
	b.AddStates(a.States())
	for _, e := range edges {
		g.out[a.Source(e)] = append(g.out[a.Source(e)], e)
		b.AddEdge(a.Source(e), automata.Label{automata.NewCube(0)}, a.Marks(e), a.Destination(e))
	}
	matching, err := b.Build()
	if err != nil {
		panic(stop{err})
	}
	g.components = automata.FindComponents(matching)
	if g.accepted, err = automata.AcceptingComponents(matching, g.components); err != nil {
		panic(stop{err})
	}
	return g
}

// lasts tells whether a run that stutters for ever in the component of q is
// accepted.
func (g *stutterGraph) lasts(q automata.State) bool { return g.accepted[g.components.Of(q)] }

// entries are the states where an edge to q leads when steps that stutter are
// left out: q, and each state of an accepted component that a sequence of them
// from q can enter first. Steps inside an accepted component go nowhere new.
func (g *stutterGraph) entries(q automata.State) []automata.State {
	list, reached := []automata.State{q}, []automata.State{q}
	seen := make([]bool, len(g.out))
	seen[q] = true
	for i := 0; i < len(reached); i++ {
		c := g.components.Of(reached[i])
		for _, e := range g.out[reached[i]] {
			to := g.automaton.Destination(e)
			if seen[to] || len(g.out[to]) == 0 || g.accepted[c] && g.components.Of(to) == c {
				continue
			}
			seen[to] = true
			reached = append(reached, to)
			if g.lasts(to) {
				list = append(list, to)
			}
		}
	}
	return list
}
