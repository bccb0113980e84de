package runs

import (
	"context"

	"pnmc/automata"
	"pnmc/checker/witness"
	"pnmc/petri"
)

// This file follows an automaton along a run, marking by marking.

// FindTerminal finds out from which states an automaton that was given accepts every word, as
// far as it can until ctx ends. It is called before engines work.
func (l *Question) FindTerminal(ctx context.Context) {
	if l.Automaton != nil && l.Automaton.Kind == automata.Plain {
		l.terminal = automata.TerminalStates(ctx, l.Automaton)
	}
}

// AcceptsAll reports whether the automaton is known to accept every word from a state on.
func (l *Question) AcceptsAll(s automata.State) bool {
	return l.terminal != nil && l.terminal[s] || loopsForever(l.Automaton, s)
}

// Letter returns what the automaton's propositions say in a marking of net.
func (l *Question) Letter(net *petri.Net, m petri.Marking) automata.Valuation {
	var letter []bool
	for _, p := range l.Letters() {
		letter = append(letter, witness.Satisfies(net, m, p))
	}
	return valuationOf(letter)
}

// Start returns the states in which an automaton can be before it has read a letter.
func Start(a *automata.Automaton) []bool {
	present := make([]bool, a.States())
	for _, s := range a.Initial() {
		present[s] = true
	}
	return present
}

// Read puts into next the states in which an automaton can be after it has read a letter in one
// of those that are present. It gives about what that cost, in nanoseconds.
func Read(a *automata.Automaton, present, next []bool, letter automata.Valuation) (work int) {
	clear(next)
	for s, is := range present {
		if !is {
			continue
		}
		first, end := a.Out(automata.State(s))
		work += 16 + 8*int(end-first)
		for e := first; e < end; e++ {
			if a.Matches(e, letter) {
				next[a.Destination(e)] = true
			}
		}
	}
	return work
}
