package rewrite

import (
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// Gather moves suspendable operands back inside: F a | q becomes F(a | q), which a
// tableau can loop on until a or q is chosen. It undoes what Simplify does to bring
// such operands to the top, and often gives smaller automata.
func (w *Rewriter) Gather(f *ltl.Formula) *ltl.Formula {
	return w.gather(f, map[*ltl.Formula]*ltl.Formula{})
}

// gather rewrites as Gather says, from the operands up. Done has what it has returned for formulas,
// which are shared.
func (w *Rewriter) gather(f *ltl.Formula, done map[*ltl.Formula]*ltl.Formula) *ltl.Formula {
	if g, known := done[f]; known || len(f.Operands()) == 0 || f.Operator() == logic.Not {
		if known {
			return g
		}
		return f
	}
	if w.isOverAt(f) {
		return f
	}
	operands := make([]*ltl.Formula, len(f.Operands()))
	for i, o := range f.Operands() {
		operands[i] = w.gather(o, done)
	}
	g := w.formulas.Make(f.Operator(), operands)
	if g.Operator() == logic.Or {
		g = w.gatherDisjunction(g)
	}
	done[f] = g
	return g
}

// gatherDisjunction puts the suspendable operands of g under the first F.
func (w *Rewriter) gatherDisjunction(g *ltl.Formula) *ltl.Formula {
	var inside, rest []*ltl.Formula
	var finally *ltl.Formula
	for _, o := range g.Operands() {
		switch {
		case o.Operator() == ltl.Finally && finally == nil && !o.Has(ltl.Suspendable):
			finally = o
		case o.Has(ltl.Suspendable):
			inside = append(inside, o)
		default:
			rest = append(rest, o)
		}
	}
	if finally == nil {
		for i, o := range inside { // FG a | GF b: any suspendable F will do
			if o.Operator() == ltl.Finally {
				finally = o
				inside = without(inside, i)
				break
			}
		}
	}
	if finally == nil || len(inside) == 0 {
		return g
	}
	f := w.formulas.Finally(w.formulas.Or(append(inside, finally.Operands()[0])...))
	return w.formulas.Or(append(rest, f)...)
}
