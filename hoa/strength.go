package hoa

import (
	"context"
	"errors"

	"pnmc/automata"
)

// structure reports which properties of the format an automaton has. Facts that several
// of them need are found once, on first use. Exponential parts are bounded by the work
// that automata allows, some tenths of a second each, and by the limit of the reader.
//
// A property is looked for only if the text claims it, or its negation: an automaton that claims
// nothing costs nothing.
type structure struct {
	ctx          context.Context // ends when the limit of the reader says so
	a            *automata.Automaton
	one          *determinism // once it is known
	outgoing     *automata.Outgoing
	components   *automata.Components
	accepting    []bool // of each component: some cycle is accepted
	acceptingErr error
}

// determinism says whether no word has two runs, or why that is not known.
type determinism struct {
	holds bool
	err   error
}

// measures are the properties that are found out from the automaton itself. The
// error is that it would cost too much.
var measures = []struct {
	property string
	holds    func(*structure) (bool, error)
}{
	{"deterministic", (*structure).deterministic},
	{"complete", func(t *structure) (bool, error) { return automata.IsComplete(t.ctx, t.a) }},
	{"exist-branch", func(t *structure) (bool, error) {
		d, err := t.deterministic()
		return !d, err
	}},
	{"unambiguous", (*structure).unambiguous},
	{"semi-deterministic", (*structure).semiDeterministic},
	{"inherently-weak", (*structure).inherentlyWeak},
	{"weak", (*structure).weak},
	{"very-weak", (*structure).veryWeak},
	{"terminal", (*structure).terminal},
}

// errOfTesting is why properties of runs aren't looked for in testing automata:
// their labels tell changes, and a run may stutter where there is no edge.
var errOfTesting = errors.New("the labels of testing automata don't show it")

// find returns the strongly connected components.
func (t *structure) find() *automata.Components {
	if t.components == nil {
		t.components = automata.FindComponents(t.a)
	}
	return t.components
}

// edges returns the edges by their states, for questions about letters.
func (t *structure) edges() *automata.Outgoing {
	if t.outgoing == nil {
		t.outgoing = automata.NewOutgoing(t.ctx, t.a)
	}
	return t.outgoing
}

// deterministic reports whether no word has two runs. An error is kept, as it would come again.
func (t *structure) deterministic() (bool, error) {
	if t.one == nil {
		holds, err := automata.IsDeterministic(t.ctx, t.a)
		t.one = &determinism{holds, err}
	}
	return t.one.holds, t.one.err
}

// acceptingComponents returns which components have an accepted cycle. An error is kept, as it
// would come again.
func (t *structure) acceptingComponents() ([]bool, error) {
	if t.accepting == nil && t.acceptingErr == nil {
		t.accepting, t.acceptingErr = automata.AcceptingComponents(t.ctx, t.a, t.find())
	}
	return t.accepting, t.acceptingErr
}

// weak reports whether the edges within each component have the same marks.
func (t *structure) weak() (bool, error) { return automata.UniformMarks(t.a, t.find()), nil }

// veryWeak reports whether t is weak and each component has one state.
func (t *structure) veryWeak() (bool, error) {
	weak, err := t.weak()
	return weak && t.find().VeryWeak(), err
}

// inherentlyWeak reports whether no component has accepted and rejected cycles.
func (t *structure) inherentlyWeak() (bool, error) {
	return automata.InherentlyWeak(t.ctx, t.a, t.find())
}

// terminal reports whether t is weak, no rejected cycle is reachable from an
// accepted one, and the components of accepted cycles are complete. That is the format's
// meaning: a component with an edge to a state without a cycle may be terminal, which it is
// not among automata.Strengths.
func (t *structure) terminal() (bool, error) {
	if weak, err := t.weak(); !weak || err != nil {
		return false, err
	}
	if t.a.Kind != automata.Plain {
		return false, errOfTesting
	}
	accepting, err := t.acceptingComponents()
	if err != nil {
		return false, err
	}
	c, a := t.find(), t.a
	leads := make([]bool, c.Count()) // to a rejected cycle; components come after those they lead to
	for n := range leads {
		for _, s := range c.States(automata.Component(n)) {
			for e, end := a.Out(s); e < end; e++ {
				leads[n] = leads[n] || leads[c.Of(a.Destination(e))] || c.Inside(a, e) && !accepting[n]
			}
			if !accepting[n] {
				continue
			}
			if whole, err := t.edges().Complete(s, nil); !whole || err != nil {
				return false, err
			}
		}
		if accepting[n] && leads[n] {
			return false, nil
		}
	}
	return true, nil
}

// semiDeterministic reports whether the states that accepted cycles lead to, and
// those on them, are deterministic.
func (t *structure) semiDeterministic() (bool, error) {
	accepting, err := t.acceptingComponents()
	if err != nil {
		return false, err
	}
	c, a := t.find(), t.a
	after := make([]bool, a.States())
	for n := c.Count() - 1; n >= 0; n-- { // components lead to those before them
		states := c.States(automata.Component(n))
		reached := accepting[n]
		for _, s := range states {
			reached = reached || after[s]
		}
		if !reached {
			continue
		}
		for _, s := range states {
			after[s] = true
			for e, end := a.Out(s); e < end; e++ {
				after[a.Destination(e)] = true
			}
			if one, err := t.edges().Deterministic(s, nil); !one || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// unambiguous reports whether no word has two accepting runs.
func (t *structure) unambiguous() (bool, error) {
	if one, err := t.deterministic(); one && err == nil {
		return true, nil
	}
	if t.a.Kind != automata.Plain {
		return false, errOfTesting
	}
	return automata.Unambiguous(t.ctx, t.a)
}
