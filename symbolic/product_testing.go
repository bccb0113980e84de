package symbolic

import (
	"maps"
	"slices"

	"pnmc/automata"
)

// buildTesting builds the relations of Definition 10 with Equation (1).
func (p *product) buildTesting() {
	a := p.automaton
	events := p.changes()
	// The state from which valuations are read serves to find the first states only.
	initial := map[automata.State]bool{}
	for _, q := range a.Initial() {
		initial[q] = true
	}
	for _, q := range a.Initial() {
		first, end := a.Out(q)
		for e := first; e < end; e++ {
			if p.conditions.holds(p.label(e), p.initialVector()) {
				p.addStart(a.Destination(e))
			}
		}
	}
	stuttering := slices.Concat(events[0], p.deadLoop(always))
	unconditional := p.stuttersEverywhere(initial)
	changesets := slices.Sorted(maps.Keys(events))
	valuation := make(automata.Valuation, a.ValuationWords())
	var changing, all []automatonEdge
	for e := range automata.Edge(a.Edges()) {
		if initial[a.Source(e)] {
			continue
		}
		edge := automatonEdge{from: a.Source(e), to: a.Destination(e), marks: a.Marks(e)}
		for _, c := range changesets {
			valuation[0] = c
			if c != 0 && a.Matches(e, valuation) {
				edge.rules = append(edge.rules, events[c]...)
			}
		}
		changing = append(changing, edge)
		valuation[0] = 0
		if a.Matches(e, valuation) {
			edge.rules = append(slices.Clip(edge.rules), stuttering...)
		}
		all = append(all, edge)
	}
	if unconditional {
		p.reach = p.relation(changing, events[0])
	} else {
		p.reach = p.relation(all, nil)
	}
	p.step = p.relation(all, nil)
	for f := range a.Acceptance.Sets {
		p.accepting = append(p.accepting, p.relation(marked(all, f), nil))
	}
}

func (p *product) initialVector() []uint32 {
	initial := make([]uint32, p.top-1)
	for v, level := range p.space.Levels {
		initial[level-1] = p.space.System.Initial[v]
	}
	return initial
}

// stuttersEverywhere tells whether in every state, those apart from which
// valuations are read, the empty changeset loops and leads nowhere else: the
// δ∅ of Definition 7.
func (p *product) stuttersEverywhere(initial map[automata.State]bool) bool {
	a := p.automaton
	empty := make(automata.Valuation, a.ValuationWords())
	for q := range automata.State(a.States()) {
		if initial[q] {
			continue
		}
		loops := false
		first, end := a.Out(q)
		for e := first; e < end; e++ {
			if a.Matches(e, empty) {
				if a.Destination(e) != q {
					return false
				}
				loops = true
			}
		}
		if !loops {
			return false
		}
	}
	return true
}

// changes are, for each set of propositions that some event changes, the rules
// of the events while they do: Definition 9. Events are split by the values of
// the propositions that depend on a variable they change.
func (p *product) changes() map[uint64][]uint32 {
	supports := make([][]bool, len(p.propositions))
	for i, c := range p.propositions {
		supports[i] = make([]bool, p.top)
		p.conditions.depends(c, supports[i], map[condition]bool{})
	}
	rules := map[uint64][]uint32{}
	for t := range p.space.System.Events {
		steps := p.steps(t)
		var affected []int
		for i, support := range supports {
			if slices.ContainsFunc(steps, func(s Step) bool { return s.Delta != 0 && support[s.Level] }) {
				affected = append(affected, i)
			}
		}
		g := newGuardedEvent(p.pieces, p.conditions, steps)
		p.split(g, affected, always, always, 0, rules)
	}
	return rules
}

// split adds the rules of an event by what it does to the affected propositions.
func (p *product) split(g *guardedEvent, affected []int, before, after condition, changed uint64, rules map[uint64][]uint32) {
	r := g.rule(0, before, after)
	if !r.possible {
		return
	}
	if len(affected) == 0 {
		if r.rule != identity || changed == 0 {
			rules[changed] = append(rules[changed], r.rule)
		}
		return
	}
	t := p.conditions
	i := affected[0]
	yes := p.propositions[i]
	no := t.not(yes)
	rest := affected[1:]
	p.split(g, rest, t.and(before, yes), t.and(after, yes), changed, rules)
	p.split(g, rest, t.and(before, no), t.and(after, no), changed, rules)
	p.split(g, rest, t.and(before, yes), t.and(after, no), changed|1<<i, rules)
	p.split(g, rest, t.and(before, no), t.and(after, yes), changed|1<<i, rules)
}
