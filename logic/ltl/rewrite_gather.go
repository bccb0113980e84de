package ltl

import "pnmc/logic"

// Gather moves suspendable operands back inside: F a | q becomes F(a | q), which a
// tableau can loop on until a or q is chosen. It undoes what Simplify does to bring
// such operands to the top, and often gives smaller automata.
func (w *Rewriter) Gather(f *Formula) *Formula {
	return w.gather(f, map[*Formula]*Formula{})
}

func (w *Rewriter) gather(f *Formula, done map[*Formula]*Formula) *Formula {
	if g, known := done[f]; known || len(f.operands) == 0 || f.operator == logic.Not {
		if known {
			return g
		}
		return f
	}
	operands := make([]*Formula, len(f.operands))
	for i, o := range f.operands {
		operands[i] = w.gather(o, done)
	}
	g := w.formulas.Make(f.operator, operands)
	if g.operator == logic.Or {
		g = w.gatherDisjunction(g)
	}
	done[f] = g
	return g
}

// gatherDisjunction puts the suspendable operands of g under the first F.
func (w *Rewriter) gatherDisjunction(g *Formula) *Formula {
	var inside, rest []*Formula
	var finally *Formula
	for _, o := range g.operands {
		switch {
		case o.operator == Finally && finally == nil && !o.Has(Suspendable):
			finally = o
		case o.Has(Suspendable):
			inside = append(inside, o)
		default:
			rest = append(rest, o)
		}
	}
	if finally == nil {
		for i, o := range inside { // FG a | GF b: any suspendable F will do
			if o.operator == Finally {
				finally = o
				inside = without(inside, i)
				break
			}
		}
	}
	if finally == nil || len(inside) == 0 {
		return g
	}
	f := w.formulas.Finally(w.formulas.Or(append(inside, finally.operands[0])...))
	return w.formulas.Or(append(rest, f)...)
}
