package symbolic

import "slices"

// A productStep leads from a state of the product to another.
type productStep struct {
	event    int
	to       []uint32
	accepted []bool // by acceptance set
	stutters bool   // it is one of T∅
}

// Single steps are found by the conditions of the guarded steps, not by rules: a run
// that relations led to is thereby confirmed by other code, before the checker
// replays it on the model.

// successors are the steps from a state of the product, found one by one from
// what the relations are made of.
func (p *product) successors(from []uint32) []productStep {
	var steps []productStep
	dead := true
	for event := range p.space.System.Events {
		if next, possible := p.fire(event, from); possible {
			dead = false
			steps = append(steps, p.synchronized(event, from, next)...)
		}
	}
	if dead {
		steps = append(steps, p.synchronized(Stutter, from, from)...)
	}
	return steps
}

// synchronized are the steps in which the system takes the event from one vector
// to the next.
func (p *product) synchronized(event int, from, next []uint32) []productStep {
	var steps []productStep
	q := p.state.of(from)
	move := func(transfers []transfer) {
		for _, t := range transfers {
			if t.from != q || !p.allows(t.events, event, from, next) {
				continue
			}
			accepted := make([]bool, p.sets)
			for f := range accepted {
				accepted[f] = t.marks.Has(f)
			}
			to := slices.Clone(next)
			p.state.put(to, t.to)
			steps = append(steps, productStep{event: event, to: to, accepted: accepted})
		}
	}
	move(p.crossing)
	for _, x := range p.phases {
		move(x.transfers)
		if int(q) < len(x.loops) && x.loops[q] != nil && p.allows(p.withDeadlocks(x.stuttering), event, from, next) {
			steps = append(steps, productStep{event: event, to: slices.Clone(next), accepted: x.loops[q].marks, stutters: true})
		}
	}
	return steps
}

// allows tells whether the group has the event between these states.
func (p *product) allows(g *eventGroup, event int, from, next []uint32) bool {
	return slices.ContainsFunc(g.events, func(s guardedStep) bool {
		return s.event == event && p.conditions.holds(s.before, from) && p.conditions.holds(s.after, next)
	})
}

// fire is the vector after the event, if it is possible.
func (p *product) fire(event int, vector []uint32) (next []uint32, possible bool) {
	for _, s := range p.steps(event) {
		if v := vector[s.Level-1]; v < s.Low || v > s.High {
			return nil, false
		}
	}
	next = slices.Clone(vector)
	for _, s := range p.steps(event) {
		next[s.Level-1] = displaced(next[s.Level-1], s.Delta)
	}
	return next, true
}
