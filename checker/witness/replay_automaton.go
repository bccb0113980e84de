package witness

import (
	"errors"
	"fmt"
	"slices"

	"pnmc/automata"
)

// AutomatonReplay is the automaton's side of a replay, whatever model runs beside it.
type AutomatonReplay struct {
	Automaton *automata.Automaton
	state     automata.State
	before    automata.Valuation // the label before, which testing automata read changes from
}

// ErrCycleOpen says that a cycle does not lead back.
var ErrCycleOpen = errors.New("the cycle does not return to where it starts")

// Lasso takes all steps of a counterexample, and reports what is wrong with it on the
// side of the automaton: the cycle must lead back to the automaton's state, and be
// accepted. cycleStarts is called between the prefix and the cycle.
func (r *AutomatonReplay) Lasso(c *Counterexample, step func(Step) error, cycleStarts func()) error {
	a := r.Automaton
	if len(c.Cycle) == 0 {
		return errors.New("the cycle is empty")
	}
	if !slices.Contains(a.Initial(), c.Start) {
		return fmt.Errorf("state %d of the automaton is not initial", c.Start)
	}
	r.state = c.Start
	for i, s := range c.Prefix {
		if err := step(s); err != nil {
			return fmt.Errorf("step %d of the prefix: %w", i+1, err)
		}
	}
	state, before := r.state, r.before
	cycleStarts()
	some := make(automata.Marks, a.MarkWords())
	all := make(automata.Marks, a.MarkWords())
	for i := range all {
		all[i] = ^uint64(0)
	}
	for i, s := range c.Cycle {
		if err := step(s); err != nil {
			return fmt.Errorf("step %d of the cycle: %w", i+1, err)
		}
		for w, m := range a.Marks(s.Edge) {
			some[w] |= m
			all[w] &= m
		}
	}
	if state != r.state || a.Kind != automata.Plain && !slices.Equal(before, r.before) {
		return ErrCycleOpen
	}
	if !a.Acceptance.Condition.Accepts(some, all) {
		return errors.New("the acceptance condition does not hold on the cycle")
	}
	return nil
}

// Read takes an edge, which must match the valuation now: its label is read as it is,
// or, by a testing automaton, as what changes from the valuation before.
func (r *AutomatonReplay) Read(edge automata.Edge, now automata.Valuation) error {
	a := r.Automaton
	if int(edge) >= a.Edges() || a.Source(edge) != r.state {
		return fmt.Errorf("edge %d does not leave state %d of the automaton", edge, r.state)
	}
	label := slices.Clone(now)
	if a.Kind != automata.Plain {
		for w, b := range r.before {
			label[w] ^= b
		}
	}
	matches := false
	for i := 0; i < a.Cubes(edge) && !matches; i++ { // no copy is made: there may be thousands
		matches = a.Cube(edge, i).Matches(label)
	}
	if !matches {
		return fmt.Errorf("the label of edge %d does not match the valuation", edge)
	}
	r.before, r.state = now, a.Destination(edge)
	return nil
}
