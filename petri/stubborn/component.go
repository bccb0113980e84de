package stubborn

import (
	"context"

	"pnmc/internal/account"
	"pnmc/internal/components"
	"pnmc/petri"
)

// Component selects a smallest stubborn set for deadlocks, or for properties that stuttering does
// not change.
//
// The idea. The rules say which transitions must be in the set with a transition. That is a graph:
// an edge leads from each transition to those that it asks for. A set is closed under the rules if
// no edge leaves it. A smallest closed set with an enabled transition is what can be reached from
// one strongly connected component. That component has enabled transitions, and leads to no other
// component that has any. So Tarjan's algorithm finds it, in one pass.
//
// Nodes of the graph are the transitions, and three for each place: its users, which take from or
// read it, its raisers, and its lowerers. Where a rule asks for all users of a place, one edge
// leads to that node, and edges lead from there to each of them. So a place with k producers and
// m consumers has about k+m edges, not k·m.
//
// For example, let t1 and t2 both take the one token on p, and let u take the one on q, where
// nobody else does. t1 asks for the users of p: itself and t2. So t1 and t2 are one component, with
// two enabled transitions. u asks for nobody else. It is a component by itself, with one: u is
// fired alone, and the choice between t1 and t2 comes later. Nothing is lost, as u disables neither
// and neither disables u.
//
// For temporal properties all that is fired must be invisible, else the order of visible firings
// would be fixed. A component with a visible enabled transition does not count; if none is left,
// all that is enabled is fired.
//
// A marking costs at most the arcs of the net. Most cost far less: a transition that never needs
// another is fired at once (alone), and the search ends with the first component that has one
// enabled transition.
type Component struct {
	relations *relations
	// visible transitions must not be fired alone. nil means that there are none.
	visible []bool

	search  components.Search
	met     []uint32 // nodes
	enabled stamps
	// rich are the nodes of complete components that have, or lead to, an enabled transition.
	// leads are nodes with an edge to a rich one in another component.
	rich, leads stamps
	best, next  []petri.Transition

	// The edges of node n lie in edges from start[n] to start[n+1]. A disabled transition has
	// one edge only, to the raisers of its scapegoat p, at edges[raisers+p]. end is, for a node
	// that was entered, where its edges end.
	start, edges, end []uint32
	raisers           uint32
	// alone are invisible transitions that ask for no other when they are enabled.
	alone []bool

	transitions, places uint32
}

// NewDeadlocks returns a selection that keeps all reachable deadlocks of net. It promises nothing
// else. An error is that of ctx.
func NewDeadlocks(ctx context.Context, net *petri.Net) (*Component, error) {
	making := account.Of(ctx)
	r, err := relationsOf(making, net)
	if err != nil {
		return nil, err
	}
	return newComponent(r, nil), making.Charge(0)
}

// NewInvisible returns a selection that keeps the runs of net up to stuttering: up to repetition of
// markings that agree on the observed places. The caller must break cycles, as Kripke.Select does
// with acyclic. An error is that of ctx.
func NewInvisible(ctx context.Context, net *petri.Net, observed []petri.Place) (*Component, error) {
	making := account.Of(ctx)
	r, err := relationsOf(making, net)
	if err != nil {
		return nil, err
	}
	return newComponent(r, r.seenAt(observed)), making.Charge(0)
}

// newComponent lays out the graph of dependencies. visible is nil if no transition is.
func newComponent(r *relations, visible []bool) *Component {
	c := &Component{relations: r, visible: visible, transitions: uint32(r.net.Transitions()), places: uint32(r.net.Places())}
	c.makeRoom()
	c.layOut()
	c.alone = make([]bool, c.transitions)
	for t := range c.transitions {
		c.alone[t] = (visible == nil || !visible[t]) && len(c.edgesOf(t)) == 0
	}
	return c
}

// makeRoom makes room for what is found in a marking.
func (c *Component) makeRoom() {
	nodes := int(c.transitions + 3*c.places)
	c.search.Grow(nodes)
	c.enabled, c.rich, c.leads = newStamps(int(c.transitions)), newStamps(nodes), newStamps(nodes)
	c.end = make([]uint32, nodes)
}

// Another returns a selection of the same sets, which another thread may use at the same time.
func (c *Component) Another() *Component {
	a := &Component{
		relations: c.relations, visible: c.visible, transitions: c.transitions, places: c.places,
		start: c.start, edges: c.edges, raisers: c.raisers, alone: c.alone,
	}
	a.makeRoom()
	return a
}

