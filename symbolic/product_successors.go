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

// successors returns the steps from a state of the product, found one by one from
// what the relations are made of. An error is that of a limit.
func (p *product) successors(from []uint32) ([]productStep, error) {
	var steps []productStep
	dead := true
	for event := range p.space.System.Events {
		if err := p.forest.charged(stepWork * (1 + len(p.space.System.Events[event]))); err != nil {
			return nil, err
		}
		next, possible := p.fire(event, from)
		if !possible {
			continue
		}
		dead = false
		synchronized, err := p.synchronized(event, from, next)
		if err != nil {
			return nil, err
		}
		steps = append(steps, synchronized...)
	}
	if dead {
		synchronized, err := p.synchronized(Stutter, from, from)
		return synchronized, err
	}
	return steps, nil
}

// synchronized returns the steps in which the system takes the event from one vector
// to the next.
func (p *product) synchronized(event int, from, next []uint32) ([]productStep, error) {
	var steps []productStep
	q := p.state.of(from)
	move := func(transfers []transfer) error {
		for _, t := range transfers {
			if err := p.forest.charged(edgeWork); err != nil {
				return err
			}
			if t.from != q || !p.allows(t.events, event, from, next) {
				continue
			}
			accepted := make([]bool, p.sets)
			for f := range accepted {
				accepted[f] = t.marks.Has(f)
			}
			to := slices.Clone(next)
			p.state.put(to, t.to)
			if err := p.forest.charged(stepWork + 4*len(to)); err != nil {
				return err
			}
			steps = append(steps, productStep{event: event, to: to, accepted: accepted})
		}
		return nil
	}
	if err := move(p.crossing); err != nil {
		return nil, err
	}
	for _, x := range p.phases {
		if err := move(x.transfers); err != nil {
			return nil, err
		}
		stutters := func() bool {
			return event == Stutter && p.conditions.holds(p.dead, from) || p.allows(x.stuttering, event, from, next)
		}
		if int(q) < len(x.loops) && x.loops[q] != nil && stutters() {
			steps = append(steps, productStep{event: event, to: slices.Clone(next), accepted: x.loops[q].marks, stutters: true})
		}
	}
	return steps, nil
}

// allows reports whether the group has the event between these states.
func (p *product) allows(g *eventGroup, event int, from, next []uint32) bool {
	return slices.ContainsFunc(g.of(event), func(s guardedStep) bool {
		return p.conditions.holds(s.before, from) && p.conditions.holds(s.after, next)
	})
}

// fire returns the vector after the event, if it is possible.
func (p *product) fire(event int, vector []uint32) (next []uint32, possible bool) {
	guards := p.space.System.Events[event]
	at := func(g Guard) *uint32 { return &vector[p.state.below+p.space.Levels[g.Variable]-1] }
	for _, g := range guards {
		if v := *at(g); v < g.Low || v > g.High {
			return nil, false
		}
	}
	vector = slices.Clone(vector)
	for _, g := range guards {
		*at(g) = displaced(*at(g), g.Delta)
	}
	return vector, true
}
