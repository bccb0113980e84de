package rewrite

import "pnmc/logic/ltl"

// until applies a rule to f U g or f W g, or on the other side to f R g or f M g. The rules are in the
// words of until (see side). They ask how f and g are related, for example:
//
//   - f implies g: the first position decides, and it is g.
//   - f or g always holds: nothing is asked before g, and it is F g.
//   - g is eventual: if it holds later it holds now, and it is g.
//   - an until within an until with the same goal: (a U b) U b is a U b.
//   - a disjunct of f that holds only where g does, or a conjunct that holds wherever g does not: it
//     is dropped.
//
// All are equivalences; with W the case that g never comes is added.
func (w *Rewriter) until(d *side, u *ltl.Formula) *ltl.Formula {
	f, g := u.Operands()[0], u.Operands()[1]
	weak := u.Operator() == d.weakUntil
	again := func(f, g *ltl.Formula) *ltl.Formula { return w.make(u.Operator(), f, g) }
	switch {
	case w.implies(d, f, g):
		return g
	case w.implies(d, w.Negate(f), g): // f | g always
		if weak {
			return w.make(d.truth)
		}
		return w.make(d.finally, g)
	case g.Has(d.eventual) && weak:
		return w.make(d.or, g, w.make(d.globally, f))
	case g.Has(d.eventual):
		return g
	case weak && f.Has(d.universal):
		return w.make(d.or, f, g)
	case f.Operator() == ltl.Next && g.Operator() == ltl.Next:
		return w.make(ltl.Next, again(f.Operands()[0], g.Operands()[0]))
	case d.isUntil(f) && f.Operands()[1] == g && (weak || f.Operator() == d.until):
		return f
	case d.isUntil(f) && f.Operands()[1] == g: // (a W b) U b is a U b
		return again(f.Operands()[0], g)
	case d.isUntil(g) && w.implies(d, f, g.Operands()[0]) && (!weak || g.Operator() == d.weakUntil):
		return g
	case d.isUntil(g) && f == g.Operands()[0] && weak: // a W (a U b) is a W b
		return w.make(d.weakUntil, f, g.Operands()[1])
	}
	withGoal := func(g *ltl.Formula) *ltl.Formula { return again(f, g) }
	if h := w.outside(g, d.or, d.eventual, withGoal); h != nil {
		return h
	}
	if !weak {
		if h := w.outside(g, d.and, ltl.Suspendable, withGoal); h != nil {
			return h
		}
	}
	return w.untilOperands(d, u)
}

// untilOperands applies a rule that drops part of an operand of f U g or f W g.
//
// For example, (a | b) U (a | c) is b U (a | c), as wherever a holds the goal is reached. And (a
// & b) U (!a | c) is b U (!a | c), as before the goal a holds anyway. If the operand is all of a
// conjunction in the goal, as in a U (a & b), the whole is a release: b M a. On the other side,
// a R (a | b) is b W a: b holds until a does, if ever.
func (w *Rewriter) untilOperands(d *side, u *ltl.Formula) *ltl.Formula {
	s, f, g := w.formulas, u.Operands()[0], u.Operands()[1]
	if g.Operator() == d.and && contains(g, f) { // a U (a & b) is b M a
		rest := w.remove(g, f)
		if u.Operator() == d.weakUntil {
			return w.make(d.release, rest, f)
		}
		return w.make(d.strongRelease, rest, f)
	}
	if g.Operator() == d.or && g.HasOperand(w.make(d.globally, f)) {
		return w.make(d.weakUntil, f, w.remove(g, w.make(d.globally, f)))
	}
	if f.Operator() != d.and && f.Operator() != d.or {
		return u
	}
	for i, part := range f.Operands() {
		if f.Operator() == d.or && w.implies(d, part, g) || f.Operator() == d.and && w.holdsBefore(d, part, g) {
			return w.make(u.Operator(), s.Make(f.Operator(), without(f.Operands(), i)), g)
		}
	}
	return u
}

// holdsBefore reports whether part holds wherever g does not, as far as seen; on the other side,
// whether it holds nowhere where g does. Of the two ways to ask the latter it takes the one that
// negates the part, which is the smaller formula.
func (w *Rewriter) holdsBefore(d *side, part, g *ltl.Formula) bool {
	if d.turned {
		return w.contradicts(g, part)
	}
	return w.Implies(w.Negate(g), part)
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
