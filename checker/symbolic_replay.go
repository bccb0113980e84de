package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pnmc/automata"
	"pnmc/petri"
	"pnmc/symbolic"
)

// explainEvents tells a run of events as a counterexample for the property's own
// automaton, and replays it: on the net if there is one, and otherwise on the
// system.
func explainEvents(ctx context.Context, system *symbolic.System, net *petri.Net, property Property, found *symbolic.Run) (*Counterexample, error) {
	// The word that the run spells, by the model alone; what the search took the
	// propositions for does not matter.
	run := firedRun{back: len(found.Prefix)}
	onNet := &replay{net: net, automaton: property.Automaton, predicates: property.Predicates}
	onSystem := &systemReplay{system: system, property: property, values: slices.Clone(system.Initial)}
	if net != nil {
		onNet.marking = net.Initial()
	}
	for _, event := range slices.Concat(found.Prefix, found.Cycle) {
		step := Step{Transition: petri.Transition(max(0, event)), Stutter: event == symbolic.Stutter}
		run.steps = append(run.steps, step)
		switch {
		case net == nil:
			run.word = append(run.word, onSystem.valuation())
			if err := onSystem.fire(step); err != nil {
				return nil, err
			}
		default:
			run.word = append(run.word, onNet.valuation())
			if !step.Stutter && !net.Fire(onNet.marking, step.Transition) {
				return nil, fmt.Errorf("the search fires %q where it is not enabled", net.TransitionLabel(step.Transition).ID)
			}
		}
	}
	poll := func() error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return nil
	}
	c, err := explainPolling(poll, property.Automaton, run)
	if err != nil {
		return nil, err
	}
	if net != nil {
		err = Replay(net, property.Automaton, property.Predicates, c)
	} else {
		err = ReplaySystem(system, property, c)
	}
	if err != nil {
		return nil, fmt.Errorf("a counterexample does not replay: %w", err)
	}
	return c, nil
}

// ReplaySystem is Replay for a system: step by step and by the definitions alone.
func ReplaySystem(system *symbolic.System, property Property, c *Counterexample) error {
	a := property.Automaton
	if len(c.Cycle) == 0 {
		return errors.New("the cycle is empty")
	}
	if !slices.Contains(a.Initial(), c.Start) {
		return fmt.Errorf("state %d of the automaton is not initial", c.Start)
	}
	r := &systemReplay{system: system, property: property, values: slices.Clone(system.Initial), state: c.Start}
	for i, s := range c.Prefix {
		if err := r.step(s); err != nil {
			return fmt.Errorf("step %d of the prefix: %w", i+1, err)
		}
	}
	values, state, before := slices.Clone(r.values), r.state, r.before
	some := make(automata.Marks, a.MarkWords())
	all := make(automata.Marks, a.MarkWords())
	for i := range all {
		all[i] = ^uint64(0)
	}
	for i, s := range c.Cycle {
		if err := r.step(s); err != nil {
			return fmt.Errorf("step %d of the cycle: %w", i+1, err)
		}
		for w, m := range a.Marks(s.Edge) {
			some[w] |= m
			all[w] &= m
		}
	}
	if state != r.state || !slices.Equal(values, r.values) || a.Kind != automata.Plain && !slices.Equal(before, r.before) {
		return errors.New("the cycle does not return to where it starts")
	}
	if !a.Acceptance.Condition.Accepts(some, all) {
		return errors.New("the acceptance condition does not hold on the cycle")
	}
	return nil
}

// systemReplay is a run of a system under way.
type systemReplay struct {
	system   *symbolic.System
	property Property
	values   []uint32
	state    automata.State
	before   automata.Valuation // the label before, which testing automata read changes from
}

// step takes an edge of the automaton and an event together: the label is that of the
// state before the event.
func (r *systemReplay) step(s Step) error {
	a := r.property.Automaton
	if int(s.Edge) >= a.Edges() || a.Source(s.Edge) != r.state {
		return fmt.Errorf("edge %d does not leave state %d of the automaton", s.Edge, r.state)
	}
	now := r.valuation()
	label := slices.Clone(now)
	if a.Kind != automata.Plain {
		for w, b := range r.before {
			label[w] ^= b
		}
	}
	if !a.Matches(s.Edge, label) {
		return fmt.Errorf("the label of edge %d does not match the state", s.Edge)
	}
	r.before, r.state = now, a.Destination(s.Edge)
	return r.fire(s)
}

// fire changes the values as the step's event does.
func (r *systemReplay) fire(s Step) error {
	if s.Stutter {
		for e := range r.system.Events {
			if r.enabled(uint32(e)) {
				return fmt.Errorf("the run stays in a state where event %d is possible", e)
			}
		}
		return nil
	}
	if int(s.Transition) >= len(r.system.Events) || !r.enabled(uint32(s.Transition)) {
		return fmt.Errorf("event %d is not possible", s.Transition)
	}
	for _, g := range r.system.Events[s.Transition] {
		r.values[g.Variable] = uint32(int64(r.values[g.Variable]) + g.Delta)
	}
	return nil
}

func (r *systemReplay) enabled(event uint32) bool {
	return !slices.ContainsFunc(r.system.Events[event], func(g symbolic.Guard) bool {
		return r.values[g.Variable] < g.Low || r.values[g.Variable] > g.High
	})
}

// valuation evaluates all predicates in the current state.
func (r *systemReplay) valuation() automata.Valuation {
	v := make(automata.Valuation, r.property.Automaton.ValuationWords())
	marking := make(petri.Marking, len(r.values))
	for i, x := range r.values {
		marking[i] = int64(x)
	}
	for i, p := range r.property.Predicates {
		if p.Holds(marking, len(r.system.Events), r.enabled) {
			v[i/64] |= 1 << (i % 64)
		}
	}
	return v
}
