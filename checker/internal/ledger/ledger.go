package ledger

import (
	"context"
	"math"
	"sync"

	"pnmc/checker/inquiry"
	"pnmc/petri"
)

// Ledger keeps the atoms and questions of a task, and gives answers. Engines of
// several goroutines report to it.
type Ledger struct {
	Net     *petri.Net // on which runs are replayed
	Answers *Answers
	Atoms   []*Atom // all of them are asked before engines work

	mutex     sync.Mutex
	questions []*Question
	openCount int // questions not answered
	allDone   context.CancelFunc
	// Always is what all that is decided here rests on.
	Always inquiry.Techniques
	// Sink, unless nil, is told what is proven here. Its atoms ask for the same as
	// those with the same numbers here, or for less. A goal that is reached here means
	// nothing there.
	Sink *Ledger
}

// Ask adds a question about atoms.
func (b *Ledger) Ask(q *Question, atoms ...*Atom) *Question {
	for _, a := range atoms {
		q.atoms = append(q.atoms, len(b.Atoms))
		b.Atoms = append(b.Atoms, a)
		a.users = append(a.users, q)
		if a.Maximum != nil {
			a.low, a.high = math.MinInt64, unboundedHigh
		}
	}
	q.remaining = len(atoms)
	b.questions = append(b.questions, q)
	if b.Answers.isGiven(q.Number) {
		q.answered = true
	} else if q.SilentTwin == nil && q.Proves == nil {
		b.openCount++
	}
	return q
}

// Add adds an atom that is of use to the sink alone.
func (b *Ledger) Add(a *Atom) {
	a.low, a.high = math.MinInt64, unboundedHigh
	b.Atoms = append(b.Atoms, a)
}

// WhenDone makes stop be called once all questions are answered. It reports whether there were
// some, and they are.
func (b *Ledger) WhenDone(stop context.CancelFunc) (done bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.allDone = stop
	return b.openCount == 0 && len(b.questions) > 0
}

// Counts returns how many questions there are, and how many of them are open.
func (b *Ledger) Counts() (questions, open int) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return len(b.questions), b.openCount
}

// unboundedHigh as the bound of a maximum says that none is known. It settles
// nothing, not even where a value as large is reached.
const unboundedHigh = 1<<63 - 1

// OpenAtoms returns those whose decision is still of use.
func (b *Ledger) OpenAtoms() []int {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	var list []int
	b.hear()
	for i := range b.Atoms {
		if b.wanted(i) {
			list = append(list, i)
		}
	}
	return list
}

// hear notes what others have answered. As wanted, settle and answer, it is called with
// the mutex held; that of a sink may be taken then, never the other way round.
func (b *Ledger) hear() {
	for _, q := range b.questions {
		if !q.answered && q.SilentTwin == nil && q.Proves == nil && b.Answers.isGiven(q.Number) {
			q.answered = true
			b.openCount--
		}
	}
}

// IsOpen reports whether the decision of an atom is still of use.
func (b *Ledger) IsOpen(i int) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.wanted(i)
}

// wanted reports what IsOpen does, with the mutex held.
func (b *Ledger) wanted(i int) bool {
	a := b.Atoms[i]
	if a.State != Open {
		return false
	}
	if b.Sink != nil {
		return b.Sink.IsOpen(i)
	}
	for _, q := range a.users {
		if !q.isAnswered() {
			return true
		}
	}
	return false
}

// OpenQuestions returns those not answered.
func (b *Ledger) OpenQuestions() []*Question {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	var list []*Question
	b.hear()
	for _, q := range b.questions {
		if !q.answered && q.SilentTwin == nil && (q.Proves == nil || !b.Sink.IsAnswered(q.Proves)) {
			list = append(list, q)
		}
	}
	return list
}

// OpenTwins returns the formulas of CTL that are asked for the answer of another question, and
// are open.
func (b *Ledger) OpenTwins() []*Question {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	var list []*Question
	b.hear()
	for _, q := range b.questions {
		if q.SilentTwin != nil && q.CTL != nil && !q.isAnswered() {
			list = append(list, q)
		}
	}
	return list
}

// IsAnswered reports whether there is nothing left to find out about a question.
func (b *Ledger) IsAnswered(q *Question) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return q.isAnswered() || q.Proves != nil && b.Sink.IsAnswered(q.Proves)
}
