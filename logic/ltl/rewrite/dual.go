package rewrite

import (
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// side is one half of the operators, such that negation leads from one half to the other: !(f U g)
// is !f R !g, and !F g is G !g.
//
// So each law of one side is a law of the other too, by duality: every operator is replaced by its
// dual, eventual by universal and the other way round, and implications are turned round. A law is
// written once, in the words of until, and the side says what these words mean. For example, f U g
// is g if f implies g; on the other side, f R g is g if g implies f.
type side struct {
	truth, or, and         ltl.Operator
	finally, globally      ltl.Operator
	until, weakUntil       ltl.Operator
	release, strongRelease ltl.Operator
	eventual, universal    ltl.Traits
	turned                 bool // implications are
}

var untilSide = side{
	truth: logic.True, or: logic.Or, and: logic.And,
	finally: ltl.Finally, globally: ltl.Globally,
	until: ltl.Until, weakUntil: ltl.WeakUntil,
	release: ltl.Release, strongRelease: ltl.StrongRelease,
	eventual: ltl.Eventual, universal: ltl.Universal,
}

// releaseSide has the dual of each.
var releaseSide = side{
	truth: logic.False, or: logic.And, and: logic.Or,
	finally: ltl.Globally, globally: ltl.Finally,
	until: ltl.Release, weakUntil: ltl.StrongRelease,
	release: ltl.Until, strongRelease: ltl.WeakUntil,
	eventual: ltl.Universal, universal: ltl.Eventual,
	turned: true,
}

// sideOf returns the side on which c, a conjunction or a disjunction, is the conjunction.
func sideOf(c ltl.Operator) *side {
	if c == logic.Or {
		return &releaseSide
	}
	return &untilSide
}

// implies reports whether f implies g, or on the other side g implies f.
func (w *Rewriter) implies(d *side, f, g *ltl.Formula) bool {
	if d.turned {
		f, g = g, f
	}
	return w.Implies(f, g)
}

// make returns the formula with this root and these operands.
func (w *Rewriter) make(c ltl.Operator, operands ...*ltl.Formula) *ltl.Formula {
	return w.formulas.Make(c, operands)
}

func (d *side) isUntil(f *ltl.Formula) bool {
	return f.Operator() == d.until || f.Operator() == d.weakUntil
}

func (d *side) isRelease(f *ltl.Formula) bool {
	return f.Operator() == d.release || f.Operator() == d.strongRelease
}
