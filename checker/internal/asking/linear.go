package asking

import (
	"context"
	"strconv"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/runs"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
	"pnmc/petri"
)

// askLinear puts a question of linear time. If it says "always p" of a state predicate p, it becomes
// a question about reachability: whether a marking without p is reachable decides it. For an
// automaton, the predicates that each accepted run needs become atoms. If one of them is unreachable,
// no run is accepted, and the property holds.
func askLinear(ctx context.Context, r *core.Task, number int, asked inquiry.Question, initial petri.Marking) {
	var l *runs.Question
	switch asked := asked.(type) {
	case inquiry.Linear:
		if l = linearOf(r, asked, number); l == nil {
			return
		}
	case inquiry.Automaton:
		l = automatonOf(ctx, r, asked)
	}
	q := &ledger.Question{Number: number, LTL: l, SimplifiedBy: simplifiedBy(r)}
	if value := l.TruthAt(ctx, r.Net, initial); value != runs.Unknown {
		r.Ledger.Ask(q)
		r.Ledger.AnswerNow(q, inquiry.Truth(value == runs.Yes), inquiry.InitialState, ledger.DecidedInitially)
		return
	}
	if f := l.Formula; f != nil && alwaysBoolean(f) { // once it is simplified
		q.OnReached, q.OnUnreachable, q.OnlyAtoms = inquiry.Truth(false), inquiry.Truth(true), true
		r.Ledger.Ask(q, &ledger.Atom{Goal: rephrase.Not(l.Predicate(f.Operands()[0])).Simplify()})
		return
	}
	var atoms []*ledger.Atom
	if l.Formula == nil {
		q.OnUnreachable = inquiry.Truth(true)
		for _, p := range l.Needed(ctx) {
			atoms = append(atoms, &ledger.Atom{Goal: p})
		}
	}
	r.Ledger.Ask(q, atoms...)
}

// askLinearInitially answers a formula that the initial marking decides as it is. If it does not, it
// returns the question, which is not put, or nil if there is no room for it.
func askLinearInitially(ctx context.Context, r *core.Task, number int, asked inquiry.Linear, initial petri.Marking) (q *ledger.Question, answered bool) {
	l := linearOf(r, asked) // put again later
	if l == nil {
		return nil, false
	}
	q = &ledger.Question{Number: number, LTL: l}
	value := l.TruthAt(ctx, r.Net, initial)
	if value == runs.Unknown {
		return q, false
	}
	r.Ledger.Ask(q)
	r.Ledger.AnswerNow(q, inquiry.Truth(value == runs.Yes), inquiry.InitialState, ledger.DecidedInitially)
	return q, true
}

// alwaysBoolean reports whether f says "always p" of a state predicate p.
func alwaysBoolean(f *ltl.Formula) bool {
	return f.Operator() == ltl.Globally && f.Operands()[0].Has(ltl.Boolean)
}

// linearOf says a formula over the nodes of the net. Each largest part without temporal operators
// becomes one proposition, but for constants and negations, which rewriting may use. In G (¬(p ∧ q)
// ∨ F r), for example, p ∧ q becomes a proposition a, and r a proposition b: the rewriter sees G
// (¬a ∨ F b). If the predicate of a part simplifies to true or false, that constant takes the
// part's place, and the rewriter continues with it.
//
// It returns nil once the task's own context has ended, or there is no memory for what the formula
// becomes, which can be far more than its text: F[0:1000] has each of its operands a thousand times.
func linearOf(r *core.Task, asked inquiry.Linear, numbers ...int) *runs.Question {
	ctx, stop := account.Within(r.Whole, r.Budget)
	defer stop(nil)
	l, err := linearWithin(ctx, r, asked)
	if err != nil {
		refuse(r, err, numbers...)
		return nil
	}
	return l
}

// linearWithin does what linearOf says, and returns the reason if ctx ends before.
func linearWithin(ctx context.Context, r *core.Task, asked inquiry.Linear) (*runs.Question, error) {
	work := account.Of(ctx)
	l := &runs.Question{Formulas: ltl.NewFormulas()}
	s := l.Formulas
	known := make(map[*ltl.Formula]*ltl.Formula)
	var convert func(f *ltl.Formula) (*ltl.Formula, error)
	proposition := func(f *ltl.Formula) *ltl.Formula {
		switch p := predicate(r, runs.StatePredicate(f, asked.Predicates)); p.Operator {
		case logic.True:
			return s.True()
		case logic.False:
			return s.False()
		default:
			l.Predicates = append(l.Predicates, p)
			return s.Atom(strconv.Itoa(len(l.Predicates)))
		}
	}
	convert = func(f *ltl.Formula) (*ltl.Formula, error) {
		if g := known[f]; g != nil {
			return g, nil
		}
		if err := work.Charge(rewrite.FormulaWork + rewrite.OperandWork*len(f.Operands())); err != nil {
			return nil, err
		}
		var g *ltl.Formula
		if c := f.Operator(); f.Has(ltl.Boolean) && c != logic.Not && c != logic.True && c != logic.False {
			g = proposition(f)
		} else {
			operands := make([]*ltl.Formula, len(f.Operands()))
			for i, o := range f.Operands() {
				var err error
				if operands[i], err = convert(o); err != nil {
					return nil, err
				}
			}
			if err := work.Charge(rewrite.OperandWork * len(operands)); err != nil { // those below are made by now
				return nil, err
			}
			g = s.Make(c, operands)
		}
		known[f] = g
		return g, nil
	}
	f, err := convert(asked.Formula)
	if err != nil {
		return nil, err
	}
	rewriter := rewrite.New(s)
	rewriter.Watch(ctx)
	l.Formula = rewriter.Simplify(rewriter.NegationNormal(f, false))
	l.Negated = rewriter.NegationNormal(l.Formula, true)
	if err := account.Reason(ctx); err != nil {
		return nil, err // they need not be in normal form
	}
	return l, nil
}
