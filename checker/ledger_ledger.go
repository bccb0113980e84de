package checker

import (
	"context"
	"sync"

	"pnmc/petri"
)

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

// add adds an atom that is of use to the sink alone.
func (b *ledger) add(a *atom) {
	a.low, a.high = -1, unboundedHigh
	b.atoms = append(b.atoms, a)
}

// whenDone has stop called once all questions are answered. It reports whether there were
// some, and they are.
func (b *ledger) whenDone(stop context.CancelFunc) (done bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.allDone = stop
	return b.openCount == 0 && len(b.questions) > 0
}

// counts tells how many questions there are, and how many of them are open.
func (b *ledger) counts() (questions, open int) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return len(b.questions), b.openCount
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

// isAnswered reports whether a question is answered.
func (b *ledger) isAnswered(q *question) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return q.answered || q.proves != nil && b.sink.isAnswered(q.proves)
}
