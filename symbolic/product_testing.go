package symbolic

import (
	"fmt"
	"maps"
	"slices"

	"pnmc/automata"
)

// buildTesting builds the relations of Definition 10 for a testing automaton as
// Definition 8 has it.
func (p *product) buildTesting(a *automata.Automaton) {
	events := p.changesets()
	// The states from which valuations are read serve to find the first states only.
	initial := make([]bool, a.States())
	for _, q := range a.Initial() {
		initial[q] = true
		first, end := a.Out(q)
		for e := first; e < end; e++ {
			if p.conditions.holds(p.label(a, e), p.initialVector()) {
				p.addStart(a.Destination(e))
			}
		}
	}
	changesets := slices.Sorted(maps.Keys(events))
	p.lasts = make([][]condition, a.States())
	empty := make(automata.Valuation, a.ValuationWords())
	groups := map[string]*eventGroup{}
	var transfers []transfer
	for q := range automata.State(a.States()) {
		if initial[q] {
			continue
		}
		p.lasts[q] = p.stutteringMarks(a, q)
		valuation := make(automata.Valuation, a.ValuationWords())
		first, end := a.Out(q)
		for e := first; e < end; e++ {
			var taken []uint64
			for _, c := range changesets {
				if valuation[0] = c; c != 0 && a.Matches(e, valuation) {
					taken = append(taken, c)
				}
			}
			if p.lasts[q] == nil && a.Matches(e, empty) {
				taken = append(taken, 0)
			}
			key := fmt.Sprint(taken)
			if groups[key] == nil {
				groups[key] = &eventGroup{}
				for _, c := range taken {
					groups[key].events = append(groups[key].events, events[c].events...)
				}
			}
			transfers = append(transfers, transfer{q, a.Destination(e), a.Marks(e), groups[key]})
		}
	}
	p.stuttering = events[0]
	p.relate(transfers)
	p.relateStuttering(func(q automata.State) bool { return initial[q] })
}

// stutteringMarks tells in which acceptance sets stuttering in q is, or nil if the
// empty changeset does not loop there, or leads elsewhere too: whether q has the
// part of δ∅ that Definition 7 asks for.
func (p *product) stutteringMarks(a *automata.Automaton, q automata.State) []condition {
	empty := make(automata.Valuation, a.ValuationWords())
	marks := make([]condition, p.sets) // never
	loops := false
	first, end := a.Out(q)
	for e := first; e < end; e++ {
		if !a.Matches(e, empty) {
			continue
		}
		if a.Destination(e) != q {
			return nil
		}
		loops = true
		for f := range marks {
			if a.Marks(e).Has(f) { // loops can be taken in turn
				marks[f] = always
			}
		}
	}
	if !loops {
		return nil
	}
	return marks
}

// relateStuttering makes the relations in which T∅ takes part, once those of T*
// are made. States that idle says are none of the product.
//
// If all states have a stuttering loop, T∅ has no step at the automaton's levels:
// the predicate equal(q, q') of Equation (1) is simplified away. Otherwise T∅ is
// left to those that do.
func (p *product) relateStuttering(idle func(q automata.State) bool) {
	unconditional := true
	for q, marks := range p.lasts {
		unconditional = unconditional && (marks != nil || idle(automata.State(q)))
	}
	moving := &eventGroup{} // without loops of deadlocked states
	for _, e := range p.stuttering.events {
		if e.event != Stutter {
			moving.events = append(moving.events, e)
		}
	}
	if unconditional {
		p.stutter = p.relation(nil, p.stuttering)
		p.closure = p.relation(nil, moving)
		p.reach = p.relation(p.transfers, moving)
	} else {
		p.stutter = p.relation(p.loops(p.stuttering), nil)
		p.closure = p.relation(p.loops(moving), nil)
		p.reach = p.relation(append(p.loops(moving), p.transfers...), nil)
	}
	for f := range p.sets + 1 {
		var guards []transfer
		for q, marks := range p.lasts {
			if marks == nil {
				continue
			}
			c := always
			for i, m := range marks {
				if i == f || f == p.sets {
					c = p.conditions.and(c, m)
				}
			}
			if c != never {
				only := &eventGroup{events: []guardedStep{{Stutter, c, always}}}
				guards = append(guards, transfer{automata.State(q), automata.State(q), nil, only})
			}
		}
		p.lasting = append(p.lasting, p.relation(guards, nil))
	}
}

// loops are transfers from each state that stutters to itself.
func (p *product) loops(events *eventGroup) (loops []transfer) {
	for q, marks := range p.lasts {
		if marks != nil {
			loops = append(loops, transfer{automata.State(q), automata.State(q), nil, events})
		}
	}
	return loops
}

// changesets are, for each set of propositions that some event changes, the
// events while they do: the R⊕ of Definition 9. The empty one has the loops of
// deadlocked states.
func (p *product) changesets() map[uint64]*eventGroup {
	groups := map[uint64]*eventGroup{0: {}}
	p.split(func(s guardedStep, changed uint64) {
		if groups[changed] == nil {
			groups[changed] = &eventGroup{}
		}
		groups[changed].events = append(groups[changed].events, s)
	})
	groups[0].events = append(groups[0].events, guardedStep{Stutter, p.dead, always})
	return groups
}

// split calls put with the events while they change each set of propositions
// that they can change. Events are split by the values of the propositions that
// depend on a variable they change, as far as that is possible.
func (p *product) split(put func(s guardedStep, changed uint64)) {
	supports := make([][]bool, len(p.propositions))
	for i, c := range p.propositions {
		supports[i] = make([]bool, p.forest.height+1)
		p.conditions.depends(c, supports[i], map[condition]bool{})
	}
	t := p.conditions
	for event := range p.space.System.Events {
		steps := p.steps(event)
		possible := newGuardedEvent(p.pieces, t, steps)
		var affected []int
		for i, support := range supports {
			if slices.ContainsFunc(steps, func(s Step) bool { return s.Delta != 0 && support[s.Level] }) {
				affected = append(affected, i)
			}
		}
		var visit func(affected []int, before, after condition, changed uint64)
		visit = func(affected []int, before, after condition, changed uint64) {
			if !possible.rule(0, before, after).possible {
				return
			}
			if len(affected) == 0 {
				put(guardedStep{event, before, after}, changed)
				return
			}
			i, rest := affected[0], affected[1:]
			yes := p.propositions[i]
			no := t.not(yes)
			visit(rest, t.and(before, yes), t.and(after, yes), changed)
			visit(rest, t.and(before, no), t.and(after, no), changed)
			visit(rest, t.and(before, yes), t.and(after, no), changed|1<<(i%64))
			visit(rest, t.and(before, no), t.and(after, yes), changed|1<<(i%64))
		}
		visit(affected, always, always, 0)
	}
}
