package stubborn

import (
	"context"
	"math"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Closure selects what the first two rules want with the transitions that may bring some goal
// nearer.
type Closure struct {
	relations  *relations
	conditions []*condition
	open       []*condition // that are looked for

	enabled stamps
	members stamps // of T
	users   stamps // places whose consumers are in T
	raisers stamps // places whose raising transitions are in T
	todo    []uint32
	chosen  []petri.Transition
}

// NewGoals is a selection that keeps, for each of the goals, the distance to the nearest
// marking where it holds, and the largest value of each sum. An error is that of ctx.
func NewGoals(ctx context.Context, net *petri.Net, goals []Goal) (*Closure, error) {
	var making account.Account
	making.Begin(ctx)
	r, err := relationsOf(&making, net)
	if err != nil {
		return nil, err
	}
	c := &Closure{
		relations: r, enabled: newStamps(net.Transitions()), members: newStamps(net.Transitions()),
		users: newStamps(net.Places()), raisers: newStamps(net.Places()),
	}
	for _, g := range goals {
		laidOut := newCondition(&making, r, g)
		if err := making.Charge(0); err != nil {
			return nil, err
		}
		c.conditions = append(c.conditions, laidOut)
	}
	c.open = append(c.open, c.conditions...)
	return c, nil
}

// Keep drops all goals but those with these numbers: what only others need is left out from
// now on.
func (c *Closure) Keep(open []int) {
	c.open = c.open[:0]
	for _, i := range open {
		c.open = append(c.open, c.conditions[i])
	}
}

// Select implements petri.Selection. It may select nothing: then no goal can be reached.
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

// scapegoat is a place that has too few tokens in m for the disabled transition t: one that is
// known already, or else one that few transitions raise.
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

// include puts transitions into T.
func (c *Closure) include(transitions []uint32) {
	for _, t := range transitions {
		if c.members.add(t) {
			c.todo = append(c.todo, t)
		}
	}
}

// seed puts the transitions into T that may bring o nearer, which does not hold.
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
