package automata

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

// Count is the number of components.
func (c *Components) Count() int { return len(c.start) - 1 }

// Of is the component of s.
func (c *Components) Of(s State) Component { return c.of[s] }

// States are the states of component n; not to be modified.
func (c *Components) States(n Component) []State {
	return c.states[c.start[n]:c.start[n+1]]
}

// Inside reports whether e stays within a component, so that some cycle takes it.
func (c *Components) Inside(a *Automaton, e Edge) bool {
	return c.of[a.source[e]] == c.of[a.destination[e]] && a.Cubes(e) > 0
}

const unvisited = ^uint32(0)

// FindComponents computes the strongly connected components of a by Tarjan's
// algorithm ("Depth-first search and linear graph algorithms", 1972), without
// recursion, in time linear in states and edges. Edges whose label is empty
// are never taken, and not seen.
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
	t := &tarjan{
		start: start, destination: destination, cubeStart: cubeStart, index: make([]uint32, n), low: make([]uint32, n),
		c: &Components{of: make([]Component, n), states: make([]State, 0, n), start: []uint32{0}},
	}
	for s := range t.index {
		t.index[s] = unvisited
	}
	for s := range n {
		if t.index[s] == unvisited {
			t.from(State(s))
		}
	}
	return t.c
}

// tarjan is the depth-first search under way. A state is on the stack while its
// component is not complete, and on the path while its edges are not all seen.
type tarjan struct {
	start       []uint32
	destination []State
	cubeStart   []uint32 // nil, or that of the automaton: edges without cubes are left out
	c           *Components
	index       []uint32 // order of discovery, or unvisited
	low         []uint32 // least index known to be reachable on the stack; closed once complete
	stack       []State
	path        []State
	next        []uint32 // first edge not yet seen of each state on the path
	count       uint32
}

const closed = ^uint32(0)

func (t *tarjan) discover(s State) {
	t.index[s], t.low[s] = t.count, t.count
	t.count++
	t.stack = append(t.stack, s)
	t.path = append(t.path, s)
	t.next = append(t.next, t.start[s])
}

// from completes the components reachable from root.
func (t *tarjan) from(root State) {
	t.discover(root)
	for len(t.path) > 0 {
		top := len(t.path) - 1
		s := t.path[top]
		if e := t.next[top]; e < t.start[s+1] {
			t.next[top]++
			d := t.destination[e]
			switch {
			case t.cubeStart != nil && t.cubeStart[e] == t.cubeStart[e+1]:
			case t.index[d] == unvisited:
				t.discover(d)
			case t.low[d] != closed:
				t.low[s] = min(t.low[s], t.index[d])
			}
			continue
		}
		t.path, t.next = t.path[:top], t.next[:top]
		if top > 0 {
			parent := t.path[top-1]
			t.low[parent] = min(t.low[parent], t.low[s])
		}
		if t.low[s] == t.index[s] {
			t.complete(s)
		}
	}
}

// complete closes the component whose first discovered state is s.
func (t *tarjan) complete(s State) {
	n := Component(t.c.Count())
	for {
		top := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.low[top] = closed
		t.c.of[top] = n
		t.c.states = append(t.c.states, top)
		if top == s {
			break
		}
	}
	t.c.start = append(t.c.start, uint32(len(t.c.states)))
}
