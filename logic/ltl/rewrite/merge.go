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
	distributes := ltl.Globally
	if f.Operator() == logic.Or {
		distributes = ltl.Finally
	}
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
	if and {
		return w.mergedConjunction(a, b)
	}
	return w.mergedDisjunction(a, b)
}

// isUntil reports whether f is a strong or weak until.
func isUntil(f *ltl.Formula) bool { return f.Operator() == ltl.Until || f.Operator() == ltl.WeakUntil }

// isRelease reports whether f is a weak or strong release.
func isRelease(f *ltl.Formula) bool {
	return f.Operator() == ltl.Release || f.Operator() == ltl.StrongRelease
}

// bothRooted reports whether the operands of a and b have the root c.
func bothRooted(a, b *ltl.Formula, c ltl.Operator) bool {
	return a.Operands()[0].Operator() == c && b.Operands()[0].Operator() == c
}

// mergedConjunction returns a & b as one formula if a law fits, else nil. There are two laws. (f
// U h) & (g U h) = (f & g) U h, which is weak only if both are. (f R g) & (f R h) = f R (g & h),
// which is strong if one is. With F of the right operand, a weak until becomes a strong one: (f W
// g) & F g = f U g. With F of the left operand, so does a release: (f R g) & F f = f M g.
func (w *Rewriter) mergedConjunction(a, b *ltl.Formula) *ltl.Formula {
	s := w.formulas
	switch {
	case isUntil(a) && isUntil(b) && a.Operands()[1] == b.Operands()[1]:
		g := s.And(a.Operands()[0], b.Operands()[0])
		if a.Operator() == ltl.WeakUntil && b.Operator() == ltl.WeakUntil {
			return s.WeakUntil(g, a.Operands()[1])
		}
		return s.Until(g, a.Operands()[1])
	case isRelease(a) && isRelease(b) && a.Operands()[0] == b.Operands()[0]:
		g := s.And(a.Operands()[1], b.Operands()[1])
		if a.Operator() == ltl.Release && b.Operator() == ltl.Release {
			return s.Release(a.Operands()[0], g)
		}
		return s.StrongRelease(a.Operands()[0], g)
	case a.Operator() == ltl.WeakUntil && b.Operator() == ltl.Finally && a.Operands()[1] == b.Operands()[0]:
		return s.Until(a.Operands()[0], a.Operands()[1])
	case a.Operator() == ltl.Release && b.Operator() == ltl.Finally && a.Operands()[0] == b.Operands()[0]:
		return s.StrongRelease(a.Operands()[0], a.Operands()[1])
	}
	return nil
}

// mergedDisjunction returns a | b as one formula if a law fits, else nil. The laws are the duals
// of those of mergedConjunction. (f U g) | (f U h) = f U (g | h), which is weak if one is. (f R
// h) | (g R h) = (f | g) R h, which is strong only if both are. With G, a strong operator
// becomes the weak one: (f U g) | G f = f W g, and (f M g) | G g = f R g.
func (w *Rewriter) mergedDisjunction(a, b *ltl.Formula) *ltl.Formula {
	s := w.formulas
	switch {
	case isUntil(a) && isUntil(b) && a.Operands()[0] == b.Operands()[0]:
		g := s.Or(a.Operands()[1], b.Operands()[1])
		if a.Operator() == ltl.Until && b.Operator() == ltl.Until {
			return s.Until(a.Operands()[0], g)
		}
		return s.WeakUntil(a.Operands()[0], g)
	case isRelease(a) && isRelease(b) && a.Operands()[1] == b.Operands()[1]:
		g := s.Or(a.Operands()[0], b.Operands()[0])
		if a.Operator() == ltl.StrongRelease && b.Operator() == ltl.StrongRelease {
			return s.StrongRelease(g, a.Operands()[1])
		}
		return s.Release(g, a.Operands()[1])
	case a.Operator() == ltl.Until && b.Operator() == ltl.Globally && a.Operands()[0] == b.Operands()[0]:
		return s.WeakUntil(a.Operands()[0], a.Operands()[1])
	case a.Operator() == ltl.StrongRelease && b.Operator() == ltl.Globally && a.Operands()[1] == b.Operands()[0]:
		return s.Release(a.Operands()[0], a.Operands()[1])
	}
	return nil
}
