package logic

// mergeOperands merges all operands that can be, in one pass over the pairs of
// those that are left when operands of one root, which may be thousands, are one.
func (w *Rewriter) mergeOperands(f *Formula) *Formula {
	operands := w.mergeRoots(f)
	for i := range operands {
		for j := i + 1; j < len(operands) && isTemporal(operands[i]); j++ {
			if !isTemporal(operands[j]) {
				continue
			}
			merged := w.merged(f.connective, operands[i], operands[j])
			if merged == nil {
				merged = w.merged(f.connective, operands[j], operands[i])
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
	return w.formulas.Make(f.connective, kept)
}

// isTemporal reports whether f is there and has a temporal root: no other operand is
// merged with one, and there may be thousands of literals.
func isTemporal(f *Formula) bool { return f != nil && f.connective >= Next }

// mergeRoots merges operands that begin with X, those of a conjunction that begin
// with G, and those of a disjunction that begin with F, each kind into one where
// the first of them is. Suspendable ones stay apart from others: see merged.
func (w *Rewriter) mergeRoots(f *Formula) []*Formula {
	distributes := Globally
	if f.connective == Disjunction {
		distributes = Finally
	}
	type kind struct {
		root  Connective
		apart bool
	}
	groups := map[kind][]*Formula{}
	var operands []*Formula
	for _, o := range f.operands {
		if o.connective == Next || o.connective == distributes {
			k := kind{o.connective, w.staysApart(f.connective, o)}
			groups[k] = append(groups[k], o.operands[0])
		}
	}
	for _, o := range f.operands {
		k := kind{o.connective, w.staysApart(f.connective, o)}
		switch inner := groups[k]; {
		case inner == nil:
			operands = append(operands, o)
		case inner[0] == o.operands[0]: // the first of its kind
			operands = append(operands, w.formulas.Make(k.root, []*Formula{w.formulas.Make(f.connective, inner)}))
		}
	}
	return operands
}

// staysApart reports whether an operand of c is suspendable and begins with a root
// that others of its kind are merged under: beside GFa & Gb, the first can be
// treated apart.
func (w *Rewriter) staysApart(c Connective, o *Formula) bool {
	return (c == Conjunction) == (o.connective == Globally) && o.Has(Suspendable)
}

// merged is one formula for operands a and b of a conjunction or disjunction, or
// nil.
func (w *Rewriter) merged(c Connective, a, b *Formula) *Formula {
	s := w.formulas
	and := c == Conjunction
	if a.connective == b.connective && len(a.operands) == 1 && a.connective != Negation {
		if w.staysApart(c, a) != w.staysApart(c, b) {
			return nil
		}
		switch {
		case a.connective == Next,
			a.connective == Globally && (and || bothRooted(a, b, Finally)),
			a.connective == Finally && (!and || bothRooted(a, b, Globally)):
			g := s.Make(c, []*Formula{a.operands[0], b.operands[0]})
			return s.Make(a.connective, []*Formula{g})
		}
		return nil
	}
	if and {
		return w.mergedConjunction(a, b)
	}
	return w.mergedDisjunction(a, b)
}

func isUntil(f *Formula) bool   { return f.connective == Until || f.connective == WeakUntil }
func isRelease(f *Formula) bool { return f.connective == Release || f.connective == StrongRelease }

// bothRooted reports whether the operands of a and b have the root c.
func bothRooted(a, b *Formula, c Connective) bool {
	return a.operands[0].connective == c && b.operands[0].connective == c
}

func (w *Rewriter) mergedConjunction(a, b *Formula) *Formula {
	s := w.formulas
	switch {
	case isUntil(a) && isUntil(b) && a.operands[1] == b.operands[1]:
		g := s.And(a.operands[0], b.operands[0])
		if a.connective == WeakUntil && b.connective == WeakUntil {
			return s.WeakUntil(g, a.operands[1])
		}
		return s.Until(g, a.operands[1])
	case isRelease(a) && isRelease(b) && a.operands[0] == b.operands[0]:
		g := s.And(a.operands[1], b.operands[1])
		if a.connective == Release && b.connective == Release {
			return s.Release(a.operands[0], g)
		}
		return s.StrongRelease(a.operands[0], g)
	case a.connective == WeakUntil && b.connective == Finally && a.operands[1] == b.operands[0]:
		return s.Until(a.operands[0], a.operands[1])
	case a.connective == Release && b.connective == Finally && a.operands[0] == b.operands[0]:
		return s.StrongRelease(a.operands[0], a.operands[1])
	}
	return nil
}

func (w *Rewriter) mergedDisjunction(a, b *Formula) *Formula {
	s := w.formulas
	switch {
	case isUntil(a) && isUntil(b) && a.operands[0] == b.operands[0]:
		g := s.Or(a.operands[1], b.operands[1])
		if a.connective == Until && b.connective == Until {
			return s.Until(a.operands[0], g)
		}
		return s.WeakUntil(a.operands[0], g)
	case isRelease(a) && isRelease(b) && a.operands[1] == b.operands[1]:
		g := s.Or(a.operands[0], b.operands[0])
		if a.connective == StrongRelease && b.connective == StrongRelease {
			return s.StrongRelease(g, a.operands[1])
		}
		return s.Release(g, a.operands[1])
	case a.connective == Until && b.connective == Globally && a.operands[0] == b.operands[0]:
		return s.WeakUntil(a.operands[0], a.operands[1])
	case a.connective == StrongRelease && b.connective == Globally && a.operands[1] == b.operands[0]:
		return s.Release(a.operands[0], a.operands[1])
	}
	return nil
}
