package asking

import (
	"context"
	"errors"
	"slices"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// errLargeNumbers is why a question about numbers too large for the engines has no answer.
var errLargeNumbers = errors.New("numbers beyond 63 bits")

// Put puts the questions of a part, and decides those that the initial marking shows. It does so
// in two rounds if predicates are to be simplified. The first round takes the formulas as they are,
// and answers what is decided then. The second one simplifies the predicates of the others, until
// ctx ends. On large nets this takes seconds, and answers of the first round need not wait for it.
//
// Afterwards LookAtInitial decides the atoms whose goal the initial marking has. Once the task's own
// context, or the memory that it carries, has ended, no more questions are put: they stay open, and the answers know
// for which of them memory was refused.
func Put(ctx context.Context, r *core.Task, p *ledger.Part, questions []inquiry.Question) {
	initial := r.Net.Initial()
	left := p.Numbers
	if r.Simplify != nil {
		left = undecided(ctx, r, p.Numbers, questions, initial)
	}
	if r.Ledger.Sink == nil {
		r.Ledger.Answers.Refuse(nil, p.Numbers...)
	}
	for i, number := range left {
		if !hasRoom(r, questions[number], left[i:]...) {
			return
		}
		r.ChangedBy = 0
		switch q := questions[number].(type) {
		case inquiry.Reachable, inquiry.Invariant, inquiry.Branching:
			askCTL(r, number, formulaOf(r, q), initial)
		case inquiry.Bound:
			n := logic.Polynomial{Sum: q.Sum, Products: q.Products}.WithSums(r.Groups.Sum)
			r.Ledger.Ask(&ledger.Question{Number: number}, &ledger.Atom{Maximum: &n.Sum, Products: n.Products})
		case inquiry.Linear, inquiry.Automaton:
			askLinear(ctx, r, number, q, initial)
		case inquiry.Deadlock:
			askDeadlock(ctx, r, number, initial)
		case inquiry.OneSafe:
			askOneSafe(ctx, r, number)
		case inquiry.StableMarking:
			askStableMarking(ctx, r, number, initial)
		case inquiry.QuasiLive:
			askQuasiLive(ctx, r, number)
		case inquiry.Live:
			askLive(ctx, r, number)
		case inquiry.Size:
			if r.Sizes == nil {
				r.Sizes = ledger.NewSizes(r.Net, r.Ledger.Answers, r.Always)
				r.Sizes.LeaveOut(r.Groups.Sums)
			}
			r.Sizes.Ask(number, q)
		}
	}
	r.Ledger.LookAtInitial()
	if r.Sizes != nil {
		r.Sizes.Reach(initial, inquiry.InitialState)
	}
}

// undecided returns the questions that the initial marking, and on large nets first runs, do not decide
// before predicates are simplified. It answers the others. Questions that are no formula are all
// returned, and so are those that it does not come to before the task's context ends.
func undecided(ctx context.Context, r *core.Task, numbers []int, questions []inquiry.Question, initial petri.Marking) (left []int) {
	simplify := r.Simplify
	r.Simplify, r.ChangedBy = nil, 0
	defer func() { r.Simplify = simplify }()
	var open []*ledger.Question // of linear time
	for i, number := range numbers {
		if !hasRoom(r, questions[number]) {
			return append(left, numbers[i:]...)
		}
		if l, ok := questions[number].(inquiry.Linear); ok {
			q, answered := askLinearInitially(ctx, r, number, l, initial)
			if q != nil && !answered {
				open = append(open, q)
			}
			if !answered {
				left = append(left, number)
			}
			continue
		}
		if f := formulaOf(r, questions[number]); f == nil || !askInitially(r, number, branching.Simplify(f, r.Net, initial), initial) {
			left = append(left, number)
		}
	}
	if r.FirstLook == nil || r.Folded || r.Ledger.Sink != nil {
		return left // what fires here need not fire there
	}
	if err := r.FirstLook(ctx, r, open); err != nil {
		r.Note("first look: %v", err)
	}
	return slices.DeleteFunc(left, func(number int) bool {
		return slices.ContainsFunc(open, func(q *ledger.Question) bool { return q.Number == number && r.Ledger.IsAnswered(q) })
	})
}

// formulaOf says a question as a formula of CTL; it is nil for one that is none.
func formulaOf(r *core.Task, q inquiry.Question) *ctl.Formula {
	switch q := q.(type) {
	case inquiry.Reachable:
		return ctl.New(ctl.ExistsFinally, ctl.Of(predicate(r, q.Predicate)))
	case inquiry.Invariant:
		return ctl.New(ctl.AllGlobally, ctl.Of(predicate(r, q.Predicate)))
	case inquiry.Branching:
		return formula(r, q.Formula.MergeStates())
	}
	return nil
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
