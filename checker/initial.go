package checker

import (
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// This file decides what the initial marking alone shows, before any engine runs.

// decidedInitially is what shows an answer that the initial marking decides.
var decidedInitially = Witness{Ground: InitialMarking}

// lookAtInitial decides the goals that the initial marking has, and notes the values
// of sums there.
func (b *ledger) lookAtInitial() {
	initial := b.net.Initial()
	for i, a := range b.atoms {
		switch {
		case a.state != open:
		case a.maximum != nil:
			if value, ok := witness.ValueOf(a.maximum, initial); ok {
				b.raise(i, value, InitialState, decidedInitially)
			}
		case witness.Satisfies(b.net, initial, a.goal):
			b.decide(i, reached, InitialState, decidedInitially)
		}
	}
}

// initialEvidence is what the initial marking shows of all runs: how they begin, and
// if it is a deadlock, all there is to them.
func initialEvidence(net *petri.Net, initial petri.Marking) *evidence {
	return &evidence{length: 1, letters: make(map[*logic.Predicate][]truth), loop: -1, ended: net.Deadlock(initial)}
}

// see notes how predicates are in the initial marking, the only one of e.
func (e *evidence) see(net *petri.Net, initial petri.Marking, p *logic.Predicate) {
	value := no
	if witness.Satisfies(net, initial, p) {
		value = yes
	}
	e.letters[p] = []truth{value}
}

// linearInitially is the truth of a formula of linear time, as far as the initial
// marking shows it.
func (r *task) linearInitially(l *linear, initial petri.Marking) truth {
	if l.formula == nil {
		var letter []bool
		for _, p := range l.predicates {
			letter = append(letter, witness.Satisfies(r.net, initial, p))
		}
		return l.initially(letter, r.net.Deadlock(initial))
	}
	e := initialEvidence(r.net, initial)
	for _, p := range l.predicates {
		e.see(r.net, initial, p)
	}
	rewriter := ltl.NewRewriter(l.formulas)
	switch {
	case e.surely(l, rewriter.NegationNormal(l.formula, false)):
		return yes
	case e.surely(l, rewriter.NegationNormal(l.formula, true)):
		return no
	}
	return unknown
}

// branchingInitially is that of a formula of CTL.
func (r *task) branchingInitially(f *ctl.Formula, initial petri.Marking) truth {
	e := initialEvidence(r.net, initial)
	eachPredicate(f, func(p *logic.Predicate) { e.see(r.net, initial, p) })
	switch {
	case e.proves(f, false):
		return yes
	case e.proves(f, true):
		return no
	}
	return unknown
}