// layOut puts the edges of all nodes one after the other. The nodes of transitions come first, then
// the users of each place, then the raisers, then the lowerers. If a place would lead a transition
// to one other only, as most do, the edge goes straight to that one.
func (c *Component) layOut() {
	r := c.relations
	users, raisers, lowerers := c.transitions, c.transitions+c.places, c.transitions+2*c.places
	c.start = append(c.start, 0)
	next := func() { c.start = append(c.start, uint32(len(c.edges))) }
	for t := range c.transitions {
		lowered := r.loweredBy.of(t)
		for _, p := range lowered {
			list := r.net.Consumers(petri.Place(p))
			switch {
			case len(list) > 2:
				c.edges = append(c.edges, users+p)
			case len(list) == 2:
				c.edges = append(c.edges, uint32(list[0])^uint32(list[1])^t)
			}
		}
		for _, a := range r.net.Pre(petri.Transition(t)) {
			p := uint32(a.Place)
			if len(lowered) > 0 && lowered[0] == p {
				lowered = lowered[1:] // who lowers it is among its users
			} else if len(r.lowers.of(p)) > 0 {
				c.edges = append(c.edges, lowerers+p)
			}
		}
		next()
	}
	for p := range c.places {
		for _, t := range r.net.Consumers(petri.Place(p)) {
			c.edges = append(c.edges, uint32(t))
		}
		next()
	}
	for _, list := range []*rows{&r.raises, &r.lowers} {
		for p := range c.places {
			c.edges = append(c.edges, list.of(p)...)
			next()
		}
	}
	c.raisers = uint32(len(c.edges))
	for p := range c.places {
		to := raisers + p
		if list := r.raises.of(p); len(list) == 1 {
			to = list[0]
		}
		c.edges = append(c.edges, to)
	}
}

// edgesOf returns the edges of a node; of a transition, those that it has where it is enabled.
func (c *Component) edgesOf(node uint32) []uint32 { return c.edges[c.start[node]:c.start[node+1]] }

// Select implements petri.Selection.
func (c *Component) Select(m petri.Marking, enabled []petri.Transition) []petri.Transition {
	if len(enabled) < 2 {
		return enabled
	}
	for i, t := range enabled {
		if c.alone[t] {
			return enabled[i : i+1]
		}
	}
	c.enabled.clear()
	c.rich.clear()
	c.leads.clear()
	for _, t := range enabled {
		c.enabled.add(uint32(t))
	}
	c.best = c.best[:0]
	for _, t := range enabled {
		if !c.search.Met(uint32(t)) && c.explore(m, uint32(t)) {
			break
		}
	}
	c.search.Abandon(c.met)
	c.met = c.met[:0]
	if len(c.best) == 0 {
		return enabled
	}
	return c.best
}

// explore finds the components that root leads to. It reports true, and ends early, if it finds one
// that cannot be smaller.
func (c *Component) explore(m petri.Marking, root uint32) bool {
	c.enter(m, root)
	for c.search.Active() {
		top := c.search.Top()
		if top.Next < c.end[top.Node] {
			to := c.edges[top.Next]
			top.Next++
			switch c.search.Look(top, to) {
			case components.New:
				c.enter(m, to)
			case components.Closed:
				if c.rich.has(to) {
					c.leads.add(top.Node)
				}
			}
			continue
		}
		if members := c.search.Leave(); members != nil && c.complete(members) {
			return true
		}
	}
	return false
}

// enter puts a node on the path.
func (c *Component) enter(m petri.Marking, node uint32) {
	c.met = append(c.met, node)
	first, end := c.start[node], c.start[node+1]
	if node < c.transitions && !c.enabled.has(node) {
		first = c.raisers + c.scapegoat(m, petri.Transition(node))
		end = first + 1
	}
	c.end[node] = end
	c.search.Enter(node, first)
}

// scapegoat returns a place that has too few tokens in m for the disabled transition t: one whose
// raisers were met already, or else the one that fewest transitions raise.
func (c *Component) scapegoat(m petri.Marking, t petri.Transition) uint32 {
	raisers := c.transitions + c.places
	least, place := ^uint32(0), uint32(0)
	for _, a := range c.relations.net.Pre(t) {
		if m[a.Place] >= a.Weight {
			continue
		}
		node := raisers + uint32(a.Place)
		if c.search.Met(c.edges[c.raisers+uint32(a.Place)]) {
			return uint32(a.Place)
		}
		if n := c.start[node+1] - c.start[node]; n < least {
			least, place = n, uint32(a.Place)
		}
	}
	return place
}

// complete looks at a complete component, and keeps its enabled transitions if it is the best so
// far. It reports whether no other can be smaller: it has one enabled transition.
func (c *Component) complete(members []uint32) bool {
	c.next = c.next[:0]
	leads, visible := false, false
	for _, node := range members {
		leads = leads || c.leads.has(node)
		if node < c.transitions && c.enabled.has(node) {
			c.next = append(c.next, petri.Transition(node))
			visible = visible || c.visible != nil && c.visible[node]
		}
	}
	if !leads && len(c.next) == 0 {
		return false
	}
	for _, node := range members {
		c.rich.add(node)
	}
	if c.search.Active() {
		c.leads.add(c.search.Top().Node)
	}
	if leads || visible || len(c.best) > 0 && len(c.best) <= len(c.next) {
		return false
	}
	c.best, c.next = c.next, c.best
	return len(c.best) == 1
}
