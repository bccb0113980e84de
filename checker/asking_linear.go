package checker

import (
	"context"
	"strconv"

	"pnmc/checker/internal/rephrase"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// askLinear puts a question of linear time. One that says "always p" of a state
// predicate p is a question about reachability too.
func (r *task) askLinear(ctx context.Context, number int, asked Question, initial petri.Marking) {
	var l *linear
	switch asked := asked.(type) {
	case Linear:
		l = r.linearOf(asked)
	case Automaton:
		l = r.automatonOf(ctx, asked)
	}
	q := &question{number: number, ltl: l, simplifiedBy: r.simplifiedBy()}
	if value := l.truthAt(r.net, initial); value != unknown {
		r.ledger.ask(q)
		r.ledger.answerNow(q, Truth(value == yes), InitialState, decidedInitially)
		return
	}
	if f := l.formula; f != nil && alwaysBoolean(f) { // once it is simplified
		q.onReached, q.onUnreachable, q.onlyAtoms = Truth(false), Truth(true), true
		r.ledger.ask(q, &atom{goal: rephrase.Not(l.predicate(f.Operands()[0])).Simplify()})
		return
	}
	if l.formula == nil {
		if p := l.needed(ctx); p != nil && p.Operator != logic.True {
			q.onUnreachable = Truth(true)
			r.ledger.ask(q, &atom{goal: p})
			return
		}
	}
	r.ledger.ask(q)
}

// alwaysBoolean reports whether f says "always p" of a state predicate p.
func alwaysBoolean(f *ltl.Formula) bool {
	return f.Operator() == ltl.Globally && f.Operands()[0].Has(ltl.Boolean)
}

// linearOf says a formula over the nodes of the net. Each largest part without temporal
// operators becomes one proposition, but for constants and negations, which rewriting
// may use.
func (r *task) linearOf(asked Linear) *linear {
	l := &linear{formulas: ltl.NewFormulas()}
	s := l.formulas
	known := make(map[*ltl.Formula]*ltl.Formula)
	var convert func(f *ltl.Formula) *ltl.Formula
	proposition := func(f *ltl.Formula) *ltl.Formula {
		switch p := r.predicate(statePredicate(f, asked.Predicates)); p.Operator {
		case logic.True:
			return s.True()
		case logic.False:
			return s.False()
		default:
			l.predicates = append(l.predicates, p)
			return s.Atom(strconv.Itoa(len(l.predicates)))
		}
	}
	convert = func(f *ltl.Formula) *ltl.Formula {
		if g := known[f]; g != nil {
			return g
		}
		var g *ltl.Formula
		if c := f.Operator(); f.Has(ltl.Boolean) && c != logic.Not && c != logic.True && c != logic.False {
			g = proposition(f)
		} else {
			operands := make([]*ltl.Formula, len(f.Operands()))
			for i, o := range f.Operands() {
				operands[i] = convert(o)
			}
			g = s.Make(c, operands)
		}
		known[f] = g
		return g
	}
	rewriter := ltl.NewRewriter(s)
	l.formula = rewriter.Simplify(rewriter.NegationNormal(convert(asked.Formula), false))
	l.negated = rewriter.NegationNormal(l.formula, true)
	return l
}
