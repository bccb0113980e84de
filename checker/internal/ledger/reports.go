package ledger

import (
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// This file has what engines call when they have found something. There are two kinds of atoms:
//
//	                    a goal                    a maximum
//	a run shows it      Witnessed, Decide         Witnessed, Raise
//	a proof shows it    Impossible                Limit; Exact, if the value itself is known
//
// Each report adds to what is known of the atom, and then looks at the questions that use it. So
// reports of any engines, in any order, lead to an answer as soon as one follows. Once an atom is
// decided, further reports about it change nothing.
//
// A run counts only if it replays on the net of the ledger. A proof is believed. If there is a sink,
// that an atom is reached means nothing to it, as the skeleton may do what the coloured net can't.
// That an atom is impossible, and bounds of maxima, are passed on.

// Witnessed reports that run, of the original net, reaches an atom's goal or the value
// of its sum. A run that does not replay is dropped, and the result is false.
func (b *Ledger) Witnessed(i int, run []witness.Burst, techniques inquiry.Techniques) bool {
	b.mutex.Lock()
	a := b.Atoms[i]
	wanted := b.wanted(i)
	b.mutex.Unlock()
	if !wanted {
		return true
	}
	if b.Sink != nil {
		b.Decide(i, Reached, techniques, inquiry.Witness{})
		return true
	}
	m, err := witness.ReplayRun(b.Net, run)
	if err != nil {
		return false
	}
	if a.Maximum != nil {
		value, ok := a.value(m)
		if !ok {
			return true // the run is one, to a value that no answer here can tell
		}
		b.Raise(i, value, techniques, inquiry.Witness{Ground: inquiry.ReachedMarking, Net: b.Net, Run: run})
		return true
	}
	if a.Goal.Operator == logic.Deadlocked {
		run = ToDeadlock(b.Net, m, run)
	}
	if !witness.Satisfies(b.Net, m, a.Goal) {
		return false
	}
	b.Decide(i, Reached, techniques, inquiry.Witness{Ground: inquiry.ReachedMarking, Net: b.Net, Run: run})
	return true
}

// WitnessedAlong reports that run reaches the goals of atoms, each after its first bursts, so many as
// lengths say, which ascend. It does what Witnessed does for each, but replays the run once. It
// reports false if some goal is not reached so.
func (b *Ledger) WitnessedAlong(atoms, lengths []int, run []witness.Burst, techniques inquiry.Techniques) bool {
	if b.Sink != nil {
		for _, i := range atoms {
			b.Decide(i, Reached, techniques, inquiry.Witness{})
		}
		return true
	}
	all := true
	err := witness.ReplayTo(b.Net, run, lengths, func(k int, m petri.Marking) {
		i, part := atoms[k], run[:lengths[k]:lengths[k]]
		if !b.IsOpen(i) {
			return
		}
		a := b.Atoms[i]
		if a.Goal != nil && a.Goal.Operator == logic.Deadlocked {
			m = slices.Clone(m)
			part = ToDeadlock(b.Net, m, part)
		}
		if a.Goal == nil || !witness.Satisfies(b.Net, m, a.Goal) {
			all = false
			return
		}
		b.Decide(i, Reached, techniques, inquiry.Witness{Ground: inquiry.ReachedMarking, Net: b.Net, Run: part})
	})
	return all && err == nil
}

// Impossible reports that no reachable marking has an atom's goal.
func (b *Ledger) Impossible(i int, techniques inquiry.Techniques, shown inquiry.Witness) {
	b.Decide(i, Unreachable, techniques, shown)
}

// Raise reports a value that is reached.
func (b *Ledger) Raise(i int, value int64, techniques inquiry.Techniques, shown inquiry.Witness) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	a := b.Atoms[i]
	if value > a.low {
		a.low, a.reachedBy, a.lowBy = value, shown, techniques
	}
	b.settle(a)
}

// Limit reports a proven upper bound of an atom's sum.
func (b *Ledger) Limit(i int, value int64, techniques inquiry.Techniques) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	a := b.Atoms[i]
	if value < a.high {
		a.high, a.highBy = value, techniques
		if b.Sink != nil {
			b.Sink.Limit(i, value, techniques|b.Always)
		}
	}
	b.settle(a)
}

// settle answers a maximum whose bounds meet.
func (b *Ledger) settle(a *Atom) {
	if a.State != Open || a.low != a.high || a.high == unboundedHigh {
		return
	}
	a.State = Settled
	low, by, shown := a.low, a.lowBy|a.highBy, a.reachedBy
	b.shorten(&shown, func(m petri.Marking) bool {
		value, ok := a.value(m)
		return ok && value >= low
	}, witness.NumberWork(a.Number()))
	for _, q := range a.users {
		b.answer(q, inquiry.Number(low), by, shown)
	}
}

