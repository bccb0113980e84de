package automata

import "pnmc/internal/components"

// Component numbers a strongly connected component of an automaton. No edge
// leads to a component with a higher number.
type Component uint32

// Components are the strongly connected components of an automaton, of its
// unreachable states too.
type Components struct {
	of     []Component
	states []State  // grouped by component
	start  []uint32 // Count()+1 offsets into states
}

// Count returns the number of components.
func (c *Components) Count() int { return len(c.start) - 1 }

// Of returns the component of s.
func (c *Components) Of(s State) Component { return c.of[s] }

// States returns the states of component n; not to be modified.
func (c *Components) States(n Component) []State {
	return c.states[c.start[n]:c.start[n+1]]
}

// Inside reports whether e stays within a component, so that some cycle takes it.
func (c *Components) Inside(a *Automaton, e Edge) bool {
	return c.of[a.source[e]] == c.of[a.destination[e]] && a.Cubes(e) > 0
}

// FindComponents computes the strongly connected components of a, in time linear in states
// and edges. Edges whose label is empty are never taken, and not seen.
func FindComponents(a *Automaton) *Components {
	var cubeStart []uint32
	for e := range Edge(a.Edges()) {
		if a.Cubes(e) == 0 {
			cubeStart = a.cubeStart
			break
		}
	}
	return findComponents(a.edgeStart, a.destination, cubeStart)
}

// ComponentsOf computes the strongly connected components of a graph as FindComponents
// does: the edges of state s lead to destination[start[s]:start[s+1]].
func ComponentsOf(start []uint32, destination []State) *Components {
	return findComponents(start, destination, nil)
}

// findComponents leaves out the edges that have no cubes, if these are given.
func findComponents(start []uint32, destination []State, cubeStart []uint32) *Components {
	n := len(start) - 1
	c := &Components{of: make([]Component, n), states: make([]State, 0, n), start: []uint32{0}}
	var search components.Search
	search.Grow(n)
	for root := range uint32(n) {
		if search.Met(root) {
			continue
		}
		search.Enter(root, start[root])
		for search.Active() {
			top := search.Top()
			if e := top.Next; e < start[top.Node+1] {
				top.Next++
				if cubeStart != nil && cubeStart[e] == cubeStart[e+1] {
					continue
				}
				if d := uint32(destination[e]); search.Look(top, d) == components.New {
					search.Enter(d, start[d])
				}
			} else if members := search.Leave(); members != nil {
				c.add(members)
			}
		}
	}
	return c
}

// add makes members the next component: the last one met is its first state.
func (c *Components) add(members []uint32) {
	for i := len(members) - 1; i >= 0; i-- {
		s := State(members[i])
		c.of[s] = Component(c.Count())
		c.states = append(c.states, s)
	}
	c.start = append(c.start, uint32(len(c.states)))
}
