package ltl

import "pnmc/logic"

// Wait writes G(a | b), where b is universal, as a W b: from the first position without a
// on, b holds at all of them. A tableau of a W b asks for one formula at the next position,
// one of G(a | b) for two of which the second implies the first, and of a chain
// G(a | G(b | G(c | …))) for any number of them.
func (w *Rewriter) Wait(f *Formula) *Formula {
	return w.wait(f, map[*Formula]*Formula{})
}

func (w *Rewriter) wait(f *Formula, done map[*Formula]*Formula) *Formula {
	if len(f.operands) == 0 || f.operator == logic.Not {
		return f
	}
	if g, known := done[f]; known {
		return g
	}
	var g *Formula
	if f.operator == Globally && f.operands[0].operator == logic.Or {
		g = w.waitGlobally(f, done)
	} else {
		operands := make([]*Formula, len(f.operands))
		for i, o := range f.operands {
			operands[i] = w.wait(o, done)
		}
		g = w.formulas.Make(f.operator, operands)
	}
	done[f] = g
	return g
}

// waitGlobally does what Wait says to G of a disjunction. Suspendable operands stay: they
// hold from the beginning or never. Which operands are universal is asked of them as they
// were, for a W b does not show it.
func (w *Rewriter) waitGlobally(g *Formula, done map[*Formula]*Formula) *Formula {
	var first, universal []*Formula
	for _, o := range g.operands[0].operands {
		if o.Has(Universal) && !o.Has(Suspendable) {
			universal = append(universal, w.wait(o, done))
		} else {
			first = append(first, w.wait(o, done))
		}
	}
	if len(universal) == 0 || len(first) == 0 {
		return w.formulas.Globally(w.formulas.Or(append(first, universal...)...))
	}
	return w.formulas.Make(WeakUntil, []*Formula{w.formulas.Or(first...), w.formulas.Or(universal...)})
}
