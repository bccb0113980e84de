package checker

import (
	"context"
	"errors"

	"pnmc/logic"
	"pnmc/logic/ctl"
)

// errLargeNumbers tells of a question about numbers that engines don't compute with.
var errLargeNumbers = errors.New("numbers beyond 63 bits")

// put puts the questions of a part, and decides those that the initial marking shows.
// Predicates are simplified until ctx ends.
func (r *task) put(ctx context.Context, p *part, questions []Question) {
	initial := r.net.Initial()
	for _, number := range p.numbers {
		r.changedBy = 0
		switch q := questions[number].(type) {
		case Reachable:
			r.askCTL(number, ctl.New(ctl.ExistsFinally, ctl.Of(r.predicate(q.Predicate))), initial)
		case Invariant:
			r.askCTL(number, ctl.New(ctl.AllGlobally, ctl.Of(r.predicate(q.Predicate))), initial)
		case Branching:
			r.askCTL(number, r.formula(q.Formula.MergeStates()), initial)
		case Bound:
			sum := r.groups.Sum(q.Sum)
			r.ledger.ask(&question{number: number}, &atom{maximum: &sum})
		case Linear, Automaton:
			r.askLinear(ctx, number, q, initial)
		case Deadlock:
			r.ledger.ask(&question{number: number, onReached: Truth(true), onUnreachable: Truth(false)},
				&atom{goal: &logic.Predicate{Operator: logic.Deadlocked}})
		case OneSafe:
			r.askOneSafe(number)
		case StableMarking:
			r.askStableMarking(number, initial)
		case QuasiLive:
			r.askAll(&question{number: number, onUnreachable: Truth(false), finally: Truth(true)}, r.transitionAtoms())
		case Live:
			r.askLive(number)
		case Size:
			if r.tokens == nil {
				r.tokens = newTokens(r.net, r.ledger.answers, r.always)
			}
			r.tokens.ask(number, q)
		}
	}
	r.ledger.lookAtInitial()
	if r.tokens != nil {
		r.tokens.reach(initial, InitialState)
	}
}

// predicate says a question's predicate over the nodes of the net, simplified.
func (r *task) predicate(p *logic.Predicate) *logic.Predicate {
	p = r.groups.Predicate(p).Simplify()
	if r.simplify != nil {
		var by Techniques
		p, by = r.simplify(p)
		r.changedBy |= by
	}
	return p
}

// formula says a question's formula of CTL over the nodes of the net, its predicates
// simplified.
func (r *task) formula(f *ctl.Formula) *ctl.Formula {
	if f.Operator == ctl.State {
		return ctl.Of(r.predicate(f.Predicate))
	}
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, o := range f.Operands {
		operands[i] = r.formula(o)
	}
	return ctl.New(f.Operator, operands...)
}

// simplifiedBy names how the question that is being put was simplified.
func (r *task) simplifiedBy() Techniques {
	if r.changedBy != 0 {
		return QueryReduction | r.changedBy
	}
	return 0
}
