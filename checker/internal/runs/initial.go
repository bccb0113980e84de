package runs

import (
	"context"

	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl/rewrite"
	"pnmc/petri"
)

// initialEvidence returns what the initial marking shows of all runs: how they begin, and
// if it is a deadlock, all there is to them.
func initialEvidence(net *petri.Net, initial petri.Marking) *Evidence {
	return &Evidence{Length: 1, Letters: make(map[*logic.Predicate][]Truth), Loop: -1, Ended: net.Deadlock(initial)}
}

// see notes how predicates are in the initial marking, the only one of e.
func (e *Evidence) see(net *petri.Net, initial petri.Marking, p *logic.Predicate) {
	value := No
	if witness.Satisfies(net, initial, p) {
		value = Yes
	}
	e.Letters[p] = []Truth{value}
}

// TruthAt returns the truth of l, as far as the initial marking of a net shows it.
func (l *Question) TruthAt(ctx context.Context, net *petri.Net, initial petri.Marking) Truth {
	if l.Formula == nil {
		var letter []bool
		for _, p := range l.Predicates {
			letter = append(letter, witness.Satisfies(net, initial, p))
		}
		return l.initially(ctx, letter, net.Deadlock(initial))
	}
	e := initialEvidence(net, initial)
	for _, p := range l.Predicates {
		e.see(net, initial, p)
	}
	rewriter := rewrite.New(l.Formulas)
	rewriter.Watch(ctx)
	normal, negated := rewriter.NegationNormal(l.Formula, false), l.Negated
	if negated == nil {
		negated = rewriter.NegationNormal(l.Formula, true)
	}
	if account.Reason(ctx) != nil { // they need not be in normal form
		return Unknown
	}
	work := account.Of(ctx)
	return decided(
		func() (bool, error) { return e.Surely(work, l, normal) },
		func() (bool, error) { return e.Surely(work, l, negated) })
}

// BranchingAt returns that of a formula of CTL, for which a deadlock ends the run.
func BranchingAt(net *petri.Net, f *ctl.Formula, initial petri.Marking) Truth {
	e := initialEvidence(net, initial)
	f.EachPredicate(func(p *logic.Predicate) { e.see(net, initial, p) })
	return e.TruthOf(new(account.Account), f) // of one marking
}
