package rewrite

import (
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// mergeOperands merges all operands that can be, in one pass over the pairs of
// those that are left when operands of one root, which may be thousands, are one.
func (w *Rewriter) mergeOperands(f *ltl.Formula) *ltl.Formula {
	operands := w.mergeRoots(f)
	for i := range operands {
		for j := i + 1; j < len(operands) && isTemporal(operands[i]); j++ {
			if !isTemporal(operands[j]) {
				continue
			}
			merged := w.merged(f.Operator(), operands[i], operands[j])
			if merged == nil {
				merged = w.merged(f.Operator(), operands[j], operands[i])
			}
			if merged != nil {
				operands[i], operands[j] = merged, nil
			}
		}
	}
	kept := operands[:0]
	for _, o := range operands {
		if o != nil {
			kept = append(kept, o)
		}
	}
	if len(kept) == len(f.Operands()) {
		return f
	}
	return w.formulas.Make(f.Operator(), kept)
}

// isTemporal reports whether f is there and has a temporal root: no other operand is
// merged with one, and there may be thousands of literals.
func isTemporal(f *ltl.Formula) bool { return f != nil && f.Operator() >= ltl.Next }

// mergeRoots merges operands that begin with X. It also merges those of a conjunction
// that begin with G, and those of a disjunction that begin with F. Each kind becomes
// one operand, in the place of the first. Suspendable ones stay apart from others: see
// merged.
//
// For example, G a & X b & G c & X d & e becomes G(a & c) & X(b & d) & e. Of thousands of
// operands that takes one pass, where pairs would take millions.
func (w *Rewriter) mergeRoots(f *ltl.Formula) []*ltl.Formula {
	distributes := sideOf(f.Operator()).globally
	type kind struct {
		root  ltl.Operator
		apart bool
	}
	groups := map[kind][]*ltl.Formula{}
	var operands []*ltl.Formula
	for _, o := range f.Operands() {
		if o.Operator() == ltl.Next || o.Operator() == distributes {
			k := kind{o.Operator(), w.staysApart(f.Operator(), o)}
			groups[k] = append(groups[k], o.Operands()[0])
		}
	}
	for _, o := range f.Operands() {
		k := kind{o.Operator(), w.staysApart(f.Operator(), o)}
		switch inner := groups[k]; {
		case inner == nil:
			operands = append(operands, o)
		case inner[0] == o.Operands()[0]: // the first of its kind
			operands = append(operands, w.formulas.Make(k.root, []*ltl.Formula{w.formulas.Make(f.Operator(), inner)}))
		}
	}
	return operands
}

// staysApart reports whether an operand of c is suspendable and begins with a root
// that others of its kind are merged under: beside GFa & Gb, the first can be
// treated apart.
func (w *Rewriter) staysApart(c ltl.Operator, o *ltl.Formula) bool {
	return (c == logic.And) == (o.Operator() == ltl.Globally) && o.Has(ltl.Suspendable)
}

// merged returns one formula for operands a and b of a conjunction or disjunction, or
// nil.
func (w *Rewriter) merged(c ltl.Operator, a, b *ltl.Formula) *ltl.Formula {
	s := w.formulas
	and := c == logic.And
	if a.Operator() == b.Operator() && len(a.Operands()) == 1 && a.Operator() != logic.Not {
		if w.staysApart(c, a) != w.staysApart(c, b) {
			return nil
		}
		switch {
		case a.Operator() == ltl.Next,
			a.Operator() == ltl.Globally && (and || bothRooted(a, b, ltl.Finally)),
			a.Operator() == ltl.Finally && (!and || bothRooted(a, b, ltl.Globally)):
			g := s.Make(c, []*ltl.Formula{a.Operands()[0], b.Operands()[0]})
			return s.Make(a.Operator(), []*ltl.Formula{g})
		}
		return nil
	}
	return w.mergedUntils(sideOf(c), a, b)
}

// bothRooted reports whether the operands of a and b have the root c.
func bothRooted(a, b *ltl.Formula, c ltl.Operator) bool {
	return a.Operands()[0].Operator() == c && b.Operands()[0].Operator() == c
}

// mergedUntils returns a & b, or on the other side a | b, as one formula if a law fits, else nil. In
// the words of until (see side) the laws are:
//
//	(f U h) & (g U h) = (f & g) U h, which is weak only if both are
//	(f R g) & (f R h) = f R (g & h), which is strong if one is
//	(f W g) & F g = f U g
//	(f R g) & F f = f M g
//
// On the other side, for example, (f U g) | (f U h) = f U (g | h), and (f U g) | G f = f W g.
func (w *Rewriter) mergedUntils(d *side, a, b *ltl.Formula) *ltl.Formula {
	f, g := a.Operands(), b.Operands()
	switch {
	case d.isUntil(a) && d.isUntil(b) && f[1] == g[1]:
		both := w.make(d.and, f[0], g[0])
		if a.Operator() == d.weakUntil && b.Operator() == d.weakUntil {
			return w.make(d.weakUntil, both, f[1])
		}
		return w.make(d.until, both, f[1])
	case d.isRelease(a) && d.isRelease(b) && f[0] == g[0]:
		both := w.make(d.and, f[1], g[1])
		if a.Operator() == d.release && b.Operator() == d.release {
			return w.make(d.release, f[0], both)
		}
		return w.make(d.strongRelease, f[0], both)
	case a.Operator() == d.weakUntil && b.Operator() == d.finally && f[1] == g[0]:
		return w.make(d.until, f...)
	case a.Operator() == d.release && b.Operator() == d.finally && f[0] == g[0]:
		return w.make(d.strongRelease, f...)
	}
	return nil
}
