package symbolic

import (
	"fmt"
	"maps"
	"slices"

	"pnmc/automata"
	"pnmc/internal/bitset"
)

// buildTesting builds the relations of Definition 10 for a testing automaton as
// Definition 8 has it.
func (p *product) buildTesting(a *automata.Automaton) {
	x := p.addPhase()
	// Events are told apart by what they change; an edge takes along those of each
	// changeset in its label, and edges with equal changesets share a group.
	events := p.changesets()
	// The states from which valuations are read serve to find the first states only.
	initial := make([]bool, a.States())
	for _, q := range a.Initial() {
		initial[q] = true
		first, end := a.Out(q)
		for e := first; e < end; e++ {
			if p.conditions.holds(p.label(a, e), p.initialVector()) {
				p.addStart(x, a.Destination(e))
			}
		}
	}
	changesets := slices.Sorted(maps.Keys(events))
	x.loops = make([]*stutteringLoop, a.States())
	empty := make(automata.Valuation, a.ValuationWords())
	groups := map[string]*eventGroup{}
	for q := range automata.State(a.States()) {
		if initial[q] {
			continue
		}
		x.loops[q] = p.stutteringLoop(a, q)
		valuation := make(automata.Valuation, a.ValuationWords())
		first, end := a.Out(q)
		for e := first; e < end; e++ {
			var taken []uint64
			for _, c := range changesets {
				if valuation[0] = c; c != 0 && a.Matches(e, valuation) {
					taken = append(taken, c)
				}
			}
			if x.loops[q] == nil && a.Matches(e, empty) {
				taken = append(taken, 0)
			}
			key := fmt.Sprint(taken) // changesets are sorted
			if groups[key] == nil {
				groups[key] = &eventGroup{}
				for _, c := range taken {
					groups[key].events = append(groups[key].events, events[c].events...)
					if c == 0 {
						groups[key] = p.withDeadlocks(groups[key])
					}
				}
			}
			x.transfers = append(x.transfers, transfer{q, a.Destination(e), a.Marks(e), groups[key]})
		}
	}
	x.stuttering = events[0]
	// Stuttering for ever is accepted where the loop is in all sets: the livelocks of
	// the paper of 2012.
	x.endings = func() []condition {
		endings := make([]condition, a.States())
		for q, loop := range x.loops {
			if loop != nil && !slices.Contains(loop.marks, false) {
				endings[q] = always
			}
		}
		return endings
	}
	for q, loop := range x.loops {
		x.conditional = x.conditional || loop == nil && !initial[q]
	}
}

// stutteringLoop returns the loop of q, or nil if the empty changeset does not loop
// there, or leads elsewhere too: the part of δ∅ that Definition 7 asks for.
func (p *product) stutteringLoop(a *automata.Automaton, q automata.State) *stutteringLoop {
	empty := make(automata.Valuation, a.ValuationWords())
	loop := &stutteringLoop{marks: make([]bool, p.sets)}
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
		for f := range loop.marks {
			loop.marks[f] = loop.marks[f] || a.Marks(e).Has(f) // loops can be taken in turn
		}
	}
	if !loops {
		return nil
	}
	return loop
}

// changesets returns, for each set of propositions that some event changes, the events under the
// conditions in which they do: the R⊕ of Definition 9.
func (p *product) changesets() map[uint64]*eventGroup {
	groups := map[uint64]*eventGroup{0: {}}
	p.split(func(s guardedStep, changed uint64) {
		if groups[changed] == nil {
			groups[changed] = &eventGroup{}
		}
		groups[changed].events = append(groups[changed].events, s)
	})
	return groups
}

// splitWork is about the cost of looking at a case, in nanoseconds.
const splitWork = 1 << 11

// split calls put with each event under conditions in which it changes one set of propositions, and
// with that set.
//
// For example, let the propositions be p: x ≥ 1 and q: y ≥ 2, and let an event add one to x. It
// cannot change q, as it does not touch y. For p there are four cases. That p holds before and not
// after is impossible, and so is that it holds at neither time. With p at both times the event
// changes nothing, and with p after only it changes {p}. So put is called twice: with x ≥ 1 before,
// for the empty set, and with x = 0 before, for {p}.
func (p *product) split(put func(s guardedStep, changed uint64)) {
	t := p.conditions
	for event := range p.space.System.Events {
		steps := p.steps(event)
		possible := newGuardedEvent(p.pieces, t, steps)
		var affected []int
		for i, c := range p.propositions {
			if p.touches(steps, c) {
				affected = append(affected, i)
			}
		}
		var visit func(affected []int, before, after condition, changed uint64)
		visit = func(affected []int, before, after condition, changed uint64) {
			if p.forest.charge(splitWork); !possible.rule(0, before, after).possible {
				return
			}
			// Conditions that no step of the event fulfils end the recursion early: of the
			// 4^n cases of n propositions few are left.
			if len(affected) == 0 {
				put(guardedStep{event, before, after}, changed)
				return
			}
			i, rest := affected[0], affected[1:]
			yes := p.propositions[i]
			no := t.not(yes)
			visit(rest, t.and(before, yes), t.and(after, yes), changed)
			visit(rest, t.and(before, no), t.and(after, no), changed)
			visit(rest, t.and(before, yes), t.and(after, no), changed|bitset.Mask(i))
			visit(rest, t.and(before, no), t.and(after, yes), changed|bitset.Mask(i))
		}
		visit(affected, always, always, 0)
	}
}

// touches reports whether the steps change a variable that c depends on.
func (p *product) touches(steps []Step, c condition) bool {
	support := p.supports[c]
	if support == nil {
		support = make([]bool, p.forest.height+1)
		p.conditions.depends(c, support, map[condition]bool{})
		p.supports[c] = support
	}
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Delta != 0 && support[s.Level] })
}
