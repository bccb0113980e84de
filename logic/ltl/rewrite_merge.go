package ltl

import "pnmc/logic"

// mergeOperands merges all operands that can be, in one pass over the pairs of
// those that are left when operands of one root, which may be thousands, are one.
func (w *Rewriter) mergeOperands(f *Formula) *Formula {
	operands := w.mergeRoots(f)
	for i := range operands {
		for j := i + 1; j < len(operands) && isTemporal(operands[i]); j++ {
			if !isTemporal(operands[j]) {
				continue
			}
			merged := w.merged(f.operator, operands[i], operands[j])
			if merged == nil {
				merged = w.merged(f.operator, operands[j], operands[i])
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
	if len(kept) == len(f.operands) {
		return f
	}
	return w.formulas.Make(f.operator, kept)
}

// isTemporal reports whether f is there and has a temporal root: no other operand is
// merged with one, and there may be thousands of literals.
func isTemporal(f *Formula) bool { return f != nil && f.operator >= Next }

// mergeRoots merges operands that begin with X, those of a conjunction that begin
// with G, and those of a disjunction that begin with F, each kind into one where
// the first of them is. Suspendable ones stay apart from others: see merged.
func (w *Rewriter) mergeRoots(f *Formula) []*Formula {
	distributes := Globally
	if f.operator == logic.Or {
		distributes = Finally
	}
	type kind struct {
		root  Operator
		apart bool
	}
	groups := map[kind][]*Formula{}
	var operands []*Formula
	for _, o := range f.operands {
		if o.operator == Next || o.operator == distributes {
			k := kind{o.operator, w.staysApart(f.operator, o)}
			groups[k] = append(groups[k], o.operands[0])
		}
	}
	for _, o := range f.operands {
		k := kind{o.operator, w.staysApart(f.operator, o)}
		switch inner := groups[k]; {
		case inner == nil:
			operands = append(operands, o)
		case inner[0] == o.operands[0]: // the first of its kind
			operands = append(operands, w.formulas.Make(k.root, []*Formula{w.formulas.Make(f.operator, inner)}))
		}
	}
	return operands
}

// staysApart reports whether an operand of c is suspendable and begins with a root
// that others of its kind are merged under: beside GFa & Gb, the first can be
// treated apart.
func (w *Rewriter) staysApart(c Operator, o *Formula) bool {
	return (c == logic.And) == (o.operator == Globally) && o.Has(Suspendable)
}

// merged is one formula for operands a and b of a conjunction or disjunction, or
// nil.
func (w *Rewriter) merged(c Operator, a, b *Formula) *Formula {
	s := w.formulas
	and := c == logic.And
	if a.operator == b.operator && len(a.operands) == 1 && a.operator != logic.Not {
		if w.staysApart(c, a) != w.staysApart(c, b) {
			return nil
		}
		switch {
		case a.operator == Next,
			a.operator == Globally && (and || bothRooted(a, b, Finally)),
			a.operator == Finally && (!and || bothRooted(a, b, Globally)):
			g := s.Make(c, []*Formula{a.operands[0], b.operands[0]})
			return s.Make(a.operator, []*Formula{g})
		}
		return nil
	}
	if and {
		return w.mergedConjunction(a, b)
	}
	return w.mergedDisjunction(a, b)
}

func isUntil(f *Formula) bool   { return f.operator == Until || f.operator == WeakUntil }
func isRelease(f *Formula) bool { return f.operator == Release || f.operator == StrongRelease }

// bothRooted reports whether the operands of a and b have the root c.
func bothRooted(a, b *Formula, c Operator) bool {
	return a.operands[0].operator == c && b.operands[0].operator == c
}

func (w *Rewriter) mergedConjunction(a, b *Formula) *Formula {
	s := w.formulas
	switch {
	case isUntil(a) && isUntil(b) && a.operands[1] == b.operands[1]:
		g := s.And(a.operands[0], b.operands[0])
		if a.operator == WeakUntil && b.operator == WeakUntil {
			return s.WeakUntil(g, a.operands[1])
		}
		return s.Until(g, a.operands[1])
	case isRelease(a) && isRelease(b) && a.operands[0] == b.operands[0]:
		g := s.And(a.operands[1], b.operands[1])
		if a.operator == Release && b.operator == Release {
			return s.Release(a.operands[0], g)
		}
		return s.StrongRelease(a.operands[0], g)
	case a.operator == WeakUntil && b.operator == Finally && a.operands[1] == b.operands[0]:
		return s.Until(a.operands[0], a.operands[1])
	case a.operator == Release && b.operator == Finally && a.operands[0] == b.operands[0]:
		return s.StrongRelease(a.operands[0], a.operands[1])
	}
	return nil
}

func (w *Rewriter) mergedDisjunction(a, b *Formula) *Formula {
	s := w.formulas
	switch {
	case isUntil(a) && isUntil(b) && a.operands[0] == b.operands[0]:
		g := s.Or(a.operands[1], b.operands[1])
		if a.operator == Until && b.operator == Until {
			return s.Until(a.operands[0], g)
		}
		return s.WeakUntil(a.operands[0], g)
	case isRelease(a) && isRelease(b) && a.operands[1] == b.operands[1]:
		g := s.Or(a.operands[0], b.operands[0])
		if a.operator == StrongRelease && b.operator == StrongRelease {
			return s.StrongRelease(g, a.operands[1])
		}
		return s.Release(g, a.operands[1])
	case a.operator == Until && b.operator == Globally && a.operands[0] == b.operands[0]:
		return s.WeakUntil(a.operands[0], a.operands[1])
	case a.operator == StrongRelease && b.operator == Globally && a.operands[1] == b.operands[0]:
		return s.Release(a.operands[0], a.operands[1])
	}
	return nil
}
