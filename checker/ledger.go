package checker

import (
	"context"
	"sync"

	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
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

// ledger keeps the atoms and questions of a task, and gives answers. Engines of
// several goroutines report to it.
type ledger struct {
	net       *petri.Net
	answers   *answers
	mutex     sync.Mutex
	atoms     []*atom
	questions []*question
	openCount int // questions not answered
	allDone   context.CancelFunc
	// always is what all that is decided here rests on.
	always Techniques
	// sink, unless nil, is told what is proven here: its atoms ask for what those
	// of the same numbers here do, or for less. What is reached here means nothing
	// there.
	sink *ledger
}

// ask adds a question about atoms.
func (b *ledger) ask(q *question, atoms ...*atom) *question {
	for _, a := range atoms {
		q.atoms = append(q.atoms, len(b.atoms))
		b.atoms = append(b.atoms, a)
		a.users = append(a.users, q)
		if a.maximum != nil {
			a.low, a.high = -1, unboundedHigh
		}
	}
	q.remaining = len(atoms)
	b.questions = append(b.questions, q)
	if b.answers.isGiven(q.number) {
		q.answered = true
	} else if q.silentTwin == nil && q.proves == nil {
		b.openCount++
	}
	return q
}

// unboundedHigh as the bound of a maximum says that none is known. It settles
// nothing, not even where a value as large is reached.
const unboundedHigh = 1<<63 - 1

// openAtoms are those whose decision is still of use.
func (b *ledger) openAtoms() []int {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	var list []int
	b.hear()
	for i := range b.atoms {
		if b.wanted(i) {
			list = append(list, i)
		}
	}
	return list
}

// hear notes what others have answered. As wanted, settle and answer, it is called with
// the mutex held; that of a sink may be taken then, never the other way round.
func (b *ledger) hear() {
	for _, q := range b.questions {
		if !q.answered && q.silentTwin == nil && q.proves == nil && b.answers.isGiven(q.number) {
			q.answered = true
			b.openCount--
		}
	}
}

// isOpen reports whether the decision of an atom is still of use.
func (b *ledger) isOpen(i int) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.wanted(i)
}

// wanted is isOpen with the mutex held.
func (b *ledger) wanted(i int) bool {
	a := b.atoms[i]
	if a.state != open {
		return false
	}
	if b.sink != nil {
		return b.sink.isOpen(i)
	}
	for _, q := range a.users {
		if !q.isAnswered() {
			return true
		}
	}
	return false
}

// openQuestions are those not answered.
func (b *ledger) openQuestions() []*question {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	var list []*question
	b.hear()
	for _, q := range b.questions {
		if !q.answered && q.silentTwin == nil && (q.proves == nil || !b.sink.isAnswered(q.proves)) {
			list = append(list, q)
		}
	}
	return list
}

// witnessed reports that run, of the original net, reaches an atom's goal or the
// value of its sum. What does not replay is dropped, and false returned.
func (b *ledger) witnessed(i int, run []witness.Burst, techniques Techniques) bool {
	b.mutex.Lock()
	a := b.atoms[i]
	wanted := b.wanted(i)
	b.mutex.Unlock()
	if !wanted {
		return true
	}
	if b.sink != nil {
		b.decide(i, reached, techniques, Witness{})
		return true
	}
	m, err := witness.ReplayRun(b.net, run)
	if err != nil {
		return false
	}
	if a.maximum != nil {
		value, ok := witness.ValueOf(a.maximum, m)
		if !ok {
			return true // the run is one, to a value that no answer here can tell
		}
		b.raise(i, value, techniques, Witness{Ground: ReachedMarking, Net: b.net, Run: run})
		return true
	}
	if a.goal.Operator == logic.Deadlocked {
		run = toDeadlock(b.net, m, run)
	}
	if !witness.Satisfies(b.net, m, a.goal) {
		return false
	}
	b.decide(i, reached, techniques, Witness{Ground: ReachedMarking, Net: b.net, Run: run})
	return true
}

// impossible reports that no reachable marking has an atom's goal.
func (b *ledger) impossible(i int, techniques Techniques, shown Witness) {
	b.decide(i, unreachable, techniques, shown)
}

