package ledger

import (
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/runs"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// Atom is the smallest thing that engines decide: whether a marking with Goal is
// reachable, or what the largest value of Maximum and Products together is.
type Atom struct {
	Goal     *logic.Predicate
	Maximum  *logic.Sum
	Products []logic.Product
	State    State
	// low is the largest value reached and high the least bound proven, or
	// unboundedHigh, for a maximum.
	low, high     int64
	reachedBy     inquiry.Witness // the run to low
	lowBy, highBy inquiry.Techniques
	techniques    inquiry.Techniques // of what was decided
	shown         inquiry.Witness    // of what was decided, if a question asks for a combination
	users         []*Question
}

// Number returns what is to be as large as it gets.
func (a *Atom) Number() logic.Polynomial {
	return logic.Polynomial{Sum: *a.Maximum, Products: a.Products}
}

// value returns that of the number in a marking; ok is false if 64 bits do not suffice on the way.
func (a *Atom) value(m petri.Marking) (value int64, ok bool) {
	return witness.ValueOfAll(a.Maximum, a.Products, m)
}

// State is what is known of an atom.
type State uint8

// The states.
const (
	Open        State = iota
	Reached           // a marking has the goal
	Unreachable       // no marking has it
	Settled           // a maximum is known
)

// Question is one that Decide was given, as far as atoms decide it.
type Question struct {
	Number    int // in the list that Decide was given
	remaining int // atoms not decided
	// OnReached and OnUnreachable are the answers as soon as one atom is reached, or unreachable.
	// Finally is the answer when all atoms are decided, and none of these two was given. A value
	// that is unknown means that there is no such answer.
	OnReached, OnUnreachable, Finally inquiry.Value
	// FinallyBy is what Finally rests on beside what decides the atoms.
	FinallyBy inquiry.Techniques
	// Evaluate, if set, gives the answer from the atoms as they are, or unknown.
	Evaluate func() (inquiry.Value, inquiry.Techniques)
	// Combination, with Evaluate, is what that looks at.
	Combination *Boolean
	// OnlyAtoms: the atoms decide a question of linear time, though it has LTL.
	OnlyAtoms bool
	answered  bool
	// SimplifiedBy is how the question became what is asked.
	SimplifiedBy inquiry.Techniques
	techniques   inquiry.Techniques // of the atoms decided
	atoms        []int
	// SilentTwin, unless nil, is another question with the same number, for whose answer this
	// one is asked. This one is open as long as the twin is. If it is Implied, it speaks only if it
	// is false: then the twin has the answer Proved.
	SilentTwin *Question
	// Proves, unless nil, is a question of the sink. If this question is true, that one has the
	// answer Proved. If it is false, it says nothing. It is open as long as that one is.
	Proves *Question
	Proved inquiry.Value
	// Implied turns this around: if this question is false, the one of the sink has the answer
	// Proved, and if it is true, it says nothing. For the opposite of Proved implies what is
	// asked here, on the same net.
	Implied bool
	// CTL and LTL are what is asked where atoms are not enough.
	CTL *ctl.Formula
	LTL *runs.Question
}

// mayEndReached reports whether it may answer the question that one of its atoms, which counts
// as not decided yet, is reached.
func (q *Question) mayEndReached() bool {
	return !q.answered && (q.Evaluate != nil || q.OnReached.IsKnown() || q.remaining == 1 && q.Finally.IsKnown())
}

// isAnswered reports whether there is nothing left to find out: the question has an answer, or its
// silent twin has.
func (q *Question) isAnswered() bool {
	return q.answered || q.SilentTwin != nil && q.SilentTwin.answered
}
