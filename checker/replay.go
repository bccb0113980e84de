package checker

import (
	"errors"
	"fmt"
	"slices"

	"pnmc/automata"
	"pnmc/logic"
	"pnmc/petri"
)

// Replay fires a counterexample on the net and runs the automaton over it, step
// by step and by the definitions alone: it shares no code with the engines whose
// findings it confirms. A cycle may end with more tokens than it starts with if
// the automaton, there, accepts whatever follows. predicates say what the automaton's propositions mean.
// The error says what is wrong with the counterexample.
func Replay(net *petri.Net, a *automata.Automaton, predicates []*logic.Predicate, c *Counterexample) error {
	if len(c.Cycle) == 0 {
		return errors.New("the cycle is empty")
	}
	if !slices.Contains(a.Initial(), c.Start) {
		return fmt.Errorf("state %d of the automaton is not initial", c.Start)
	}
	r := replay{net: net, automaton: a, predicates: predicates, marking: net.Initial(), state: c.Start}
	for i, s := range c.Prefix {
		if err := r.step(s); err != nil {
			return fmt.Errorf("step %d of the prefix: %w", i+1, err)
		}
	}
	marking, state, before := slices.Clone(r.marking), r.state, r.before
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
	if state != r.state || !covers(r.marking, marking) || a.Kind != automata.Plain && !slices.Equal(before, r.before) {
		return errors.New("the cycle does not return to where it starts")
	}
	if !slices.Equal(marking, r.marking) && !acceptsAll(a, state) {
		// What fired once can fire again with more tokens, but labels may change.
		return errors.New("the cycle gains tokens where the automaton does not accept all runs")
	}
	if !a.Acceptance.Condition.Accepts(some, all) {
		return errors.New("the acceptance condition does not hold on the cycle")
	}
	return nil
}

// acceptsAll tells, if it is true, that s accepts every word: it belongs to a set
// of states that each have, for each valuation, an edge into the set whose marks
// alone are what a run needs.
func acceptsAll(a *automata.Automaton, s automata.State) bool {
	if a.Acceptance.Condition.UsesFin() {
		return false
	}
	outside := make([]bool, a.States())
	for changed := true; changed; {
		changed = false
		for q := range automata.State(a.States()) {
			if outside[q] {
				continue
			}
			var union automata.Label
			first, end := a.Out(q)
			for e := first; e < end; e++ {
				if !outside[a.Destination(e)] && a.Acceptance.Condition.Accepts(a.Marks(e), a.Marks(e)) {
					union = append(union, a.Label(e)...)
				}
			}
			if !union.Valid() {
				outside[q], changed = true, true
			}
		}
	}
	return !outside[s]
}

// replay is a run under way.
type replay struct {
	net        *petri.Net
	automaton  *automata.Automaton
	predicates []*logic.Predicate
	marking    petri.Marking
	state      automata.State
	before     automata.Valuation // the label before, which testing automata read changes from
}

func (r *replay) step(s Step) error {
	if int(s.Edge) >= r.automaton.Edges() || r.automaton.Source(s.Edge) != r.state {
		return fmt.Errorf("edge %d does not leave state %d of the automaton", s.Edge, r.state)
	}
	if !r.automaton.Label(s.Edge).Matches(r.label()) {
		return fmt.Errorf("the label of edge %d does not match the marking", s.Edge)
	}
	r.before = r.valuation()
	r.state = r.automaton.Destination(s.Edge)
	switch {
	case s.Stutter && !r.net.Deadlock(r.marking):
		return errors.New("the run stays in a marking that is no deadlock")
	case !s.Stutter && int(s.Transition) >= r.net.Transitions():
		return fmt.Errorf("transition number %d does not exist", s.Transition)
	case !s.Stutter && !r.net.Fire(r.marking, s.Transition):
		return fmt.Errorf("transition %q is not enabled", r.net.TransitionLabel(s.Transition).ID)
	}
	return nil
}

// label is what the automaton reads in the current marking: its valuation, or, as
// a testing automaton, what changes in the valuation.
func (r *replay) label() automata.Valuation {
	v := r.valuation()
	if r.automaton.Kind != automata.Plain {
		for w, b := range r.before {
			v[w] ^= b
		}
	}
	return v
}

// valuation evaluates all predicates in the current marking.
func (r *replay) valuation() automata.Valuation {
	v := make(automata.Valuation, r.automaton.ValuationWords())
	enabled := func(t uint32) bool { return r.net.Enabled(r.marking, petri.Transition(t)) }
	for i, p := range r.predicates {
		if p.Holds(r.marking, r.net.Transitions(), enabled) {
			v[i/64] |= 1 << (i % 64)
		}
	}
	return v
}

// covers tells whether m has at least the tokens of n everywhere.
func covers(m, n petri.Marking) bool {
	for p := range m {
		if m[p] < n[p] {
			return false
		}
	}
	return true
}
