package properties

import (
	"errors"

	"pnmc/checker/witness"
	"pnmc/petri"
)

// Verdict is the answer to whether a property holds of a net.
type Verdict uint8

// The verdicts.
const (
	// Unknown: the budget was spent, or the state space is infinite, before the
	// question was decided.
	Unknown Verdict = iota
	// Holds: no run violates the property.
	Holds
	// Violated: some run violates it, and a counterexample shows one.
	Violated
)

// String returns the verdict in lower case.
func (v Verdict) String() string {
	return [...]string{"unknown", "holds", "violated"}[v]
}

// Result is what a check found out.
type Result struct {
	Verdict Verdict
	// Reason says why the verdict is Unknown.
	Reason string
	// MemoryFull: the reason is that memory was spent; what was found is worth giving up
	// before the next check.
	MemoryFull bool
	// Counterexample is an accepted run, if the verdict is Violated.
	Counterexample *witness.Counterexample
	Statistics     Statistics
}

// GiveUp leaves the verdict open because of err.
func (r *Result) GiveUp(err error) {
	r.Reason, r.MemoryFull = err.Error(), errors.As(err, new(*petri.MemoryError))
}

// Statistics tell what a check cost.
type Statistics struct {
	// States and Transitions are those of the state graph of the net that are
	// known after the check: states met, and labelled edges of states expanded.
	// Automata checked before on the same graph have their share in them.
	States, Transitions int64
	// ProductStates and ProductTransitions are the pairs of a state of the graph
	// and one of the automaton that were met, and the edges found between them.
	ProductStates, ProductTransitions int64
	// ExploredStates and ExploredTransitions are what the emptiness check went
	// through, counted again each time; less than the product where it stopped
	// early, more where it needs several passes.
	ExploredStates, ExploredTransitions int64
	// LabelHits and LabelMisses are the state labels taken from memory and those
	// computed; LabelLastHits are those taken that had been computed last.
	LabelHits, LabelMisses, LabelLastHits int64
	// Threads is how many searched together, or 0 for one. These do not count labels.
	Threads int
}

// UnsupportedError says that no engine decides an automaton of this kind.
type UnsupportedError struct{ Reason string }

func (e *UnsupportedError) Error() string { return e.Reason }