// Exact reports the value of a maximum, or that it has none.
func (b *Ledger) Exact(i int, value inquiry.Value, techniques inquiry.Techniques, shown inquiry.Witness) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	a := b.Atoms[i]
	if a.State != Open {
		return
	}
	a.State = Settled
	if bound, ok := value.Number(); ok && bound.IsInt64() && b.Sink != nil {
		b.Sink.Limit(i, bound.Int64(), techniques|b.Always)
	}
	for _, q := range a.users {
		b.answer(q, value, techniques, shown)
	}
}

// Decide notes that a goal is reached or unreachable, which a run or a proof has shown, and
// gives the answers that follow.
func (b *Ledger) Decide(i int, state State, techniques inquiry.Techniques, shown inquiry.Witness) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	a := b.Atoms[i]
	if a.State != Open {
		return
	}
	a.State, a.techniques = state, techniques
	// A run to a deadlock ends there, whatever was asked.
	shown.Ends = shown.Ends || state == Reached && a.Goal != nil && a.Goal.Operator == logic.Deadlocked && shown.HasRun()
	if b.Sink != nil && state == Unreachable {
		onSkeleton := shown
		onSkeleton.Skeleton = true
		b.Sink.Decide(i, state, techniques|b.Always, onSkeleton)
	}
	if state == Reached && a.Goal != nil && slices.ContainsFunc(a.users, (*Question).mayEndReached) {
		b.shorten(&shown, func(m petri.Marking) bool { return witness.Satisfies(b.Net, m, a.Goal) }, witness.EvaluationWork(b.Net, a.Goal))
	}
	if slices.ContainsFunc(a.users, func(q *Question) bool { return q.Combination != nil && !q.answered }) {
		a.shown = shown
	}
	for _, q := range a.users {
		if q.answered {
			continue
		}
		q.remaining--
		q.techniques |= techniques
		switch {
		case q.Evaluate != nil:
			if value, by := q.Evaluate(); value.IsKnown() {
				b.answer(q, value, by, q.Combination.shown(shown))
			}
		case state == Reached && q.OnReached.IsKnown():
			b.answer(q, q.OnReached, techniques, shown)
		case state == Unreachable && q.OnUnreachable.IsKnown():
			b.answer(q, q.OnUnreachable, techniques, shown)
		case q.remaining == 0 && q.Finally.IsKnown():
			b.answer(q, q.Finally, q.techniques|q.FinallyBy, shown)
		}
	}
}

// shorten shortens the run that shows something, which ends as wanted, which costs so much work to ask; others go on reporting
// meanwhile. Whoever has decided the atom calls it, with the mutex held. Nobody else gives
// answers to that atom. A run that is not reported need not be short: there may be thousands
// of atoms.
func (b *Ledger) shorten(shown *inquiry.Witness, wanted func(petri.Marking) bool, work int) {
	if shown.Net != b.Net || len(shown.Run) == 0 {
		return
	}
	b.mutex.Unlock()
	defer b.mutex.Lock()
	shown.Run = witness.Shorten(b.Net, shown.Run, wanted, work)
}

// AnswerNow answers a question as a whole.
func (b *Ledger) AnswerNow(q *Question, value inquiry.Value, techniques inquiry.Techniques, shown inquiry.Witness) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.answer(q, value, techniques, shown)
}

// AnswerAll answers all questions that are asked here.
func (b *Ledger) AnswerAll(value inquiry.Value, techniques inquiry.Techniques, shown inquiry.Witness) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, q := range b.questions {
		if q.SilentTwin == nil {
			b.answer(q, value, techniques, shown)
		}
	}
}

// answer gives an answer, once, or what it proves of a question of the sink.
func (b *Ledger) answer(q *Question, value inquiry.Value, techniques inquiry.Techniques, shown inquiry.Witness) {
	if q.Proves != nil {
		switch {
		case q.answered:
		case q.Implied && value == inquiry.Truth(false):
			b.Sink.AnswerNow(q.Proves, q.Proved, techniques|b.Always|inquiry.QueryReduction, asBranch(shown))
		case !q.Implied && value.IsTrue():
			shown.Skeleton = true
			b.Sink.AnswerNow(q.Proves, q.Proved, techniques|b.Always, shown)
		}
		q.answered = true
		return
	}
	if q.SilentTwin != nil {
		q.answered = true
		if q.Implied {
			if value != inquiry.Truth(false) {
				return
			}
			value, techniques = q.Proved, techniques|inquiry.QueryReduction
		}
		q = q.SilentTwin
	}
	if q.answered {
		return
	}
	q.answered = true
	b.openCount--
	b.Answers.Give(inquiry.Answer{Question: q.Number, Value: value, Witness: shown, By: techniques | q.SimplifiedBy | b.Always})
	if b.openCount == 0 && b.allDone != nil {
		b.allDone()
	}
}
