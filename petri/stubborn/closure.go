package stubborn

import (
	"context"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Closure selects a stubborn set for goals: the transitions that may bring some goal nearer, and
// all that the first two rules of the package comment want with them.
//
// It works off a list. At first the list has the interesting transitions of each open goal (seed).
// Each transition of the list asks for others. A disabled one names a place that has too few tokens
// for it, its scapegoat, and asks for all that raise that place. An enabled one asks for all that
// take from or read a place that it lowers. When the list is empty the set is stubborn, and its
// enabled members are fired.
//
// For example, let the goal be a token on d, and let the net be two chains side by side: a→b→c→d by
// t1, t2 and t3, and e→f→g by u1 and u2. With tokens on a and e, only t3 raises d. It is disabled:
// c is its scapegoat, t2 raises c, and in turn t1 raises b. t1 is enabled, and lowers a, which
// nobody else uses. So the set is {t1, t2, t3}, and of the two enabled transitions only t1 is
// fired. The other chain waits for ever, and the goal is found after 3 steps, in 4 markings instead
// of up to 12.
//
// The choice of a scapegoat is free. A good one is already in the set, or is raised by few. If a
// goal holds, or nothing is known of it, all that is enabled is fired.
//
// It costs at most the arcs of the net for each marking, and mostly those near the goal.
type Closure struct {
	search
	conditions []*condition
	open       []*condition // those that are still looked for

	list   []uint32 // nodes of the set whose edges are not looked at
	chosen []petri.Transition
}

// NewGoals returns a selection for goals. It keeps the distance to the nearest marking where each
// predicate holds, and the largest value of each sum. Facts must hold of the net. An error is that of
// ctx.
func NewGoals(ctx context.Context, net *petri.Net, facts petri.Facts, goals []Goal) (*Closure, error) {
	making := account.Of(ctx)
	r, err := relationsOf(making, net)
	if err != nil {
		return nil, err
	}
	g, err := newGraph(making, r, facts, false)
	if err != nil {
		return nil, err
	}
	c := &Closure{search: newSearch(g)}
	for _, g := range goals {
		laidOut := newCondition(making, r, g)
		if err := making.Charge(0); err != nil {
			return nil, err
		}
		c.conditions = append(c.conditions, laidOut)
	}
	c.open = append(c.open, c.conditions...)
	return c, nil
}

// Another returns a selection for the same goals, those that were dropped included, which another
// thread may use at the same time.
func (c *Closure) Another() *Closure {
	a := &Closure{search: newSearch(c.graph)}
	for _, o := range c.conditions {
		a.conditions = append(a.conditions, o.another())
	}
	a.open = append(a.open, a.conditions...)
	return a
}

// Keep drops all goals but those with these numbers. From now on, firings that only others need are
// left out.
func (c *Closure) Keep(open []int) {
	c.open = c.open[:0]
	for _, i := range open {
		c.open = append(c.open, c.conditions[i])
	}
}

// Select implements petri.Selection. If it selects nothing, no goal can be reached from m.
func (c *Closure) Select(m petri.Marking, enabled []petri.Transition) []petri.Transition {
	c.begin(m, enabled)
	c.chosen, c.list = c.chosen[:0], c.list[:0]
	for _, o := range c.open {
		c.looked += len(o.nodes)
		if !o.evaluate(c.relations, m, enabled) {
			return enabled
		}
		c.seed(o, m, enabled)
	}
	for len(c.list) > 0 {
		node := c.list[len(c.list)-1]
		c.list = c.list[:len(c.list)-1]
		c.looked++
		if node < c.transitions && c.enabled.has(node) {
			if c.chosen = append(c.chosen, petri.Transition(node)); len(c.chosen) == len(enabled) {
				return enabled
			}
		}
		first, end := c.edgesIn(m, node)
		c.looked += int(end - first)
		for edge := first; edge < end; edge++ {
			c.include(c.at(edge))
		}
	}
	return c.chosen
}

// include puts a node into the set.
func (c *Closure) include(node uint32) {
	if c.met.add(node) {
		c.list = append(c.list, node)
	}
}

// includeAll puts transitions into the set.
func (c *Closure) includeAll(transitions []uint32) {
	c.looked += len(transitions)
	for _, t := range transitions {
		c.include(t)
	}
}

// seed puts the transitions into the set that may bring o nearer, which does not hold. For a
// conjunction one operand that does not hold is enough: as long as it fails, so does the
// conjunction.
func (c *Closure) seed(o *condition, m petri.Marking, enabled []petri.Transition) {
	o.todo = append(o.todo[:0], int32(len(o.nodes)-1))
	for len(o.todo) > 0 {
		i := o.todo[len(o.todo)-1]
		o.todo = o.todo[:len(o.todo)-1]
		n := &o.nodes[i]
		switch n.kind {
		case always, never, alive:
		case both:
			for _, operand := range o.operands[n.first:n.end] {
				if !o.holds[operand] && o.interest[operand] == o.interest[i] {
					o.todo = append(o.todo, operand)
					break
				}
			}
		case either:
			o.todo = append(o.todo, o.operands[n.first:n.end]...)
		case deadlock:
			for _, a := range c.relations.net.Pre(enabled[o.key]) {
				c.includeAll(c.relations.lowers.of(uint32(a.Place)))
			}
			for _, a := range c.relations.net.Ceilings(enabled[o.key]) {
				c.includeAll(c.relations.raises.of(uint32(a.Place)))
			}
		default:
			sum, _ := o.value(n, m)
			raising, lowering := n.ways(sum)
			c.includeAll(raising)
			c.includeAll(lowering)
		}
	}
}
