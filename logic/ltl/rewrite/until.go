package rewrite

import (
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// until applies a rule to f U g or f W g. The rules ask how f and g are related, for example:
//
//   - f implies g: the first position decides, and it is g.
//   - f or g always holds: nothing is asked before g, and it is F g.
//   - g is eventual: if it holds later it holds now, and it is g.
//   - an until within an until with the same goal: (a U b) U b is a U b.
//   - a disjunct of f that holds only where g does, or a conjunct that holds wherever g does not: it
//     is dropped.
//
// All are equivalences; with W the case that g never comes is added. release has the dual rules: it
// is the same table with negations pushed through.
func (w *Rewriter) until(u *ltl.Formula) *ltl.Formula {
	s, f, g := w.formulas, u.Operands()[0], u.Operands()[1]
	weak := u.Operator() == ltl.WeakUntil
	again := func(f, g *ltl.Formula) *ltl.Formula { return s.Make(u.Operator(), []*ltl.Formula{f, g}) }
	switch {
	case w.Implies(f, g):
		return g
	case w.Implies(w.Negate(f), g): // f | g always
		if weak {
			return s.True()
		}
		return s.Finally(g)
	case g.Has(ltl.Eventual) && weak:
		return s.Or(g, s.Globally(f))
	case g.Has(ltl.Eventual):
		return g
	case weak && f.Has(ltl.Universal):
		return s.Or(f, g)
	case f.Operator() == ltl.Next && g.Operator() == ltl.Next:
		return s.Next(again(f.Operands()[0], g.Operands()[0]))
	case isUntil(f) && f.Operands()[1] == g && (weak || f.Operator() == ltl.Until):
		return f
	case isUntil(f) && f.Operands()[1] == g: // (a W b) U b is a U b
		return again(f.Operands()[0], g)
	case isUntil(g) && w.Implies(f, g.Operands()[0]) && (!weak || g.Operator() == ltl.WeakUntil):
		return g
	case isUntil(g) && f == g.Operands()[0] && weak: // a W (a U b) is a W b
		return s.WeakUntil(f, g.Operands()[1])
	}
	if h := w.outside(g, logic.Or, ltl.Eventual, func(g *ltl.Formula) *ltl.Formula { return again(f, g) }); h != nil {
		return h
	}
	if !weak {
		if h := w.outside(g, logic.And, ltl.Suspendable, func(g *ltl.Formula) *ltl.Formula { return again(f, g) }); h != nil {
			return h
		}
	}
	return w.untilOperands(u)
}

// untilOperands applies a rule that drops part of an operand of f U g or f W g.
//
// For example, (a | b) U (a | c) is b U (a | c), as wherever a holds the goal is reached. And (a
// & b) U (!a | c) is b U (!a | c), as before the goal a holds anyway. If the operand is all of a
// conjunction in the goal, as in a U (a & b), the whole is a release: b M a.
func (w *Rewriter) untilOperands(u *ltl.Formula) *ltl.Formula {
	s, f, g := w.formulas, u.Operands()[0], u.Operands()[1]
	weak := u.Operator() == ltl.WeakUntil
	if g.Operator() == logic.And && contains(g, f) { // a U (a & b) is b M a
		rest := w.remove(g, f)
		if weak {
			return s.Release(rest, f)
		}
		return s.StrongRelease(rest, f)
	}
	if g.Operator() == logic.Or && g.HasOperand(s.Globally(f)) {
		return s.WeakUntil(f, w.remove(g, s.Globally(f)))
	}
	for _, c := range [2]ltl.Operator{logic.And, logic.Or} {
		if f.Operator() != c {
			continue
		}
		for i, part := range f.Operands() {
			if c == logic.Or && w.Implies(part, g) || c == logic.And && w.Implies(w.Negate(g), part) {
				return s.Make(u.Operator(), []*ltl.Formula{s.Make(c, without(f.Operands(), i)), g})
			}
		}
	}
	return u
}

// remove returns g without the operands that are f or f's.
func (w *Rewriter) remove(g, f *ltl.Formula) *ltl.Formula {
	var rest []*ltl.Formula
	for _, o := range g.Operands() {
		kept := true
		for _, part := range parts(f, g.Operator()) {
			kept = kept && o != part
		}
		if kept {
			rest = append(rest, o)
		}
	}
	return w.formulas.Make(g.Operator(), rest)
}

// release applies a rule to f R g or f M g.
func (w *Rewriter) release(r *ltl.Formula) *ltl.Formula {
	s, f, g := w.formulas, r.Operands()[0], r.Operands()[1]
	strong := r.Operator() == ltl.StrongRelease
	again := func(f, g *ltl.Formula) *ltl.Formula { return s.Make(r.Operator(), []*ltl.Formula{f, g}) }
	switch {
	case w.Implies(g, f):
		return g
	case w.contradicts(g, f):
		if strong {
			return s.False()
		}
		return s.Globally(g)
	case g.Has(ltl.Universal) && strong:
		return s.And(g, s.Finally(f))
	case g.Has(ltl.Universal):
		return g
	case strong && f.Has(ltl.Eventual):
		return s.And(f, g)
	case f.Operator() == ltl.Next && g.Operator() == ltl.Next:
		return s.Next(again(f.Operands()[0], g.Operands()[0]))
	case isRelease(f) && f.Operands()[1] == g && (strong || f.Operator() == ltl.Release):
		return f
	case isRelease(f) && f.Operands()[1] == g: // (a M b) R b is a R b
		return again(f.Operands()[0], g)
	case isRelease(g) && w.Implies(g.Operands()[0], f) && (!strong || g.Operator() == ltl.StrongRelease):
		return g
	case isRelease(g) && f == g.Operands()[0] && strong: // a M (a R b) is a M b
		return s.StrongRelease(f, g.Operands()[1])
	}
	if h := w.outside(g, logic.And, ltl.Universal, func(g *ltl.Formula) *ltl.Formula { return again(f, g) }); h != nil {
		return h
	}
	if !strong {
		if h := w.outside(g, logic.Or, ltl.Suspendable, func(g *ltl.Formula) *ltl.Formula { return again(f, g) }); h != nil {
			return h
		}
	}
	return w.releaseOperands(r)
}

// releaseOperands applies a rule that drops part of an operand of f R g or f M g.
//
// For example, a R (a | b) is b W a: b holds until a does, if ever. Of (a & b) R g, where g
// implies a, what is left is b R g.
func (w *Rewriter) releaseOperands(r *ltl.Formula) *ltl.Formula {
	s, f, g := w.formulas, r.Operands()[0], r.Operands()[1]
	strong := r.Operator() == ltl.StrongRelease
	if g.Operator() == logic.Or && contains(g, f) { // a R (a | b) is b W a
		rest := w.remove(g, f)
		if strong {
			return s.Until(rest, f)
		}
		return s.WeakUntil(rest, f)
	}
	if g.Operator() == logic.And && g.HasOperand(s.Finally(f)) {
		return s.StrongRelease(f, w.remove(g, s.Finally(f)))
	}
	for _, c := range [2]ltl.Operator{logic.And, logic.Or} {
		if f.Operator() != c {
			continue
		}
		for i, part := range f.Operands() {
			if c == logic.And && w.Implies(g, part) || c == logic.Or && w.contradicts(g, part) {
				return s.Make(r.Operator(), []*ltl.Formula{s.Make(c, without(f.Operands(), i)), g})
			}
		}
	}
	return r
}
