package logic

// split divides the operands of f, a conjunction or disjunction c, into those
// with all of the traits and the others; with another root there is one operand.
func (w *Rewriter) split(f *Formula, c Connective, t Traits) (with, without []*Formula) {
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
func (w *Rewriter) outside(f *Formula, c Connective, t Traits, around func(*Formula) *Formula) *Formula {
	if f.connective != c {
		return nil
	}
	with, rest := w.split(f, c, t)
	if len(with) == 0 || len(rest) == 0 {
		return nil
	}
	return w.formulas.make(c, append(with, around(w.formulas.make(c, rest))))
}

// next applies a rule to X g.
func (w *Rewriter) next(f *Formula) *Formula {
	g := f.operands[0]
	if g.Has(Suspendable) {
		return g
	}
	for _, c := range [2]Connective{Conjunction, Disjunction} {
		if h := w.outside(g, c, Suspendable, w.formulas.Next); h != nil {
			return h
		}
	}
	return f
}

// finally applies a rule to F g.
func (w *Rewriter) finally(f *Formula) *Formula {
	s, g := w.formulas, f.operands[0]
	if g.Has(Eventual) {
		return g
	}
	o := g.operands
	switch g.connective {
	case Next:
		return s.Next(s.Finally(o[0]))
	case Until:
		return s.Finally(o[1])
	case StrongRelease:
		return s.Finally(s.And(o[0], o[1]))
	case WeakUntil:
		return s.Or(s.Finally(o[1]), s.Finally(s.Globally(o[0])))
	case Release:
		return s.Or(s.Finally(s.And(o[0], o[1])), s.Finally(s.Globally(o[1])))
	case Disjunction:
		if h := w.flatten(g, Finally); h != nil {
			return s.Finally(h)
		}
		if h := w.outside(g, Disjunction, Eventual, s.Finally); h != nil {
			return h
		}
		if u, rest := w.split(g, Disjunction, Universal); len(u) > 0 && len(rest) > 0 {
			return s.Or(s.Finally(s.Or(u...)), s.Finally(s.Or(rest...)))
		}
	case Conjunction:
		if h := w.outside(g, Conjunction, Suspendable, s.Finally); h != nil {
			return h
		}
		if h := w.distribute(g, Universal, Finally, Globally); h != nil {
			return h
		}
	case Globally: // FG(a & e) is FG a & G e
		if e, rest := w.split(o[0], Conjunction, Eventual); len(e) > 0 && len(rest) > 0 {
			return s.And(s.Finally(s.Globally(s.And(rest...))), s.Globally(s.And(e...)))
		}
		if u, rest := w.split(o[0], Disjunction, Universal); len(u) > 0 && len(rest) > 0 { // FG(a | u) is FG a | F u
			return s.Or(s.Finally(s.Globally(s.Or(rest...))), s.Finally(s.Or(u...)))
		}
		if h := w.withoutNext(o[0], Conjunction); h != o[0] {
			return s.Finally(s.Globally(h))
		}
	}
	return f
}

// globally applies a rule to G g.
func (w *Rewriter) globally(f *Formula) *Formula {
	s, g := w.formulas, f.operands[0]
	if g.Has(Universal) {
		return g
	}
	o := g.operands
	switch g.connective {
	case Next:
		return s.Next(s.Globally(o[0]))
	case Release:
		return s.Globally(o[1])
	case WeakUntil:
		return s.Globally(s.Or(o[0], o[1]))
	case StrongRelease:
		return s.And(s.Globally(o[1]), s.Globally(s.Finally(o[0])))
	case Until:
		return s.And(s.Globally(s.Or(o[0], o[1])), s.Globally(s.Finally(o[1])))
	case Conjunction:
		if h := w.flatten(g, Globally); h != nil {
			return s.Globally(h)
		}
		if e, rest := w.split(g, Conjunction, Eventual); len(e) > 0 && len(rest) > 0 {
			return s.And(s.Globally(s.And(e...)), s.Globally(s.And(rest...)))
		}
		if h := w.outside(g, Conjunction, Universal, s.Globally); h != nil {
			return h
		}
	case Disjunction:
		if h := w.outside(g, Disjunction, Suspendable, s.Globally); h != nil {
			return h
		}
		if h := w.distribute(g, Eventual, Globally, Finally); h != nil {
			return h
		}
	case Finally: // GF(a | u) is GF a | F u
		if u, rest := w.split(o[0], Disjunction, Universal); len(u) > 0 && len(rest) > 0 {
			return s.Or(s.Globally(s.Finally(s.Or(rest...))), s.Finally(s.Or(u...)))
		}
		if e, rest := w.split(o[0], Conjunction, Eventual); len(e) > 0 && len(rest) > 0 { // GF(a & e) is GF a & G e
			return s.And(s.Globally(s.Finally(s.And(rest...))), s.Globally(s.And(e...)))
		}
		if h := w.withoutNext(o[0], Disjunction); h != o[0] {
			return s.Globally(s.Finally(h))
		}
	}
	return f
}

// distribute puts the root around each operand of g, where all have the trait that
// makes this sound, unless all are F or all G, which merge better: with eventual
// operands G(a | b) is G a | G b, and GF a | GF b is GF(a | b).
func (w *Rewriter) distribute(g *Formula, t Traits, root, merging Connective) *Formula {
	if !g.Has(t) {
		return nil
	}
	operands := make([]*Formula, len(g.operands))
	all := true
	for i, o := range g.operands {
		all = all && o.connective == merging
		operands[i] = w.formulas.make(root, []*Formula{o})
	}
	if all {
		return nil
	}
	return w.formulas.make(g.connective, operands)
}

// flatten removes the root c from operands of g: F(a | Fb) is F(a | b). It is nil
// if no operand has it.
func (w *Rewriter) flatten(g *Formula, c Connective) *Formula {
	found := false
	operands := make([]*Formula, len(g.operands))
	for i, o := range g.operands {
		operands[i] = o
		if o.connective == c {
			operands[i] = o.operands[0]
			found = true
		}
	}
	if !found {
		return nil
	}
	return w.formulas.make(g.connective, operands)
}

// withoutNext removes the root X from operands of g under FG, where the
// connective is conjunction, and under GF, where it is disjunction.
func (w *Rewriter) withoutNext(g *Formula, c Connective) *Formula {
	operands := append([]*Formula(nil), parts(g, c)...)
	for i, o := range operands {
		for o.connective == Next {
			o = o.operands[0]
		}
		operands[i] = o
	}
	return w.formulas.make(c, operands)
}

// until applies a rule to f U g or f W g.
func (w *Rewriter) until(u *Formula) *Formula {
	s, f, g := w.formulas, u.operands[0], u.operands[1]
	weak := u.connective == WeakUntil
	again := func(f, g *Formula) *Formula { return s.make(u.connective, []*Formula{f, g}) }
	switch {
	case w.Implies(f, g):
		return g
	case w.Implies(w.Negate(f), g): // f | g always
		if weak {
			return s.True()
		}
		return s.Finally(g)
	case g.Has(Eventual) && weak:
		return s.Or(g, s.Globally(f))
	case g.Has(Eventual):
		return g
	case weak && f.Has(Universal):
		return s.Or(f, g)
	case f.connective == Next && g.connective == Next:
		return s.Next(again(f.operands[0], g.operands[0]))
	case isUntil(f) && f.operands[1] == g && (weak || f.connective == Until):
		return f
	case isUntil(f) && f.operands[1] == g: // (a W b) U b is a U b
		return again(f.operands[0], g)
	case isUntil(g) && w.Implies(f, g.operands[0]) && (!weak || g.connective == WeakUntil):
		return g
	case isUntil(g) && f == g.operands[0] && weak: // a W (a U b) is a W b
		return s.WeakUntil(f, g.operands[1])
	}
	if h := w.outside(g, Disjunction, Eventual, func(g *Formula) *Formula { return again(f, g) }); h != nil {
		return h
	}
	if !weak {
		if h := w.outside(g, Conjunction, Suspendable, func(g *Formula) *Formula { return again(f, g) }); h != nil {
			return h
		}
	}
	return w.untilOperands(u)
}

// untilOperands applies a rule that drops part of an operand of f U g or f W g.
func (w *Rewriter) untilOperands(u *Formula) *Formula {
	s, f, g := w.formulas, u.operands[0], u.operands[1]
	weak := u.connective == WeakUntil
	if g.connective == Conjunction && contains(g, f) { // a U (a & b) is b M a
		rest := w.remove(g, f)
		if weak {
			return s.Release(rest, f)
		}
		return s.StrongRelease(rest, f)
	}
	if g.connective == Disjunction && containsFormula(g.operands, s.Globally(f)) {
		return s.WeakUntil(f, w.remove(g, s.Globally(f)))
	}
	for _, c := range [2]Connective{Conjunction, Disjunction} {
		if f.connective != c {
			continue
		}
		for i, part := range f.operands {
			if c == Disjunction && w.Implies(part, g) || c == Conjunction && w.Implies(w.Negate(g), part) {
				return s.make(u.connective, []*Formula{s.make(c, without(f.operands, i)), g})
			}
		}
	}
	return u
}

// remove is g without the operands that are f or f's.
func (w *Rewriter) remove(g, f *Formula) *Formula {
	var rest []*Formula
	for _, o := range g.operands {
		kept := true
		for _, part := range parts(f, g.connective) {
			kept = kept && o != part
		}
		if kept {
			rest = append(rest, o)
		}
	}
	return w.formulas.make(g.connective, rest)
}

// release applies a rule to f R g or f M g.
func (w *Rewriter) release(r *Formula) *Formula {
	s, f, g := w.formulas, r.operands[0], r.operands[1]
	strong := r.connective == StrongRelease
	again := func(f, g *Formula) *Formula { return s.make(r.connective, []*Formula{f, g}) }
	switch {
	case w.Implies(g, f):
		return g
	case w.contradicts(g, f):
		if strong {
			return s.False()
		}
		return s.Globally(g)
	case g.Has(Universal) && strong:
		return s.And(g, s.Finally(f))
	case g.Has(Universal):
		return g
	case strong && f.Has(Eventual):
		return s.And(f, g)
	case f.connective == Next && g.connective == Next:
		return s.Next(again(f.operands[0], g.operands[0]))
	case isRelease(f) && f.operands[1] == g && (strong || f.connective == Release):
		return f
	case isRelease(f) && f.operands[1] == g: // (a M b) R b is a R b
		return again(f.operands[0], g)
	case isRelease(g) && w.Implies(g.operands[0], f) && (!strong || g.connective == StrongRelease):
		return g
	case isRelease(g) && f == g.operands[0] && strong: // a M (a R b) is a M b
		return s.StrongRelease(f, g.operands[1])
	}
	if h := w.outside(g, Conjunction, Universal, func(g *Formula) *Formula { return again(f, g) }); h != nil {
		return h
	}
	if !strong {
		if h := w.outside(g, Disjunction, Suspendable, func(g *Formula) *Formula { return again(f, g) }); h != nil {
			return h
		}
	}
	return w.releaseOperands(r)
}

// releaseOperands applies a rule that drops part of an operand of f R g or f M g.
func (w *Rewriter) releaseOperands(r *Formula) *Formula {
	s, f, g := w.formulas, r.operands[0], r.operands[1]
	strong := r.connective == StrongRelease
	if g.connective == Disjunction && contains(g, f) { // a R (a | b) is b W a
		rest := w.remove(g, f)
		if strong {
			return s.Until(rest, f)
		}
		return s.WeakUntil(rest, f)
	}
	if g.connective == Conjunction && containsFormula(g.operands, s.Finally(f)) {
		return s.StrongRelease(f, w.remove(g, s.Finally(f)))
	}
	for _, c := range [2]Connective{Conjunction, Disjunction} {
		if f.connective != c {
			continue
		}
		for i, part := range f.operands {
			if c == Conjunction && w.Implies(g, part) || c == Disjunction && w.contradicts(g, part) {
				return s.make(r.connective, []*Formula{s.make(c, without(f.operands, i)), g})
			}
		}
	}
	return r
}
