package asking

import (
	"context"
	"errors"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// errLargeNumbers tells of a question about numbers that engines don't compute with.
var errLargeNumbers = errors.New("numbers beyond 63 bits")

// Put puts the questions of a part, and decides those that the initial marking shows.
// Predicates are simplified until ctx ends.
func Put(ctx context.Context, r *core.Task, p *ledger.Part, questions []inquiry.Question) {
	initial := r.Net.Initial()
	for _, number := range p.Numbers {
		r.ChangedBy = 0
		switch q := questions[number].(type) {
		case inquiry.Reachable:
			askCTL(r, number, ctl.New(ctl.ExistsFinally, ctl.Of(predicate(r, q.Predicate))), initial)
		case inquiry.Invariant:
			askCTL(r, number, ctl.New(ctl.AllGlobally, ctl.Of(predicate(r, q.Predicate))), initial)
		case inquiry.Branching:
			askCTL(r, number, formula(r, q.Formula.MergeStates()), initial)
		case inquiry.Bound:
			sum := r.Groups.Sum(q.Sum)
			r.Ledger.Ask(&ledger.Question{Number: number}, &ledger.Atom{Maximum: &sum})
		case inquiry.Linear, inquiry.Automaton:
			askLinear(ctx, r, number, q, initial)
		case inquiry.Deadlock:
			r.Ledger.Ask(&ledger.Question{Number: number, OnReached: inquiry.Truth(true), OnUnreachable: inquiry.Truth(false)},
				&ledger.Atom{Goal: &logic.Predicate{Operator: logic.Deadlocked}})
		case inquiry.OneSafe:
			askOneSafe(r, number)
		case inquiry.StableMarking:
			askStableMarking(r, number, initial)
		case inquiry.QuasiLive:
			askAll(r, &ledger.Question{Number: number, OnUnreachable: inquiry.Truth(false), Finally: inquiry.Truth(true)}, transitionAtoms(r))
		case inquiry.Live:
			askLive(r, number)
		case inquiry.Size:
			if r.Sizes == nil {
				r.Sizes = ledger.NewSizes(r.Net, r.Ledger.Answers, r.Always)
			}
			r.Sizes.Ask(number, q)
		}
	}
	r.Ledger.LookAtInitial()
	if r.Sizes != nil {
		r.Sizes.Reach(initial, inquiry.InitialState)
	}
}

// predicate says a question's predicate over the nodes of the net, simplified.
func predicate(r *core.Task, p *logic.Predicate) *logic.Predicate {
	p = r.Groups.Predicate(p).Simplify()
	if r.Simplify != nil {
		var by inquiry.Techniques
		p, by = r.Simplify(p)
		r.ChangedBy |= by
	}
	return p
}

// formula says a question's formula of CTL over the nodes of the net, its predicates
// simplified.
func formula(r *core.Task, f *ctl.Formula) *ctl.Formula {
	if f.Operator == ctl.State {
		return ctl.Of(predicate(r, f.Predicate))
	}
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, o := range f.Operands {
		operands[i] = formula(r, o)
	}
	return ctl.New(f.Operator, operands...)
}

// simplifiedBy names how the question that is being put was simplified.
func simplifiedBy(r *core.Task) inquiry.Techniques {
	if r.ChangedBy != 0 {
		return inquiry.QueryReduction | r.ChangedBy
	}
	return 0
}
