package inquiry

import (
	"errors"

	"pnmc/checker/branching"
	"pnmc/checker/witness"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// Answer is what was found out about one question.
type Answer struct {
	Question int // its place in the list that was given to Decide
	Value    Value
	Witness  Witness
	// By are the techniques by which Value was found.
	By Techniques
	// Reason says why Value is unknown.
	Reason error
}

// ErrNotDecided says that no engine decided a question, though none was interrupted.
var ErrNotDecided = errors.New("no engine decides it")

// Witness is what shows an answer: a run that was replayed, or if no run can show it, the kind of
// proof.
type Witness struct {
	Ground Ground

	// Net is the one that Run, Cycle and Branches fire transitions of: the net of the
	// problem, or of a coloured one what it was unfolded to. It is nil if there is no run.
	Net *petri.Net
	// Run leads from the initial marking to the one that shows the answer; with Cycle,
	// to where Cycle begins, which can be repeated for ever.
	Run, Cycle []witness.Burst
	// Bindings and BindingsCycle are the same of a coloured net that was not unfolded.
	Bindings, BindingsCycle []symmetric.Firing
	// Coloured says that the run is in Bindings.
	Coloured bool
	// Ends says that the run ends in a deadlock, which is part of what it shows.
	Ends bool
	// Branches are runs that show a formula of CTL, if one Run does not, as it does for EF p. The
	// first begins in the initial marking. So may others, for other parts of the formula. Others
	// begin in a marking of a run before, for what the formula says of that marking.
	Branches []*branching.Run

	// Count is how many states were looked at, where Ground speaks of all of them.
	Count int64
	// Dead is a transition that can't fire again after Run, by its number in the problem,
	// if Ground is DeadTransition.
	Dead int
	// Confirmed, if Ground is DeadTransition, says that this was seen by the definitions: at
	// all markings beyond Run, or as it could not fire if tokens were never taken away.
	Confirmed bool
	// Skeleton says that the proof is one of the skeleton, which can do more.
	Skeleton bool
	// Unshown says why there is no run, or none replayed to its end, though one could show
	// the answer.
	Unshown error
}

// Ground is what an answer rests on.
type Ground uint8

// The grounds of answers.
const (
	NoGround         Ground = iota
	InitialMarking          // what it has, or how all runs begin
	ReachedMarking          // Run leads to a marking as asked for, or with a value that is proven to be the largest
	InfiniteRun             // Run and Cycle, or a run that Ends, or without either all that begin with Run, are as asked for
	Pump                    // Cycle adds tokens each time
	Branches                // Branches show what runs can show of a formula of CTL, and the engine looked at the rest
	DeadTransition          // Dead can never fire again after Run
	NetStructure            // the net has no such node, or its arcs show it
	Invariants              // place invariants and bounds of places exclude it
	Equation                // the state equation excludes it
	Induction               // an invariant excludes it, which no firing leaves
	AllMarkings             // Count markings were explored, and are all
	AllProductStates        // Count states of a product with an automaton were explored, and none is on an accepted run
	TerminalStates          // each transition fires in each terminal component of Count markings
	DiagramMarkings         // a decision diagram has all markings
	DiagramProduct          // a product of decision diagrams has no accepted run
)

// HasRun reports whether w has a run of the net.
func (w *Witness) HasRun() bool { return w.Net != nil || w.Coloured }
