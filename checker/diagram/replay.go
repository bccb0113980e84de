package diagram

import (
	"context"
	"fmt"
	"slices"

	"pnmc/automata"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/symbolic"
)

// A search on decision diagrams yields a run as events of the system: a prefix and a cycle. Nothing
// else of what the search believed is used. A counterexample is made of it in three steps:
//
//  1. The events are fired one by one, on the net or the system, and each marking gives a letter of
//     a word: the propositions that hold there by their definitions.
//  2. product.Explain looks for an accepted run of the property's automaton on that word.
//  3. Events and edges together are replayed from the beginning.
//
// For example, let the cycle be the event t alone, after the prefix s. Let the letters before s and
// before t be a and b. The word is a b b b …. If the automaton accepts it by an edge e for a and a
// loop f for b, the counterexample is (s, e), and then (t, f) for ever.

// explainEvents turns a run of events into a counterexample for the property's own
// automaton, and replays it: on the net if there is one, and otherwise on the
// system.
func explainEvents(ctx context.Context, system *symbolic.System, net *petri.Net, property properties.Property, found *symbolic.Run) (*witness.Counterexample, error) {
	// The word that the run spells, by the model alone; what the search took the
	// propositions for does not matter.
	run := product.FiredRun{Back: len(found.Prefix)}
	onSystem := newSystemReplay(system, property)
	var onNet *witness.Firing
	if net != nil {
		onNet = witness.NewFiring(net, property.Automaton, property.Predicates)
	}
	for _, event := range slices.Concat(found.Prefix, found.Cycle) {
		step := witness.Step{Transition: petri.Transition(max(0, event)), Stutter: event == symbolic.Stutter}
		run.Steps = append(run.Steps, step)
		switch {
		case net == nil:
			run.Word = append(run.Word, onSystem.valuation())
			if err := onSystem.fire(step); err != nil {
				return nil, err
			}
		default:
			run.Word = append(run.Word, onNet.Valuation())
			if !step.Stutter && !net.Fire(onNet.Marking, step.Transition) {
				return nil, fmt.Errorf("the search fires %q where it is not enabled", net.TransitionLabel(step.Transition).ID)
			}
		}
	}
	c, err := product.Explain(ctx, account.Of(ctx), property.Automaton, run)
	if err != nil {
		return nil, err
	}
	if net != nil {
		err = witness.ReplayWithin(account.Of(ctx), net, property.Automaton, property.Predicates, c)
	} else {
		err = ReplaySystem(system, property, c)
	}
	if err != nil {
		return nil, fmt.Errorf("a counterexample does not replay: %w", err)
	}
	return c, nil
}

// ReplaySystem replays a run as Replay does, on a system: step by step, and by the
// definitions alone.
func ReplaySystem(system *symbolic.System, property properties.Property, c *witness.Counterexample) error {
	r := newSystemReplay(system, property)
	var start []uint32
	if err := r.Lasso(c, r.step, func() { start = slices.Clone(r.values) }); err != nil {
		return err
	}
	if !slices.Equal(start, r.values) {
		return witness.ErrCycleOpen
	}
	return nil
}

// systemReplay is a run of a system under way.
type systemReplay struct {
	witness.AutomatonReplay
	system     *symbolic.System
	predicates []*logic.Predicate
	values     []uint32
}

// newSystemReplay returns a replay that is in the initial state of the system.
func newSystemReplay(system *symbolic.System, property properties.Property) *systemReplay {
	return &systemReplay{
		AutomatonReplay: witness.AutomatonReplay{Automaton: property.Automaton}, system: system,
		predicates: property.Predicates, values: slices.Clone(system.Initial),
	}
}

// step takes an edge of the automaton and an event together: the label is that of the
// state before the event.
func (r *systemReplay) step(s witness.Step) error {
	if err := r.Read(s.Edge, r.valuation()); err != nil {
		return err
	}
	return r.fire(s)
}

// fire changes the values as the step's event does.
func (r *systemReplay) fire(s witness.Step) error {
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
		r.values[g.Variable] = uint32(g.After(r.values[g.Variable]))
	}
	return nil
}

// enabled reports whether the values are within all guards of an event.
func (r *systemReplay) enabled(event uint32) bool {
	return !slices.ContainsFunc(r.system.Events[event], func(g symbolic.Guard) bool {
		return r.values[g.Variable] < g.Low || r.values[g.Variable] > g.High
	})
}

// valuation evaluates all predicates in the current state.
func (r *systemReplay) valuation() automata.Valuation {
	v := make(automata.Valuation, r.Automaton.ValuationWords())
	marking := make(petri.Marking, r.system.Places())
	for p := range marking {
		marking[p] = int64(r.system.Tokens(uint32(p), r.values))
	}
	for i, p := range r.predicates {
		if p.Holds(marking, len(r.system.Events), r.enabled) {
			bitset.Add(v, i)
		}
	}
	return v
}
