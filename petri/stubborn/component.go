package stubborn

import (
	"context"

	"pnmc/internal/account"
	"pnmc/internal/components"
	"pnmc/petri"
)

// Component selects the enabled transitions of a smallest strongly connected component of the
// graph that the three rules span on transitions. Nodes of the graph are transitions, and for
// each place those that take from or read it, those that raise it, and those that lower it;
// a transition leads to the sets that must be in T with it, a set to its members. A component
// with enabled transitions from which no other such component is reached is stubborn,
// together with all that it leads to.
type Component struct {
	relations *relations
	// visible transitions must not be fired alone; nil: there are none.
	visible []bool

	search  components.Search
	met     []uint32 // nodes
	enabled stamps
	// rich are nodes of complete components that have, or lead to, an enabled transition;
	// leads are nodes from which an edge leads to one.
	rich, leads stamps
	best, next  []petri.Transition

	// Edges of a node are those from edges[start] to edges[start of the next]; a disabled
	// transition has one, at the scapegoat's position in edges, from raisers on. end is where
	// those of a node on the path end.
	start, edges, end []uint32
	raisers           uint32
	// alone are transitions that need no other with them when they are enabled.
	alone []bool

	transitions, places uint32
}

// NewDeadlocks is a selection that keeps all reachable deadlocks of net, and no more. An error
// is that of ctx.
func NewDeadlocks(ctx context.Context, net *petri.Net) (*Component, error) {
	var making account.Account
	making.Begin(ctx)
	r, err := relationsOf(&making, net)
	if err != nil {
		return nil, err
	}
	return newComponent(r, nil), making.Charge(0)
}

// NewInvisible is a selection that keeps, with cycles broken, the runs of net up to
// repetition of markings that agree on the observed places. An error is that of ctx.
func NewInvisible(ctx context.Context, net *petri.Net, observed []petri.Place) (*Component, error) {
	var making account.Account
	making.Begin(ctx)
	r, err := relationsOf(&making, net)
	if err != nil {
		return nil, err
	}
	visible := make([]bool, net.Transitions())
	for _, p := range observed {
		for _, list := range [][]uint32{r.raises.of(uint32(p)), r.lowers.of(uint32(p))} {
			for _, t := range list {
				visible[t] = true
			}
		}
	}
	return newComponent(r, visible), making.Charge(0)
}

func newComponent(r *relations, visible []bool) *Component {
	c := &Component{relations: r, visible: visible, transitions: uint32(r.net.Transitions()), places: uint32(r.net.Places())}
	nodes := int(c.transitions + 3*c.places)
	c.search.Grow(nodes)
	c.enabled, c.rich, c.leads = newStamps(int(c.transitions)), newStamps(nodes), newStamps(nodes)
	c.end = make([]uint32, nodes)
	c.layOut()
	c.alone = make([]bool, c.transitions)
	for t := range c.transitions {
		c.alone[t] = (visible == nil || !visible[t]) && len(c.edgesOf(t)) == 0
	}
	return c
}

// layOut puts the edges of all nodes one after the other. The nodes of places follow those of
// transitions: first who uses each place, then who raises it, then who lowers it. Where a place
// leads a transition to one other only, that takes the place's place, as most often.
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

// edgesOf are the edges of a node; of a transition, those that it has where it is enabled.
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

// explore finds all components that root leads to. It reports true, and ends earlier, if one
// is found that can't be smaller.
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

// scapegoat is a place that has too few tokens in m for the disabled transition t: one that is
// known already, or else one that few transitions raise.
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

// complete looks at a complete component. It reports whether that is a stubborn set which no
// other is smaller than.
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
