package logic

// junctionOperands is the number of operands up to which those of a conjunction
// or disjunction are compared pair by pair.
const junctionOperands = 24

// junction applies a rule to a conjunction or, dually, to a disjunction.
func (w *Rewriter) junction(f *Formula) *Formula {
	if len(f.operands) <= junctionOperands {
		if g := w.dropImplied(f); g != f {
			return g
		}
		if g := w.dropRefuted(f); g != f {
			return g
		}
		if g := w.underInvariant(f); g != f {
			return g
		}
	}
	if g := w.mergeOperands(f); g != f {
		return g
	}
	return w.unrolled(f)
}

// replacePair is f with operand i replaced and operand j left out.
func (w *Rewriter) replacePair(f *Formula, i, j int, by *Formula) *Formula {
	rest := []*Formula{by}
	for k, o := range f.operands {
		if k != i && k != j {
			rest = append(rest, o)
		}
	}
	return w.formulas.Make(f.connective, rest)
}

// stronger tells whether a makes b superfluous beside it under c: it implies b in
// a conjunction, and is implied in a disjunction.
func (w *Rewriter) stronger(c Connective, a, b *Formula) bool {
	if c == Conjunction {
		return w.Implies(a, b)
	}
	return w.Implies(b, a)
}

// refutes tells whether a and b together make a conjunction false, or a
// disjunction true.
func (w *Rewriter) refutes(c Connective, a, b *Formula) bool {
	if c == Conjunction {
		return w.contradicts(a, b)
	}
	return w.Implies(w.Negate(a), b)
}

// dropImplied drops an operand that another one makes superfluous, or gives the
// constant that two of them make of f.
func (w *Rewriter) dropImplied(f *Formula) *Formula {
	for i, a := range f.operands {
		for j, b := range f.operands {
			if i == j {
				continue
			}
			if w.stronger(f.connective, a, b) {
				return w.replacePair(f, i, j, a)
			}
			if i < j && w.refutes(f.connective, a, b) {
				if f.connective == Conjunction {
					return w.formulas.False()
				}
				return w.formulas.True()
			}
		}
	}
	return f
}

// dropRefuted drops from an operand of the other connective the parts that an
// operand refutes: a & (b | !a) is a & b.
func (w *Rewriter) dropRefuted(f *Formula) *Formula {
	inner := opposite[f.connective]
	for j, b := range f.operands {
		if b.connective != inner || len(b.operands) > junctionOperands {
			continue
		}
		for i, a := range f.operands {
			if i == j {
				continue
			}
			for k, part := range b.operands {
				if w.refutes(f.connective, a, part) {
					rest := append(append([]*Formula(nil), b.operands[:k]...), b.operands[k+1:]...)
					g := w.formulas.Make(inner, rest)
					return w.formulas.Make(f.connective, append(without(f.operands, j), g))
				}
			}
		}
	}
	return f
}

// without is a copy of list without element i.
func without(list []*Formula, i int) []*Formula {
	return append(append(make([]*Formula, 0, len(list)), list[:i]...), list[i+1:]...)
}

// underInvariant simplifies the operands beside G a, under the assumption that a
// holds at every position; beside F a, that it does at none.
func (w *Rewriter) underInvariant(f *Formula) *Formula {
	root := Globally
	if f.connective == Disjunction {
		root = Finally
	}
	for i, a := range f.operands {
		if a.connective != root {
			continue
		}
		invariant := a.operands[0]
		if root == Finally {
			invariant = w.Negate(invariant)
		}
		for j, b := range f.operands {
			if i == j {
				continue
			}
			if g := w.assume(b, invariant, map[*Formula]*Formula{}); g != b {
				return w.formulas.Make(f.connective, append(without(f.operands, j), g))
			}
		}
	}
	return f
}

// assume replaces subformulas of f that the invariant implies or contradicts by
// constants.
func (w *Rewriter) assume(f, invariant *Formula, done map[*Formula]*Formula) *Formula {
	if g, known := done[f]; known {
		return g
	}
	g := f
	switch {
	case f.connective <= Truth:
	case w.Implies(invariant, f):
		g = w.formulas.True()
	case w.contradicts(invariant, f):
		g = w.formulas.False()
	case len(f.operands) > 0:
		operands := make([]*Formula, len(f.operands))
		for i, o := range f.operands {
			operands[i] = w.assume(o, invariant, done)
		}
		g = w.formulas.Make(f.connective, operands)
	}
	done[f] = g
	return g
}

// mergeOperands merges all operands that can be, in one pass over the pairs of
// those that are left when operands of one root, which may be thousands, are one.
func (w *Rewriter) mergeOperands(f *Formula) *Formula {
	operands := w.mergeRoots(f)
	for i := range operands {
		for j := i + 1; j < len(operands) && operands[i] != nil; j++ {
			if operands[j] == nil {
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

// staysApart tells whether an operand of c is suspendable and begins with a root
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

// bothRooted tells whether the operands of a and b have the root c.
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

// unrolled folds one step of a fixpoint back: a & XGa is G a, b & (a | X(a R b))
// is a R b, and dually.
func (w *Rewriter) unrolled(f *Formula) *Formula {
	fixpoint, other := Globally, opposite[f.connective]
	if f.connective == Disjunction {
		fixpoint = Finally
	}
	for i, a := range f.operands {
		if a.connective == Next {
			for k, g := range parts(a.operands[0], f.connective) {
				if g.connective != fixpoint || !contains(f, g.operands[0]) {
					continue
				}
				rest := append(without(parts(a.operands[0], f.connective), k), w.formulas.True())
				if f.connective == Disjunction {
					rest[len(rest)-1] = w.formulas.False()
				}
				x := w.formulas.Next(w.formulas.Make(f.connective, rest))
				return w.formulas.Make(f.connective, append(without(f.operands, i), g, x))
			}
		}
		if a.connective != other || len(a.operands) != 2 {
			continue
		}
		for k, x := range a.operands {
			if x.connective != Next {
				continue
			}
			g, first := x.operands[0], a.operands[1-k]
			if f.connective == Conjunction && !isRelease(g) || f.connective == Disjunction && !isUntil(g) {
				continue
			}
			if g.operands[0] == first && contains(f, g.operands[1]) {
				return w.formulas.Make(f.connective, append(without(f.operands, i), g))
			}
		}
	}
	return f
}

// parts are the operands of f if c is its root, else f alone.
func parts(f *Formula, c Connective) []*Formula {
	if f.connective == c {
		return f.operands
	}
	return []*Formula{f}
}

// contains tells whether g, or each of its operands if it has the root of f, is
// an operand of f.
func contains(f, g *Formula) bool {
	for _, part := range parts(g, f.connective) {
		if !containsFormula(f.operands, part) {
			return false
		}
	}
	return true
}