// raise reports a value that is reached.
func (b *ledger) raise(i int, value int64, techniques Techniques, shown Witness) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	a := b.atoms[i]
	if value > a.low {
		a.low, a.reachedBy, a.lowBy = value, shown, techniques
	}
	b.settle(a)
}

// limit reports a proven upper bound of an atom's sum.
func (b *ledger) limit(i int, value int64, techniques Techniques) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	a := b.atoms[i]
	if value < a.high {
		a.high, a.highBy = value, techniques
		if b.sink != nil {
			b.sink.limit(i, value, techniques|b.always)
		}
	}
	b.settle(a)
}

// settle answers a maximum whose bounds meet.
func (b *ledger) settle(a *atom) {
	if a.state != open || a.low != a.high || a.high == unboundedHigh {
		return
	}
	a.state = settled
	for _, q := range a.users {
		b.answer(q, Number(a.low), a.lowBy|a.highBy, a.reachedBy)
	}
}

// exact reports the value of a maximum, or that it has none.
func (b *ledger) exact(i int, value Value, techniques Techniques, shown Witness) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	a := b.atoms[i]
	if a.state != open {
		return
	}
	a.state = settled
	if bound, ok := value.Number(); ok && bound.IsInt64() && b.sink != nil {
		b.sink.limit(i, bound.Int64(), techniques|b.always)
	}
	for _, q := range a.users {
		b.answer(q, value, techniques, shown)
	}
}

// decide notes that a goal is reached or unreachable, which a run or a proof has shown, and
// gives the answers that follow.
func (b *ledger) decide(i int, state atomState, techniques Techniques, shown Witness) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	a := b.atoms[i]
	if a.state != open {
		return
	}
	a.state, a.techniques = state, techniques
	// A run to a deadlock ends there, whatever was asked.
	shown.Ends = shown.Ends || state == reached && a.goal != nil && a.goal.Operator == logic.Deadlocked && shown.HasRun()
	if b.sink != nil && state == unreachable {
		onSkeleton := shown
		onSkeleton.Skeleton = true
		b.sink.decide(i, state, techniques|b.always, onSkeleton)
	}
	for _, q := range a.users {
		if q.answered {
			continue
		}
		q.remaining--
		q.techniques |= techniques
		switch {
		case q.evaluate != nil:
			if value, by := q.evaluate(); value.IsKnown() {
				b.answer(q, value, by, shown)
			}
		case state == reached && q.onReached.IsKnown():
			b.answer(q, q.onReached, techniques, shown)
		case state == unreachable && q.onUnreachable.IsKnown():
			b.answer(q, q.onUnreachable, techniques, shown)
		case q.remaining == 0 && q.finally.IsKnown():
			b.answer(q, q.finally, q.techniques, shown)
		}
	}
}

// isAnswered reports whether a question is answered.
func (b *ledger) isAnswered(q *question) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return q.answered || q.proves != nil && b.sink.isAnswered(q.proves)
}

// answerNow answers a question as a whole.
func (b *ledger) answerNow(q *question, value Value, techniques Techniques, shown Witness) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.answer(q, value, techniques, shown)
}

// answerAll answers all questions that are asked here.
func (b *ledger) answerAll(value Value, techniques Techniques, shown Witness) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, q := range b.questions {
		if q.silentTwin == nil {
			b.answer(q, value, techniques, shown)
		}
	}
}

// answer gives an answer, once, or what it proves of a question of the sink.
func (b *ledger) answer(q *question, value Value, techniques Techniques, shown Witness) {
	if q.proves != nil {
		if !q.answered && value.IsTrue() {
			shown.Skeleton = true
			b.sink.answerNow(q.proves, q.proved, techniques|b.always, shown)
		}
		q.answered = true
		return
	}
	if q.silentTwin != nil {
		q.answered = true
		q = q.silentTwin
	}
	if q.answered {
		return
	}
	q.answered = true
	b.openCount--
	b.answers.give(Answer{Question: q.number, Value: value, Witness: shown, By: techniques | q.simplifiedBy | b.always})
	if b.openCount == 0 && b.allDone != nil {
		b.allDone()
	}
}
