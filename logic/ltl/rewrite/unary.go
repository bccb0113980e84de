package rewrite

// The rules for X, F and G. Most of them rest on two traits (ltl.Traits). An eventual formula e holds
// on a run if it holds on some suffix, so that F e is e. A universal formula u holds on each suffix
// if it holds on the run, so that G u is u. One that is both is suspendable: X, F and G make no
// difference to it, and it is taken out of them, where it can be translated by itself.
//
// For example, F G(a & F b): from some position on a holds, and b is met again and again. The second
// part does not depend on the position, so it is F G a & G F b. And F(a | G b) is F a | F G b, as each
// of the two is watched by a smaller automaton.

import (
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// split divides the operands of f, a conjunction or disjunction c, into those
// with all of the traits and the others; with another root there is one operand.
func (w *Rewriter) split(f *ltl.Formula, c ltl.Operator, t ltl.Traits) (with, without []*ltl.Formula) {
	for _, o := range parts(f, c) {
		if o.Has(t) {
			with = append(with, o)
		} else {
			without = append(without, o)
		}
	}
	return with, without
}

// outside takes the operands of the conjunction or disjunction f that have all of
// the traits out of the formula that around makes of f: around(a & b) becomes
// around(a) & b. It is nil if there are none, or f is nothing else.
func (w *Rewriter) outside(f *ltl.Formula, c ltl.Operator, t ltl.Traits, around func(*ltl.Formula) *ltl.Formula) *ltl.Formula {
	if f.Operator() != c {
		return nil
	}
	with, rest := w.split(f, c, t)
	if len(with) == 0 || len(rest) == 0 {
		return nil
	}
	return w.formulas.Make(c, append(with, around(w.formulas.Make(c, rest))))
}

// next applies a rule to X g.
func (w *Rewriter) next(f *ltl.Formula) *ltl.Formula {
	g := f.Operands()[0]
	if g.Has(ltl.Suspendable) {
		return g
	}
	for _, c := range [2]ltl.Operator{logic.And, logic.Or} {
		if h := w.outside(g, c, ltl.Suspendable, w.formulas.Next); h != nil {
			return h
		}
	}
	return f
}

// finally applies a rule to F g.
func (w *Rewriter) finally(f *ltl.Formula) *ltl.Formula {
	s, g := w.formulas, f.Operands()[0]
	if g.Has(ltl.Eventual) {
		return g
	}
	o := g.Operands()
	switch g.Operator() {
	case ltl.Next:
		return s.Next(s.Finally(o[0]))
	case ltl.Until:
		return s.Finally(o[1])
	case ltl.StrongRelease:
		return s.Finally(s.And(o[0], o[1]))
	case ltl.WeakUntil:
		return s.Or(s.Finally(o[1]), s.Finally(s.Globally(o[0])))
	case ltl.Release:
		return s.Or(s.Finally(s.And(o[0], o[1])), s.Finally(s.Globally(o[1])))
	case logic.Or:
		if h := w.flatten(g, ltl.Finally); h != nil {
			return s.Finally(h)
		}
		if h := w.outside(g, logic.Or, ltl.Eventual, s.Finally); h != nil {
			return h
		}
		if u, rest := w.split(g, logic.Or, ltl.Universal); len(u) > 0 && len(rest) > 0 {
			return s.Or(s.Finally(s.Or(u...)), s.Finally(s.Or(rest...)))
		}
	case logic.And:
		if h := w.outside(g, logic.And, ltl.Suspendable, s.Finally); h != nil {
			return h
		}
		if h := w.distribute(g, ltl.Universal, ltl.Finally, ltl.Globally); h != nil {
			return h
		}
	case ltl.Globally: // FG(a & e) is FG a & G e
		if e, rest := w.split(o[0], logic.And, ltl.Eventual); len(e) > 0 && len(rest) > 0 {
			return s.And(s.Finally(s.Globally(s.And(rest...))), s.Globally(s.And(e...)))
		}
		if u, rest := w.split(o[0], logic.Or, ltl.Universal); len(u) > 0 && len(rest) > 0 { // FG(a | u) is FG a | F u
			return s.Or(s.Finally(s.Globally(s.Or(rest...))), s.Finally(s.Or(u...)))
		}
		if h := w.withoutNext(o[0], logic.And); h != o[0] {
			return s.Finally(s.Globally(h))
		}
	}
	return f
}

// globally applies a rule to G g.
func (w *Rewriter) globally(f *ltl.Formula) *ltl.Formula {
	s, g := w.formulas, f.Operands()[0]
	if g.Has(ltl.Universal) {
		return g
	}
	o := g.Operands()
	switch g.Operator() {
	case ltl.Next:
		return s.Next(s.Globally(o[0]))
	case ltl.Release:
		return s.Globally(o[1])
	case ltl.WeakUntil:
		return s.Globally(s.Or(o[0], o[1]))
	case ltl.StrongRelease:
		return s.And(s.Globally(o[1]), s.Globally(s.Finally(o[0])))
	case ltl.Until:
		return s.And(s.Globally(s.Or(o[0], o[1])), s.Globally(s.Finally(o[1])))
	case logic.And:
		if h := w.flatten(g, ltl.Globally); h != nil {
			return s.Globally(h)
		}
		if e, rest := w.split(g, logic.And, ltl.Eventual); len(e) > 0 && len(rest) > 0 {
			return s.And(s.Globally(s.And(e...)), s.Globally(s.And(rest...)))
		}
		if h := w.outside(g, logic.And, ltl.Universal, s.Globally); h != nil {
			return h
		}
	case logic.Or:
		if h := w.outside(g, logic.Or, ltl.Suspendable, s.Globally); h != nil {
			return h
		}
		if h := w.distribute(g, ltl.Eventual, ltl.Globally, ltl.Finally); h != nil {
			return h
		}
	case ltl.Finally: // GF(a | u) is GF a | F u
		if u, rest := w.split(o[0], logic.Or, ltl.Universal); len(u) > 0 && len(rest) > 0 {
			return s.Or(s.Globally(s.Finally(s.Or(rest...))), s.Finally(s.Or(u...)))
		}
		if e, rest := w.split(o[0], logic.And, ltl.Eventual); len(e) > 0 && len(rest) > 0 { // GF(a & e) is GF a & G e
			return s.And(s.Globally(s.Finally(s.And(rest...))), s.Globally(s.And(e...)))
		}
		if h := w.withoutNext(o[0], logic.Or); h != o[0] {
			return s.Globally(s.Finally(h))
		}
	}
	return f
}

// distribute puts the root around each operand of g, if all operands have the trait that makes
// this sound. For example, with eventual operands G(a | b) is G a | G b. If all operands are F,
// or all are G, they are left together, as they merge better: GF a | GF b is GF(a | b).
func (w *Rewriter) distribute(g *ltl.Formula, t ltl.Traits, root, merging ltl.Operator) *ltl.Formula {
	if !g.Has(t) {
		return nil
	}
	operands := make([]*ltl.Formula, len(g.Operands()))
	all := true
	for i, o := range g.Operands() {
		all = all && o.Operator() == merging
		operands[i] = w.formulas.Make(root, []*ltl.Formula{o})
	}
	if all {
		return nil
	}
	return w.formulas.Make(g.Operator(), operands)
}

// flatten removes the root c from operands of g: F(a | Fb) is F(a | b). It is nil
// if no operand has it.
func (w *Rewriter) flatten(g *ltl.Formula, c ltl.Operator) *ltl.Formula {
	found := false
	operands := make([]*ltl.Formula, len(g.Operands()))
	for i, o := range g.Operands() {
		operands[i] = o
		if o.Operator() == c {
			operands[i] = o.Operands()[0]
			found = true
		}
	}
	if !found {
		return nil
	}
	return w.formulas.Make(g.Operator(), operands)
}

// withoutNext removes the root X from operands of g under FG, where the
// connective is conjunction, and under GF, where it is disjunction.
func (w *Rewriter) withoutNext(g *ltl.Formula, c ltl.Operator) *ltl.Formula {
	operands := append([]*ltl.Formula(nil), parts(g, c)...)
	for i, o := range operands {
		for o.Operator() == ltl.Next {
			o = o.Operands()[0]
		}
		operands[i] = o
	}
	return w.formulas.Make(c, operands)
}
