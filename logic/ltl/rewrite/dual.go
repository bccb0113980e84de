package rewrite

import (
	"pnmc/internal/lazy"
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

// releaseSide is the dual of untilSide.
var releaseSide = lazy.Value[*side]{Make: func() *side {
	dual, d := opposite.Get(), &untilSide
	return &side{
		truth: dual[d.truth], or: dual[d.or], and: dual[d.and],
		finally: dual[d.finally], globally: dual[d.globally],
		until: dual[d.until], weakUntil: dual[d.weakUntil],
		release: dual[d.release], strongRelease: dual[d.strongRelease],
		eventual: d.universal, universal: d.eventual,
		turned: true,
	}
}}

// sideOf returns the side on which c, a conjunction or a disjunction, is the conjunction.
func sideOf(c ltl.Operator) *side {
	if c == logic.Or {
		return releaseSide.Get()
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
