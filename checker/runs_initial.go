package checker

import (
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

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

// truthAt is the truth of l, as far as the initial marking of a net shows it.
func (l *linear) truthAt(net *petri.Net, initial petri.Marking) truth {
	if l.formula == nil {
		var letter []bool
		for _, p := range l.predicates {
			letter = append(letter, witness.Satisfies(net, initial, p))
		}
		return l.initially(letter, net.Deadlock(initial))
	}
	e := initialEvidence(net, initial)
	for _, p := range l.predicates {
		e.see(net, initial, p)
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

// branchingAt is that of a formula of CTL.
func branchingAt(net *petri.Net, f *ctl.Formula, initial petri.Marking) truth {
	e := initialEvidence(net, initial)
	f.EachPredicate(func(p *logic.Predicate) { e.see(net, initial, p) })
	switch {
	case e.proves(f, false):
		return yes
	case e.proves(f, true):
		return no
	}
	return unknown
}
