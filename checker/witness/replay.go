package witness

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/logic"
	"pnmc/petri"
)

// Replay fires a counterexample on the net and runs the automaton over it, step by step and by the
// definitions alone. It shares no code with the engines whose findings it confirms. predicates say
// what the automaton's propositions mean.
//
// A cycle may end with more tokens than it starts with, if these hinder nothing. It can then be
// fired for ever, but labels may change from round to round. So that is confirmed only if the
// automaton accepts whatever follows.
//
// The error says what is wrong with the counterexample. A *petri.OverflowError says that markings
// on the way have more tokens than can be counted; then it is neither confirmed nor refuted.
func Replay(net *petri.Net, a *automata.Automaton, predicates []*logic.Predicate, c *Counterexample) error {
	return ReplayWithin(new(account.Account), net, a, predicates, c)
}

// ReplayWithin replays as Replay does, with an account of the work. If the error is the account's,
// nothing is known.
func ReplayWithin(work *account.Account, net *petri.Net, a *automata.Automaton, predicates []*logic.Predicate, c *Counterexample) error {
	r := NewFiring(net, a, predicates)
	each := stepWork + 8*net.Places() + EvaluationWork(net, predicates...)
	step := func(s Step) error {
		if err := work.Charge(each); err != nil {
			return err
		}
		return r.step(s)
	}
	var start petri.Marking
	if err := r.Lasso(c, step, func() { start = slices.Clone(r.Marking) }); err != nil {
		return err
	}
	if !net.Repeats(start, r.Marking) {
		return ErrCycleOpen
	}
	if slices.Equal(start, r.Marking) {
		return nil
	}
	// A transition that fired once can fire again with more tokens, but labels may
	// change.
	all, err := acceptsAll(work, a, r.state)
	if err == nil && !all {
		err = errors.New("the cycle gains tokens where the automaton does not accept all runs")
	}
	return err
}

// stepWork is about the time of a step, in nanoseconds, beside looking at all places and predicates.
const stepWork = 256

// acceptsAll reports whether s is known to accept every word; false means not known. An error is that
// of the account.
//
// It is a game. One player chooses letters, the other reads each letter by an edge that matches.
// The reader wants an edge of each acceptance set again and again. If it can do so whatever letters
// come, s accepts every word. States from which it can are found by taking away the others. At
// first all states are inside. A state is taken out if, for some goal, the reader cannot force an
// edge of that goal without leaving the inside. This is repeated until no state is taken out.
//
// For example, s has two loops, with labels a and !a, both in set 0: any letter has an edge of the
// set, so that s stays. If only the loop for a is in the set, the other player writes !a for ever,
// and s goes. A reader who could see all letters to come might do better, so that false means
// nothing.
func acceptsAll(work *account.Account, a *automata.Automaton, s automata.State) (bool, error) {
	if a.Acceptance.Condition.UsesFin() {
		return false, nil
	}
	goals := []func(automata.Marks) bool{func(m automata.Marks) bool { return a.Acceptance.Condition.Accepts(m, m) }}
	if a.Acceptance.IsGeneralizedBuchi() && a.Acceptance.Sets > 0 {
		goals = goals[:0]
		for set := range a.Acceptance.Sets {
			goals = append(goals, func(m automata.Marks) bool { return m.Has(set) })
		}
	}
	inside := make([]bool, a.States())
	for q := range inside {
		inside[q] = true
	}
	for changed := true; changed; {
		changed = false
		for _, goal := range goals {
			reaches, err := forced(work, a, inside, goal)
			if err != nil {
				return false, err
			}
			for q, is := range reaches {
				if inside[q] && !is {
					inside[q], changed = false, true
				}
			}
		}
	}
	return inside[s], nil
}

// forced returns the states inside from which an edge of the goal can be taken at some time,
// whatever letters come, without leaving the inside. An error is that of the account.
func forced(work *account.Account, a *automata.Automaton, inside []bool, goal func(automata.Marks) bool) ([]bool, error) {
	reaches := make([]bool, a.States())
	for changed := true; changed; {
		changed = false
		for q := range automata.State(a.States()) {
			if !inside[q] || reaches[q] {
				continue
			}
			var union automata.Label
			first, end := a.Out(q)
			for e := first; e < end; e++ {
				if err := work.Charge(account.EdgeWork + 24*a.Cubes(e)); err != nil {
					return nil, err
				}
				if to := a.Destination(e); inside[to] && (reaches[to] || goal(a.Marks(e))) {
					union = append(union, a.Label(e)...)
				}
			}
			if union.Valid(work.Context()) {
				reaches[q], changed = true, true
			}
		}
	}
	return reaches, nil
}

// Firing is a run of a net under way, with the automaton that reads it.
type Firing struct {
	AutomatonReplay
	net        *petri.Net
	predicates []*logic.Predicate
	Marking    petri.Marking
}

// NewFiring returns a run that is in the initial marking of net.
func NewFiring(net *petri.Net, a *automata.Automaton, predicates []*logic.Predicate) *Firing {
	return &Firing{AutomatonReplay: AutomatonReplay{Automaton: a}, net: net, predicates: predicates, Marking: net.Initial()}
}

// step takes an edge of the automaton and a transition together: the label is that of
// the marking before the transition.
func (r *Firing) step(s Step) error {
	if err := r.Read(s.Edge, r.Valuation()); err != nil {
		return err
	}
	switch {
	case s.Stutter && !r.net.Deadlock(r.Marking):
		return errors.New("the run stays in a marking that is no deadlock")
	case !s.Stutter && int(s.Transition) >= r.net.Transitions():
		return fmt.Errorf("transition number %d does not exist", s.Transition)
	case !s.Stutter && !r.net.Fire(r.Marking, s.Transition):
		if place, over := overflows(r.net, r.Marking, s.Transition); over {
			return &petri.OverflowError{ID: r.net.PlaceLabel(place).ID}
		}
		return fmt.Errorf("transition %q is not enabled", r.net.TransitionLabel(s.Transition).ID)
	}
	return nil
}

// overflows reports whether t is enabled in m but leads to more tokens in a place than can
// be counted, and which one.
func overflows(net *petri.Net, m petri.Marking, t petri.Transition) (petri.Place, bool) {
	if !net.Enabled(m, t) {
		return 0, false
	}
	for _, a := range net.Effect(t) {
		if net.Empties(t, a.Place) {
			continue
		}
		if a.Weight > 0 && m[a.Place] > math.MaxInt64-a.Weight {
			return a.Place, true
		}
	}
	return 0, false
}

// Valuation evaluates all predicates in the current marking.
func (r *Firing) Valuation() automata.Valuation { return Valuation(r.net, r.Marking, r.predicates) }

// Valuation evaluates predicates in a marking of net, by their definitions.
func Valuation(net *petri.Net, m petri.Marking, predicates []*logic.Predicate) automata.Valuation {
	v := make(automata.Valuation, automata.WordsFor(len(predicates)))
	for i, p := range predicates {
		if Satisfies(net, m, p) {
			bitset.Add(v, i)
		}
	}
	return v
}

// Covers reports whether m has at least the tokens of n everywhere.
func Covers(m, n petri.Marking) bool {
	for p := range m {
		if m[p] < n[p] {
			return false
		}
	}
	return true
}
