package hoa

import "pnmc/automata"

// finish makes the automaton, whose end mark is the current token.
func (r *Reader) finish() (*automata.Automaton, error) {
	h, b, end := &r.header, &r.body, r.position
	states := max(h.states, b.defined.end)
	if state, found := b.used.missing(&b.defined); found {
		r.report(end, "the body ends without a definition of state %d, which is an initial state or where an edge leads", state)
	} else if states-b.defined.count > gapsBound {
		r.report(end, "%d states of which only %d are defined", states, b.defined.count)
	}
	r.checkUsage()
	if len(r.errors) > 0 {
		return nil, r.failure()
	}
	b.builder.Name, b.builder.Kind, b.builder.Claims = h.name, h.kind, h.claims()
	b.builder.AddStates(states)
	for _, n := range b.names {
		b.builder.SetStateName(automata.State(n.state), n.name)
	}
	a, err := b.builder.Build()
	if err != nil {
		r.report(end, "%v", err)
		return nil, r.failure()
	}
	r.checkStructure(a, end)
	r.checkTesting(a, end)
	b.builder, b.names = nil, nil
	if len(r.errors) > 0 {
		return nil, r.failure()
	}
	return a, nil
}

// checkTesting reports a testing automaton that isn't in the form of one: an
// initial state is left by valuations and never entered, and every other state
// of a TA has a loop for the empty changeset.
func (r *Reader) checkTesting(a *automata.Automaton, end Position) {
	if a.Kind == automata.Plain {
		return
	}
	initial := make([]bool, a.States())
	for _, s := range a.Initial() {
		initial[s] = true
	}
	empty := make(automata.Valuation, a.ValuationWords())
	loops := make([]bool, a.States())
	for e := range automata.Edge(a.Edges()) {
		s, d := a.Source(e), a.Destination(e)
		if initial[d] {
			r.report(end, "a testing automaton's initial state %d is entered by an edge of state %d", d, s)
			return
		}
		loops[s] = loops[s] || s == d && a.Matches(e, empty)
	}
	for s := range loops {
		if a.Kind == automata.TA && !loops[s] && !initial[s] {
			r.report(end, "state %d of a testing automaton with livelock acceptance has no loop for the empty changeset", s)
			return
		}
	}
}
