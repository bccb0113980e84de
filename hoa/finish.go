package hoa

import "pnmc/automata"

// finish makes the automaton, whose end mark is the current token.
//
// A state that is not defined is wrong only if something leads to it. With "States: 5" and
// definitions of states 0 to 2 there are two states without edges. The format does not allow
// that, but the meaning is clear: there is a warning, and a strict reader refuses it. Many of
// these are refused in any case, as a number costs nothing to write, and states take memory.
func (r *Reader) finish() (*automata.Automaton, error) {
	h, b, end := &r.header, &r.body, r.position
	states := max(h.states, b.defined.end)
	if state, found := b.used.missing(&b.defined); found {
		r.report(end, "the body ends without a definition of state %d, which is an initial state or where an edge leads", state)
	} else if states-b.defined.count > gapsBound {
		r.report(end, "%d states of which only %d are defined", states, b.defined.count)
	} else if states > b.defined.count {
		r.doubt(end, "%d states of which only %d are defined, expected all; the others have no edges", states, b.defined.count)
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
	if r.stopped != nil {
		return nil, r.stopped
	}
	r.checkTesting(a, end)
	b.builder, b.names = nil, nil
	if len(r.errors) > 0 {
		return nil, r.failure()
	}
	return a, nil
}
