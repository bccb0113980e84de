package stubborn

import (
	"context"
	"math"

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
	relations  *relations
	conditions []*condition
	open       []*condition // those that are still looked for

	enabled stamps
	members stamps // of T
	users   stamps // places whose consumers are in T
	raisers stamps // places whose raising transitions are in T
	todo    []uint32
	chosen  []petri.Transition
}

// NewGoals returns a selection for goals. It keeps the distance to the nearest marking where each
// predicate holds, and the largest value of each sum. An error is that of ctx.
func NewGoals(ctx context.Context, net *petri.Net, goals []Goal) (*Closure, error) {
	making := account.Of(ctx)
	r, err := relationsOf(making, net)
	if err != nil {
		return nil, err
	}
	c := newClosure(r)
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

// newClosure returns one without goals.
func newClosure(r *relations) *Closure {
	places, transitions := r.net.Places(), r.net.Transitions()
	return &Closure{relations: r, enabled: newStamps(transitions), members: newStamps(transitions), users: newStamps(places), raisers: newStamps(places)}
}

// Another returns a selection for the same goals, those that were dropped included, which another
// thread may use at the same time.
func (c *Closure) Another() *Closure {
	a := newClosure(c.relations)
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
	for _, s := range []*stamps{&c.enabled, &c.members, &c.users, &c.raisers} {
		s.clear()
	}
	for _, t := range enabled {
		c.enabled.add(uint32(t))
	}
	c.chosen, c.todo = c.chosen[:0], c.todo[:0]
	for _, o := range c.open {
		if !o.evaluate(c.relations, m, enabled) {
			return enabled
		}
		c.seed(o, m, enabled)
	}
	r := c.relations
	for len(c.todo) > 0 {
		t := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		if !c.enabled.has(t) {
			if p := c.scapegoat(m, petri.Transition(t)); c.raisers.add(p) {
				c.include(r.raises.of(p))
			}
			continue
		}
		if c.chosen = append(c.chosen, petri.Transition(t)); len(c.chosen) == len(enabled) {
			return enabled
		}
		for _, p := range r.loweredBy.of(t) {
			if c.users.add(p) {
				for _, u := range r.net.Consumers(petri.Place(p)) {
					if c.members.add(uint32(u)) {
						c.todo = append(c.todo, uint32(u))
					}
				}
			}
		}
	}
	return c.chosen
}

// scapegoat returns a place that has too few tokens in m for the disabled transition t: one whose
// raising transitions are in the set already, or else the one that fewest transitions raise.
func (c *Closure) scapegoat(m petri.Marking, t petri.Transition) uint32 {
	least, place := math.MaxInt, uint32(0)
	for _, a := range c.relations.net.Pre(t) {
		if p := uint32(a.Place); m[a.Place] < a.Weight {
			if c.raisers.has(p) {
				return p
			}
			if n := len(c.relations.raises.of(p)); n < least {
				least, place = n, p
			}
		}
	}
	return place
}

// include puts transitions into the set.
func (c *Closure) include(transitions []uint32) {
	for _, t := range transitions {
		if c.members.add(t) {
			c.todo = append(c.todo, t)
		}
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
				c.include(c.relations.lowers.of(uint32(a.Place)))
			}
		default:
			sum, _ := o.value(n, m)
			raising, lowering := n.ways(sum)
			c.include(raising)
			c.include(lowering)
		}
	}
}
