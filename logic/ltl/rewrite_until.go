package ltl

import "pnmc/logic"

// until applies a rule to f U g or f W g.
func (w *Rewriter) until(u *Formula) *Formula {
	s, f, g := w.formulas, u.operands[0], u.operands[1]
	weak := u.operator == WeakUntil
	again := func(f, g *Formula) *Formula { return s.Make(u.operator, []*Formula{f, g}) }
	switch {
	case w.Implies(f, g):
		return g
	case w.Implies(w.Negate(f), g): // f | g always
		if weak {
			return s.True()
		}
		return s.Finally(g)
	case g.Has(Eventual) && weak:
		return s.Or(g, s.Globally(f))
	case g.Has(Eventual):
		return g
	case weak && f.Has(Universal):
		return s.Or(f, g)
	case f.operator == Next && g.operator == Next:
		return s.Next(again(f.operands[0], g.operands[0]))
	case isUntil(f) && f.operands[1] == g && (weak || f.operator == Until):
		return f
	case isUntil(f) && f.operands[1] == g: // (a W b) U b is a U b
		return again(f.operands[0], g)
	case isUntil(g) && w.Implies(f, g.operands[0]) && (!weak || g.operator == WeakUntil):
		return g
	case isUntil(g) && f == g.operands[0] && weak: // a W (a U b) is a W b
		return s.WeakUntil(f, g.operands[1])
	}
	if h := w.outside(g, logic.Or, Eventual, func(g *Formula) *Formula { return again(f, g) }); h != nil {
		return h
	}
	if !weak {
		if h := w.outside(g, logic.And, Suspendable, func(g *Formula) *Formula { return again(f, g) }); h != nil {
			return h
		}
	}
	return w.untilOperands(u)
}

// untilOperands applies a rule that drops part of an operand of f U g or f W g.
func (w *Rewriter) untilOperands(u *Formula) *Formula {
	s, f, g := w.formulas, u.operands[0], u.operands[1]
	weak := u.operator == WeakUntil
	if g.operator == logic.And && contains(g, f) { // a U (a & b) is b M a
		rest := w.remove(g, f)
		if weak {
			return s.Release(rest, f)
		}
		return s.StrongRelease(rest, f)
	}
	if g.operator == logic.Or && containsFormula(g.operands, s.Globally(f)) {
		return s.WeakUntil(f, w.remove(g, s.Globally(f)))
	}
	for _, c := range [2]Operator{logic.And, logic.Or} {
		if f.operator != c {
			continue
		}
		for i, part := range f.operands {
			if c == logic.Or && w.Implies(part, g) || c == logic.And && w.Implies(w.Negate(g), part) {
				return s.Make(u.operator, []*Formula{s.Make(c, without(f.operands, i)), g})
			}
		}
	}
	return u
}

// remove is g without the operands that are f or f's.
func (w *Rewriter) remove(g, f *Formula) *Formula {
	var rest []*Formula
	for _, o := range g.operands {
		kept := true
		for _, part := range parts(f, g.operator) {
			kept = kept && o != part
		}
		if kept {
			rest = append(rest, o)
		}
	}
	return w.formulas.Make(g.operator, rest)
}

// release applies a rule to f R g or f M g.
func (w *Rewriter) release(r *Formula) *Formula {
	s, f, g := w.formulas, r.operands[0], r.operands[1]
	strong := r.operator == StrongRelease
	again := func(f, g *Formula) *Formula { return s.Make(r.operator, []*Formula{f, g}) }
	switch {
	case w.Implies(g, f):
		return g
	case w.contradicts(g, f):
		if strong {
			return s.False()
		}
		return s.Globally(g)
	case g.Has(Universal) && strong:
		return s.And(g, s.Finally(f))
	case g.Has(Universal):
		return g
	case strong && f.Has(Eventual):
		return s.And(f, g)
	case f.operator == Next && g.operator == Next:
		return s.Next(again(f.operands[0], g.operands[0]))
	case isRelease(f) && f.operands[1] == g && (strong || f.operator == Release):
		return f
	case isRelease(f) && f.operands[1] == g: // (a M b) R b is a R b
		return again(f.operands[0], g)
	case isRelease(g) && w.Implies(g.operands[0], f) && (!strong || g.operator == StrongRelease):
		return g
	case isRelease(g) && f == g.operands[0] && strong: // a M (a R b) is a M b
		return s.StrongRelease(f, g.operands[1])
	}
	if h := w.outside(g, logic.And, Universal, func(g *Formula) *Formula { return again(f, g) }); h != nil {
		return h
	}
	if !strong {
		if h := w.outside(g, logic.Or, Suspendable, func(g *Formula) *Formula { return again(f, g) }); h != nil {
			return h
		}
	}
	return w.releaseOperands(r)
}

// releaseOperands applies a rule that drops part of an operand of f R g or f M g.
func (w *Rewriter) releaseOperands(r *Formula) *Formula {
	s, f, g := w.formulas, r.operands[0], r.operands[1]
	strong := r.operator == StrongRelease
	if g.operator == logic.Or && contains(g, f) { // a R (a | b) is b W a
		rest := w.remove(g, f)
		if strong {
			return s.Until(rest, f)
		}
		return s.WeakUntil(rest, f)
	}
	if g.operator == logic.And && containsFormula(g.operands, s.Finally(f)) {
		return s.StrongRelease(f, w.remove(g, s.Finally(f)))
	}
	for _, c := range [2]Operator{logic.And, logic.Or} {
		if f.operator != c {
			continue
		}
		for i, part := range f.operands {
			if c == logic.And && w.Implies(g, part) || c == logic.Or && w.contradicts(g, part) {
				return s.Make(r.operator, []*Formula{s.Make(c, without(f.operands, i)), g})
			}
		}
	}
	return r
}
