package witness

import (
	"pnmc/automata"
	"pnmc/petri"
)

// Counterexample is an accepted run of the product of a net and an automaton:
// after Prefix, Cycle repeats for ever. Cycle is never empty. It leads back to the
// marking that it starts in, or, in an unbounded net, to one with more tokens: its
// transitions can fire again and again all the same.
type Counterexample struct {
	// Start is the initial state of the automaton that the run starts in.
	Start  automata.State
	Prefix []Step
	Cycle  []Step
}

// Step is one step of a run: the automaton takes Edge for the label of the
// current marking while the net fires Transition, or, in a deadlock, stays.
type Step struct {
	Edge       automata.Edge
	Transition petri.Transition
	// Stutter: nothing fires since nothing can, and Transition means nothing.
	Stutter bool
}
