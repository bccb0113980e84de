package ltl

import "pnmc/logic"

// Implies reports whether every run that satisfies f satisfies g, as far as syntax
// shows; f and g are in negation normal form. Boolean formulas of few propositions
// are compared exactly. Of literals, each after X a number of times, one implies another only
// if they are the same.
func (w *Rewriter) Implies(f, g *Formula) bool {
	switch {
	case f == g, f.operator == logic.False, g.operator == logic.True:
		return true
	case f.operator == logic.True || g.operator == logic.False, f.Has(delayed) && g.Has(delayed):
		return false
	}
	if !w.spend() {
		return false
	}
	if f.Has(Boolean) && g.Has(Boolean) {
		if t, u := w.table(f), w.table(g); t != nil {
			for i := range t {
				if t[i]&^u[i] != 0 {
					return false
				}
			}
			return true
		}
	}
	key := [2]*Formula{f, g}
	if known, found := w.implied[key]; found {
		return known
	}
	r := w.impliesBySyntax(f, g)
	w.implied[key] = r
	return r
}

// spend takes one implication from the budget, and tells whether there was one.
func (w *Rewriter) spend() bool {
	if w.budget == 0 || w.isOver() {
		return false
	}
	w.budget--
	return true
}

// impliesBySyntax tries the rules for the root of f, then those for g.
func (w *Rewriter) impliesBySyntax(f, g *Formula) bool {
	return w.sameRootImplies(f, g) || w.leftImplies(f, g) || w.rightImplied(f, g)
}

// allImply and someImplies tell whether every, or some, operand of f implies g.
func (w *Rewriter) allImply(f, g *Formula) bool {
	for _, o := range f.operands {
		if !w.Implies(o, g) {
			return false
		}
	}
	return true
}

func (w *Rewriter) someImplies(f, g *Formula) bool {
	for _, o := range f.operands {
		if w.Implies(o, g) {
			return true
		}
	}
	return false
}

// leftImplies is for what follows from the root of f.
func (w *Rewriter) leftImplies(f, g *Formula) bool {
	o := f.operands
	switch f.operator {
	case logic.And:
		return w.someImplies(f, g)
	case logic.Or:
		return w.allImply(f, g)
	case Next:
		return g.Has(Eventual) && w.Implies(o[0], g)
	case Finally:
		return g.Has(Eventual) && w.Implies(o[0], g)
	case Globally:
		return w.Implies(o[0], g)
	case Until:
		return w.Implies(o[1], g) && (g.Has(Eventual) || w.Implies(o[0], g))
	case WeakUntil:
		return w.Implies(o[0], g) && w.Implies(o[1], g)
	case Release:
		return w.Implies(o[1], g)
	case StrongRelease:
		return w.Implies(o[1], g) || g.Has(Eventual) && w.Implies(o[0], g)
	}
	return false
}

// rightImplied is for what the root of g follows from.
func (w *Rewriter) rightImplied(f, g *Formula) bool {
	o := g.operands
	switch g.operator {
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
	case Next:
		return f.Has(Universal) && w.Implies(f, o[0])
	case Globally:
		return f.Has(Universal) && w.Implies(f, o[0])
	case Finally:
		return w.Implies(f, o[0])
	case Until:
		return w.Implies(f, o[1])
	case WeakUntil:
		return w.Implies(f, o[1]) || f.Has(Universal) && w.Implies(f, o[0])
	case Release:
		return w.Implies(f, o[1]) && (f.Has(Universal) || w.Implies(f, o[0]))
	case StrongRelease:
		return w.Implies(f, o[0]) && w.Implies(f, o[1])
	}
	return false
}

// sameRootImplies is for pairs of temporal roots whose operands imply each other
// one by one: every operand stands in a monotone position.
func (w *Rewriter) sameRootImplies(f, g *Formula) bool {
	a, b := f.operands, g.operands
	switch f.operator {
	case Next, Finally:
		return g.operator == f.operator && w.Implies(a[0], b[0])
	case Globally:
		switch g.operator {
		case Globally, Next, WeakUntil:
			return w.Implies(a[0], b[0])
		case Release:
			return w.Implies(a[0], b[1])
		}
	case Until, WeakUntil:
		strong := f.operator == Until
		switch g.operator {
		case Until:
			return strong && w.Implies(a[0], b[0]) && w.Implies(a[1], b[1])
		case WeakUntil:
			return w.Implies(a[0], b[0]) && w.Implies(a[1], b[1])
		case Finally:
			return strong && w.Implies(a[1], b[0])
		case Release: // a U b implies c R d if a | b implies d and b implies c & d
			return w.Implies(a[0], b[1]) && w.Implies(a[1], b[1]) && w.Implies(a[1], b[0])
		case StrongRelease:
			return strong && w.Implies(a[0], b[1]) && w.Implies(a[1], b[1]) && w.Implies(a[1], b[0])
		}
	case Release, StrongRelease:
		strong := f.operator == StrongRelease
		switch g.operator {
		case StrongRelease:
			return strong && w.Implies(a[0], b[0]) && w.Implies(a[1], b[1])
		case Release:
			return w.Implies(a[0], b[0]) && w.Implies(a[1], b[1])
		case Finally:
			return strong && w.Implies(a[0], b[0])
		case WeakUntil: // b holds until a & b does
			return w.Implies(a[1], b[0]) && (w.Implies(a[0], b[1]) || w.Implies(a[1], b[1]))
		case Until:
			return strong && w.Implies(a[1], b[0]) && (w.Implies(a[0], b[1]) || w.Implies(a[1], b[1]))
		}
	}
	return false
}

// contradicts reports whether no run satisfies both f and g, as far as seen.
func (w *Rewriter) contradicts(f, g *Formula) bool { return w.Implies(f, w.Negate(g)) }
