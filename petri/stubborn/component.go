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
// enabled transition. It is given up when it has cost much more than to fire all that is enabled
// (patience): then the best component so far is taken, or all is fired.
type Component struct {
	search
	tarjan components.Search
	// visible transitions must not be fired alone. nil means that there are none.
	visible []bool
	// alone are invisible transitions that ask for no other when they are enabled.
	alone []bool

	entered []uint32 // nodes
	last    []uint32 // of nodes that were entered: where their edges end
	// rich are the nodes of complete components that have, or lead to, an enabled transition.
	// leads are nodes with an edge to a rich one in another component.
	rich, leads stamps
	best, next  []petri.Transition
}

// The search of a marking ends when it has looked at firstPatience nodes, edges and arcs, and
// patience for each enabled transition.
const (
	firstPatience = 1 << 10
	patience      = 1 << 7
)

// NewDeadlocks returns a selection that keeps all reachable deadlocks of net. It promises nothing
// else. Facts must hold of the net; the more invariants, the less is fired. An error is that of ctx.
func NewDeadlocks(ctx context.Context, net *petri.Net, facts petri.Facts) (*Component, error) {
	making := account.Of(ctx)
	r, err := relationsOf(making, net)
	if err != nil {
		return nil, err
	}
	return newComponent(making, r, facts, nil)
}

// NewInvisible returns a selection that keeps the runs of net up to stuttering: up to repetition of
// markings that agree on the observed places. The caller must break cycles, as Kripke.Select does
// with acyclic. Facts must hold of the net. An error is that of ctx.
func NewInvisible(ctx context.Context, net *petri.Net, facts petri.Facts, observed []petri.Place) (*Component, error) {
	making := account.Of(ctx)
	r, err := relationsOf(making, net)
	if err != nil {
		return nil, err
	}
	return newComponent(making, r, facts, r.seenAt(observed))
}

// newComponent lays out the graph of dependencies. visible is nil if no transition is.
func newComponent(a *account.Account, r *relations, facts petri.Facts, visible []bool) (*Component, error) {
	g, err := newGraph(a, r, facts, true)
	if err != nil {
		return nil, err
	}
	alone := make([]bool, g.transitions)
	for t := range g.transitions {
		alone[t] = (visible == nil || !visible[t]) && len(g.edgesOf(t)) == 0
	}
	return componentOf(g, visible, alone), nil
}

// componentOf makes room for what is found in a marking.
func componentOf(g *graph, visible, alone []bool) *Component {
	c := &Component{
		search: newSearch(g), visible: visible, alone: alone,
		last: make([]uint32, g.nodes()), rich: newStamps(g.nodes()), leads: newStamps(g.nodes()),
	}
	c.tarjan.Grow(g.nodes())
	return c
}

// Another returns a selection of the same sets, which another thread may use at the same time.
func (c *Component) Another() *Component { return componentOf(c.graph, c.visible, c.alone) }

// Select implements petri.Selection.
func (c *Component) Select(m petri.Marking, enabled []petri.Transition) []petri.Transition {
	c.looked = 0
	if len(enabled) < 2 {
		return enabled
	}
	for i, t := range enabled {
		if c.alone[t] {
			c.looked = i + 1
			return enabled[i : i+1]
		}
	}
	c.begin(m, enabled)
	c.rich.clear()
	c.leads.clear()
	c.best = c.best[:0]
	most := firstPatience + patience*len(enabled)
	for _, t := range enabled {
		if !c.tarjan.Met(uint32(t)) && c.explore(m, uint32(t), most) {
			break
		}
	}
	c.tarjan.Abandon(c.entered)
	c.entered = c.entered[:0]
	if len(c.best) == 0 {
		return enabled
	}
	return c.best
}

// explore finds the components that root leads to. It reports true, and ends early, if it finds one
// that cannot be smaller, or has looked at most.
func (c *Component) explore(m petri.Marking, root uint32, most int) bool {
	c.enter(m, root)
	for c.tarjan.Active() {
		top := c.tarjan.Top()
		if top.Next < c.last[top.Node] {
			to := c.at(top.Next)
			top.Next++
			c.looked++
			switch c.tarjan.Look(top, to) {
			case components.New:
				if c.looked > most {
					return true
				}
				c.enter(m, to)
			case components.Closed:
				if c.rich.has(to) {
					c.leads.add(top.Node)
				}
			}
			continue
		}
		if members := c.tarjan.Leave(); members != nil && c.complete(members) {
			return true
		}
	}
	return false
}

// enter puts a node on the path.
func (c *Component) enter(m petri.Marking, node uint32) {
	c.entered = append(c.entered, node)
	c.met.add(node)
	c.looked++
	first, end := c.edgesIn(m, node)
	c.last[node] = end
	c.tarjan.Enter(node, first)
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
	if c.tarjan.Active() {
		c.leads.add(c.tarjan.Top().Node)
	}
	if leads || visible || len(c.best) > 0 && len(c.best) <= len(c.next) {
		return false
	}
	c.best, c.next = c.next, c.best
	return len(c.best) == 1
}
