package rewrite

import (
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// Wait writes G(a | b), where b is universal, as a W b: from the first position without a on, b
// holds at all of them. A tableau of a W b asks for one formula at the next position. A tableau
// of G(a | b) asks for two formulas, and the second implies the first. A tableau of a chain G(a
// | G(b | G(c | …))) may ask for any number of them.
func (w *Rewriter) Wait(f *ltl.Formula) *ltl.Formula {
	return w.wait(f, map[*ltl.Formula]*ltl.Formula{})
}

// wait rewrites as Wait says, from the operands up. Done has what it has returned for formulas,
// which are shared.
func (w *Rewriter) wait(f *ltl.Formula, done map[*ltl.Formula]*ltl.Formula) *ltl.Formula {
	if len(f.Operands()) == 0 || f.Operator() == logic.Not {
		return f
	}
	if g, known := done[f]; known {
		return g
	}
	if w.isOverAt(f) {
		return f
	}
	var g *ltl.Formula
	if f.Operator() == ltl.Globally && f.Operands()[0].Operator() == logic.Or {
		g = w.waitGlobally(f, done)
	} else {
		operands := make([]*ltl.Formula, len(f.Operands()))
		for i, o := range f.Operands() {
			operands[i] = w.wait(o, done)
		}
		g = w.formulas.Make(f.Operator(), operands)
	}
	done[f] = g
	return g
}

// waitGlobally rewrites G of a disjunction as Wait says. Suspendable operands stay: they
// hold from the beginning or never. Which operands are universal is asked of them as they
// were, for a W b does not show it.
func (w *Rewriter) waitGlobally(g *ltl.Formula, done map[*ltl.Formula]*ltl.Formula) *ltl.Formula {
	var first, universal []*ltl.Formula
	for _, o := range g.Operands()[0].Operands() {
		if o.Has(ltl.Universal) && !o.Has(ltl.Suspendable) {
			universal = append(universal, w.wait(o, done))
		} else {
			first = append(first, w.wait(o, done))
		}
	}
	if len(universal) == 0 || len(first) == 0 {
		return w.formulas.Globally(w.formulas.Or(append(first, universal...)...))
	}
	return w.formulas.Make(ltl.WeakUntil, []*ltl.Formula{w.formulas.Or(first...), w.formulas.Or(universal...)})
}
