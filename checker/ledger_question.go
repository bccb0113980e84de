package checker

import (
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// atom is the smallest thing that engines decide: whether a marking with goal is
// reachable, or what the largest value of a sum is.
type atom struct {
	goal    *logic.Predicate
	maximum *logic.Sum
	state   atomState
	// low is the largest value reached and high the least bound proven, or
	// unboundedHigh, for a maximum.
	low, high     int64
	reachedBy     Witness // the run to low
	lowBy, highBy Techniques
	techniques    Techniques // of what was decided
	users         []*question
}

type atomState uint8

const (
	open atomState = iota
	reached
	unreachable
	settled // a maximum is known
)

// question is one that Decide was given, as far as atoms decide it.
type question struct {
	number    int // in the list that Decide was given
	remaining int // atoms not decided
	// Answers as soon as one atom is reached, or unreachable, and when none is
	// left; unknown for none.
	onReached, onUnreachable, finally Value
	// evaluate, if set, gives the answer from the atoms as they are, or unknown.
	evaluate func() (Value, Techniques)
	// onlyAtoms: the atoms decide a question of linear time, though it has ltl.
	onlyAtoms bool
	answered  bool
	// simplifiedBy is how the question became what is asked.
	simplifiedBy Techniques
	techniques   Techniques // of the atoms decided
	atoms        []int
	// silentTwin is a question with the same number: this one only serves to
	// answer that one, and is open as long as that one is.
	silentTwin *question
	// proves is a question of the sink that has the answer proved if this one is
	// true, and is not touched by it otherwise; this one is open as long as that is.
	proves *question
	proved Value
	// ctl and ltl are what is asked where atoms are not enough.
	ctl *ctl.Formula
	ltl *linear
}

func (q *question) isAnswered() bool {
	return q.answered || q.silentTwin != nil && q.silentTwin.answered
}
