package symbolic

import (
	"encoding/binary"

	"pnmc/automata"
)

// The relations of a product are disjunctions over moves of the automaton and events of the system:
// a move takes along the events that start in states which the move's label allows.
//
// An automaton with a hundred edges and a net with a thousand transitions have a hundred thousand
// pairs. But there are few different labels, and what several pairs have in common is made once.
// The rules of an event under a condition are made once for all moves with that label. The merged
// rules of several events are made once for all relations in which they occur together.
//
// Where the automaton's state lies above the variables, rules begin with its move and go on with
// shared ones: "state 1 becomes 2, then R", with R for all events under the label. Where it lies
// below, an event's rules end with all the moves that take the event along.

// A guardedStep is an event, or Stutter for none, while the states before and
// after it fulfil two conditions.
type guardedStep struct {
	event         int
	before, after condition
}

// An eventGroup has the events that a move of the automaton takes along. Moves with the same label
// share one, so that its rules are made once.
type eventGroup struct {
	events  []guardedStep
	byEvent map[int][]guardedStep // once it is asked for
}

// of returns the group's steps of an event.
func (g *eventGroup) of(event int) []guardedStep {
	if g.byEvent == nil {
		g.byEvent = make(map[int][]guardedStep, len(g.events))
		for _, s := range g.events {
			g.byEvent[s.event] = append(g.byEvent[s.event], s)
		}
	}
	return g.byEvent[event]
}

// A transfer is a move of the automaton while the system takes one of a group of
// events.
type transfer struct {
	from, to automata.State
	marks    automata.Marks
	events   *eventGroup
}

// guardKey says what a guardedEvent is for.
type guardKey struct {
	relation *Relation
	event    int
	end      uint32
}

// steps returns the steps of the event, descending by level.
func (p *product) steps(event int) []Step {
	var steps []Step
	if event != Stutter {
		for _, g := range p.space.System.Events[event] {
			steps = append(steps, Step{p.state.below + p.space.Levels[g.Variable], g.Low, g.High, g.Delta})
		}
	}
	sortSteps(steps)
	return steps
}

// rules returns the rules of r for the events, each followed by the rule end, at
// levels below theirs.
func (p *product) rules(r *Relation, events *eventGroup, end uint32) []uint32 {
	var rules []uint32
	for _, e := range events.events {
		// One guardedEvent for an event remembers what conditions have in common.
		key := guardKey{r, e.event, end}
		g := p.guards[key]
		if g == nil {
			g = newGuardedEvent(r, p.conditions, p.steps(e.event))
			g.end = end
			p.guards[key] = g
		}
		if rule := g.rule(0, e.before, e.after); rule.possible {
			rules = append(rules, rule.rule)
		}
	}
	return rules
}

// relation returns the relation of the transfers and of the events below, which leave
// the automaton's state as it is.
func (p *product) relation(transfers []transfer, below *eventGroup) *Relation {
	r := p.forest.NewRelation()
	var rules []uint32
	if p.state.below == 0 {
		rules = p.transfersOnTop(r, transfers)
	} else {
		rules = p.transfersBelow(r, transfers)
	}
	if below != nil {
		rules = append(rules, p.rules(r, below, identity)...)
	}
	for _, rule := range rules {
		r.addRule(rule)
	}
	r.merge()
	return r
}

// transfersOnTop returns rules that begin with the automaton's state: one for each
// pair of states, with the events of all transfers between them merged.
func (p *product) transfersOnTop(r *Relation, transfers []transfer) []uint32 {
	// Between one pair of states, firing the merged events unites their results
	// before they are saturated, once.
	type pair struct{ from, to automata.State }
	joined := map[pair][]uint32{}
	var order []pair
	for _, t := range transfers {
		rules := p.rules(p.pieces, t.events, identity)
		if len(rules) == 0 {
			continue
		}
		at := pair{t.from, t.to}
		if joined[at] == nil {
			order = append(order, at)
		}
		joined[at] = append(joined[at], rules...)
	}
	var moves []stateMove
	for _, at := range order {
		for _, next := range p.mergePieces(joined[at]) {
			moves = append(moves, stateMove{at.from, at.to, next})
		}
	}
	return p.state.rules(r, moves)
}

// mergePieces does what mergeRules does, for pieces, and remembers what it did.
func (p *product) mergePieces(rules []uint32) []uint32 {
	rules = distinct(rules)
	var key []byte
	for _, rule := range rules {
		key = binary.LittleEndian.AppendUint32(key, rule)
	}
	merged, ok := p.merged[string(key)]
	if !ok {
		merged = p.pieces.mergeRules(rules)
		p.merged[string(key)] = merged
	}
	return merged
}

// transfersBelow returns rules that end with the automaton's state: for each group
// of events all the moves that take it along.
func (p *product) transfersBelow(r *Relation, transfers []transfer) []uint32 {
	moves := map[*eventGroup][]stateMove{}
	var order []*eventGroup
	for _, t := range transfers {
		if moves[t.events] == nil {
			order = append(order, t.events)
		}
		moves[t.events] = append(moves[t.events], stateMove{t.from, t.to, identity})
	}
	var rules []uint32
	for _, g := range order {
		for _, end := range p.state.rules(r, moves[g]) {
			rules = append(rules, p.rules(r, g, end)...)
		}
	}
	return rules
}
