package checker

import (
	"pnmc/checker/witness"
	"pnmc/logic"
)

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
