package checker

import (
	"context"
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
// the automaton, there, accepts whatever follows. predicates say what the
// automaton's propositions mean. The error says what is wrong with the
// counterexample.
func Replay(net *petri.Net, a *automata.Automaton, predicates []*logic.Predicate, c *Counterexample) error {
	r := newReplay(net, a, predicates)
	var start petri.Marking
	if err := r.lasso(c, r.step, func() { start = slices.Clone(r.marking) }); err != nil {
		return err
	}
	if !covers(r.marking, start) {
		return errCycleOpen
	}
	if !slices.Equal(start, r.marking) && !acceptsAll(context.Background(), a, r.state) {
		// What fired once can fire again with more tokens, but labels may change.
		return errors.New("the cycle gains tokens where the automaton does not accept all runs")
	}
	return nil
}

// acceptsAll tells, if it is true, that s accepts every word: it belongs to a set
// of states that each have, for each valuation, an edge into the set whose marks
// alone are what a run needs.
func acceptsAll(ctx context.Context, a *automata.Automaton, s automata.State) bool {
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
			if !union.Valid(ctx) {
				outside[q], changed = true, true
			}
		}
	}
	return !outside[s]
}

// replay is a run of a net under way.
type replay struct {
	automatonReplay
	net        *petri.Net
	predicates []*logic.Predicate
	marking    petri.Marking
}

func newReplay(net *petri.Net, a *automata.Automaton, predicates []*logic.Predicate) *replay {
	return &replay{automatonReplay: automatonReplay{automaton: a}, net: net, predicates: predicates, marking: net.Initial()}
}

// step takes an edge of the automaton and a transition together: the label is that of
// the marking before the transition.
func (r *replay) step(s Step) error {
	if err := r.read(s.Edge, r.valuation()); err != nil {
		return err
	}
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

// valuation evaluates all predicates in the current marking.
func (r *replay) valuation() automata.Valuation { return Valuation(r.net, r.marking, r.predicates) }

// Valuation evaluates predicates in a marking of net, by their definitions.
func Valuation(net *petri.Net, m petri.Marking, predicates []*logic.Predicate) automata.Valuation {
	v := make(automata.Valuation, automata.WordsFor(len(predicates)))
	for i, p := range predicates {
		if Satisfies(net, m, p) {
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
