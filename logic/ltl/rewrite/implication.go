package rewrite

import (
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// Implies reports whether every run that satisfies f satisfies g, as far as syntax
// shows; f and g are in negation normal form. Boolean formulas of few propositions
// are compared exactly. Of literals, each after X a number of times, one implies another only
// if they are the same.
//
// Whether one formula implies another is PSPACE-complete. The rules here look at the roots and ask
// the same of the operands. The answer for each pair of subformulas is remembered, so there are at
// most as many steps as pairs. True is always right; false may mean "not seen".
//
// For example, G(a & b) implies a W c. The roots are G and W, and every operand stands where more
// makes the formula weaker: G f implies g W h if f implies g, since g then holds for ever. It
// remains to see that a & b implies a, which the truth tables show. Not seen is that F a implies
// (F a & F b) | (F a & G !b): no rule takes cases.
func (w *Rewriter) Implies(f, g *ltl.Formula) bool {
	switch {
	case f == g, f.Operator() == logic.False, g.Operator() == logic.True:
		return true
	case f.Operator() == logic.True || g.Operator() == logic.False, f.Has(ltl.Delayed) && g.Has(ltl.Delayed):
		return false
	}
	if !w.spend() {
		return false
	}
	if f.Has(ltl.Boolean) && g.Has(ltl.Boolean) {
		if t, u := w.table(f), w.table(g); t != nil {
			for i := range t {
				if t[i]&^u[i] != 0 {
					return false
				}
			}
			return true
		}
	}
	key := [2]*ltl.Formula{f, g}
	if known, found := w.implied[key]; found {
		return known
	}
	r := w.impliesBySyntax(f, g)
	w.implied[key] = r
	return r
}

// spend takes one implication from the budget, and reports whether there was one.
func (w *Rewriter) spend() bool {
	if w.budget == 0 || w.isOver(implicationWork) {
		return false
	}
	w.budget--
	return true
}

// impliesBySyntax reports whether f implies g by the rules for the root of f or those
// for the root of g.
func (w *Rewriter) impliesBySyntax(f, g *ltl.Formula) bool {
	return w.sameRootImplies(f, g) || w.leftImplies(f, g) || w.rightImplied(f, g)
}

// allImply and someImplies report whether every, or some, operand of f implies g.
func (w *Rewriter) allImply(f, g *ltl.Formula) bool {
	for _, o := range f.Operands() {
		if !w.Implies(o, g) {
			return false
		}
	}
	return true
}

// someImplies reports whether an operand of f is known to imply g.
func (w *Rewriter) someImplies(f, g *ltl.Formula) bool {
	for _, o := range f.Operands() {
		if w.Implies(o, g) {
			return true
		}
	}
	return false
}

// leftImplies reports whether f implies g by a rule for the root of f.
func (w *Rewriter) leftImplies(f, g *ltl.Formula) bool {
	o := f.Operands()
	switch f.Operator() {
	case logic.And:
		return w.someImplies(f, g)
	case logic.Or:
		return w.allImply(f, g)
	case ltl.Next:
		return g.Has(ltl.Eventual) && w.Implies(o[0], g)
	case ltl.Finally:
		return g.Has(ltl.Eventual) && w.Implies(o[0], g)
	case ltl.Globally:
		return w.Implies(o[0], g)
	case ltl.Until:
		return w.Implies(o[1], g) && (g.Has(ltl.Eventual) || w.Implies(o[0], g))
	case ltl.WeakUntil:
		return w.Implies(o[0], g) && w.Implies(o[1], g)
	case ltl.Release:
		return w.Implies(o[1], g)
	case ltl.StrongRelease:
		return w.Implies(o[1], g) || g.Has(ltl.Eventual) && w.Implies(o[0], g)
	}
	return false
}

// rightImplied reports whether f implies g by a rule for the root of g.
func (w *Rewriter) rightImplied(f, g *ltl.Formula) bool {
	o := g.Operands()
	switch g.Operator() {
	case logic.And:
		for _, h := range o {
			if !w.Implies(f, h) {
				return false
			}
		}
		return true
	case logic.Or:
		for _, h := range o {
			if w.Implies(f, h) {
				return true
			}
		}
	case ltl.Next:
		return f.Has(ltl.Universal) && w.Implies(f, o[0])
	case ltl.Globally:
		return f.Has(ltl.Universal) && w.Implies(f, o[0])
	case ltl.Finally:
		return w.Implies(f, o[0])
	case ltl.Until:
		return w.Implies(f, o[1])
	case ltl.WeakUntil:
		return w.Implies(f, o[1]) || f.Has(ltl.Universal) && w.Implies(f, o[0])
	case ltl.Release:
		return w.Implies(f, o[1]) && (f.Has(ltl.Universal) || w.Implies(f, o[0]))
	case ltl.StrongRelease:
		return w.Implies(f, o[0]) && w.Implies(f, o[1])
	}
	return false
}

// sameRootImplies reports whether f implies g by a rule for both roots, temporal ones whose operands
// imply each other one by one: every operand stands in a monotone position.
func (w *Rewriter) sameRootImplies(f, g *ltl.Formula) bool {
	a, b := f.Operands(), g.Operands()
	switch f.Operator() {
	case ltl.Next, ltl.Finally:
		return g.Operator() == f.Operator() && w.Implies(a[0], b[0])
	case ltl.Globally:
		switch g.Operator() {
		case ltl.Globally, ltl.Next, ltl.WeakUntil:
			return w.Implies(a[0], b[0])
		case ltl.Release:
			return w.Implies(a[0], b[1])
		}
	case ltl.Until, ltl.WeakUntil, ltl.Release, ltl.StrongRelease:
		return w.untilImplies(f, g)
	}
	return false
}

// untilImplies answers as sameRootImplies does, for f with the root U, W, R or M. What promises that
// something comes, as F, U and M do, follows only from what does so.
func (w *Rewriter) untilImplies(f, g *ltl.Formula) bool {
	a, b := f.Operands(), g.Operands()
	d := &untilSide
	promises := f.Operator() == ltl.Until || f.Operator() == ltl.StrongRelease
	switch g.Operator() {
	case ltl.Finally:
		if d.isUntil(f) {
			return promises && w.Implies(a[1], b[0])
		}
		return promises && w.Implies(a[0], b[0])
	case ltl.Until, ltl.StrongRelease:
		if !promises {
			return false
		}
	case ltl.WeakUntil, ltl.Release:
	default:
		return false
	}
	switch {
	case d.isUntil(f) == d.isUntil(g):
		return w.Implies(a[0], b[0]) && w.Implies(a[1], b[1])
	case d.isUntil(f): // a U b implies c R d if a | b implies d and b implies c & d
		return w.Implies(a[0], b[1]) && w.Implies(a[1], b[1]) && w.Implies(a[1], b[0])
	}
	// a R b implies c W d if b implies c, and a or b implies d: b holds until a & b does, if ever.
	return w.Implies(a[1], b[0]) && (w.Implies(a[0], b[1]) || w.Implies(a[1], b[1]))
}

// contradicts reports whether no run satisfies both f and g, as far as seen.
func (w *Rewriter) contradicts(f, g *ltl.Formula) bool { return w.Implies(f, w.Negate(g)) }
