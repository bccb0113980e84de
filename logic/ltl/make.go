package ltl

import (
	"slices"

	"pnmc/logic"
)

// This file makes formulas, with one method for each connective. The methods keep to a
// normal form that costs nothing to reach, so trivial formulas never arise.
//
// For example, And(a, And(b, a), true) is a & b: the nested conjunction is flattened, its operands are
// sorted by number, the second a and the constant are dropped. So a & b and b & a are one formula,
// and equality of formulas is equality of pointers. Laws that need a search, such as that G a implies
// F a, are left to package rewrite: a reader of formulas must take time linear in the text, but for
// sorting.

// Atom returns the atomic proposition of that name.
func (s *Formulas) Atom(name string) *Formula {
	p, known := s.numbers[name]
	if !known {
		p = uint32(len(s.names))
		s.names = append(s.names, name)
		s.numbers[name] = p
		s.atoms = append(s.atoms, s.intern(Atom, p))
	}
	return s.atoms[p]
}

// True returns the formula that every run satisfies.
func (s *Formulas) True() *Formula { return s.truth }

// False returns the formula that no run satisfies.
func (s *Formulas) False() *Formula { return s.falsity }

// Not returns the negation of f; double negations and negated constants vanish.
func (s *Formulas) Not(f *Formula) *Formula {
	switch f.operator {
	case logic.False:
		return s.truth
	case logic.True:
		return s.falsity
	case logic.Not:
		return f.operands[0]
	}
	return s.intern(logic.Not, 0, f)
}

// And returns the conjunction of operands; nested ones are flattened, repetitions and
// the constant true dropped, a formula beside its negation makes it false.
func (s *Formulas) And(operands ...*Formula) *Formula {
	return s.nary(logic.And, s.truth, s.falsity, operands)
}

// Or returns the disjunction of operands, brought to normal form as by And.
func (s *Formulas) Or(operands ...*Formula) *Formula {
	return s.nary(logic.Or, s.falsity, s.truth, operands)
}

// nary makes a conjunction or disjunction with its neutral and absorbing
// constants.
func (s *Formulas) nary(c Operator, neutral, absorbing *Formula, operands []*Formula) *Formula {
	flat := make([]*Formula, 0, len(operands))
	for _, f := range operands {
		switch {
		case f == absorbing:
			return absorbing
		case f.operator == c:
			flat = append(flat, f.operands...)
		case f != neutral:
			flat = append(flat, f)
		}
	}
	slices.SortFunc(flat, func(f, g *Formula) int { return int(f.number) - int(g.number) })
	flat = slices.Compact(flat)
	for _, f := range flat {
		if f.operator == logic.Not && containsFormula(flat, f.operands[0]) {
			return absorbing
		}
	}
	switch len(flat) {
	case 0:
		return neutral
	case 1:
		return flat[0]
	}
	return s.intern(c, 0, flat...)
}

// containsFormula reports whether f is in list, which ascends by number.
func containsFormula(list []*Formula, f *Formula) bool {
	_, found := slices.BinarySearchFunc(list, f, func(g, f *Formula) int { return int(g.number) - int(f.number) })
	return found
}

// HasOperand reports whether g is one of the operands of f, which is a conjunction or a
// disjunction.
func (f *Formula) HasOperand(g *Formula) bool { return containsFormula(f.operands, g) }

// Xor returns f xor g; with a constant or equal operands it vanishes.
func (s *Formulas) Xor(f, g *Formula) *Formula {
	return s.parity(logic.Xor, s.falsity, s.truth, f, g)
}

// Equivalent returns f <-> g; with a constant or equal operands it vanishes.
func (s *Formulas) Equivalent(f, g *Formula) *Formula {
	return s.parity(logic.Equivalent, s.truth, s.falsity, f, g)
}

// parity makes a formula with an operator that gives one of two constants for equal operands,
// and the other for opposite ones. With the first, an operand stays as it is; with the other,
// it is negated.
func (s *Formulas) parity(operator logic.Operator, equal, opposite, f, g *Formula) *Formula {
	switch {
	case f == g:
		return equal
	case f == equal:
		return g
	case g == equal:
		return f
	case f == opposite:
		return s.Not(g)
	case g == opposite:
		return s.Not(f)
	case s.Not(f) == g:
		return opposite
	}
	return s.intern(operator, 0, f, g)
}

// Implies returns f -> g; with a constant or equal operands it vanishes.
func (s *Formulas) Implies(f, g *Formula) *Formula {
	switch {
	case f == g, f.operator == logic.False, g.operator == logic.True:
		return s.truth
	case f.operator == logic.True:
		return g
	case g.operator == logic.False:
		return s.Not(f)
	}
	return s.intern(logic.Implies, 0, f, g)
}

// Next returns X f; of a constant, the constant.
func (s *Formulas) Next(f *Formula) *Formula {
	if f.operator <= logic.True {
		return f
	}
	return s.intern(Next, 0, f)
}

// Finally returns F f; FF f is F f.
func (s *Formulas) Finally(f *Formula) *Formula {
	if f.operator <= logic.True || f.operator == Finally {
		return f
	}
	return s.intern(Finally, 0, f)
}

// Globally returns G f; GG f is G f.
func (s *Formulas) Globally(f *Formula) *Formula {
	if f.operator <= logic.True || f.operator == Globally {
		return f
	}
	return s.intern(Globally, 0, f)
}

// Until returns f U g; true U g is F g, and other constants vanish.
func (s *Formulas) Until(f, g *Formula) *Formula {
	switch {
	case f == g, f.operator == logic.False, g.operator <= logic.True:
		return g
	case f.operator == logic.True:
		return s.Finally(g)
	}
	return s.intern(Until, 0, f, g)
}

// Release returns f R g; false R g is G g, and other constants vanish.
func (s *Formulas) Release(f, g *Formula) *Formula {
	switch {
	case f == g, f.operator == logic.True, g.operator <= logic.True:
		return g
	case f.operator == logic.False:
		return s.Globally(g)
	}
	return s.intern(Release, 0, f, g)
}

// WeakUntil returns f W g; f W false is G f, and other constants vanish.
func (s *Formulas) WeakUntil(f, g *Formula) *Formula {
	switch {
	case f == g, f.operator == logic.False, g.operator == logic.True:
		return g
	case f.operator == logic.True:
		return f
	case g.operator == logic.False:
		return s.Globally(f)
	}
	return s.intern(WeakUntil, 0, f, g)
}

// StrongRelease returns f M g; f M true is F f, and other constants vanish.
func (s *Formulas) StrongRelease(f, g *Formula) *Formula {
	switch {
	case f == g, f.operator == logic.True, g.operator == logic.False:
		return g
	case f.operator == logic.False:
		return f
	case g.operator == logic.True:
		return s.Finally(f)
	}
	return s.intern(StrongRelease, 0, f, g)
}

// Make returns the formula with this root and these operands, as many as the connective
// has; an atom is made by Atom.
func (s *Formulas) Make(c Operator, o []*Formula) *Formula {
	switch c {
	case logic.False:
		return s.False()
	case logic.True:
		return s.True()
	case logic.Not:
		return s.Not(o[0])
	case logic.And:
		return s.And(o...)
	case logic.Or:
		return s.Or(o...)
	case logic.Xor:
		return s.Xor(o[0], o[1])
	case logic.Equivalent:
		return s.Equivalent(o[0], o[1])
	case logic.Implies:
		return s.Implies(o[0], o[1])
	case Next:
		return s.Next(o[0])
	case Finally:
		return s.Finally(o[0])
	case Globally:
		return s.Globally(o[0])
	case Until:
		return s.Until(o[0], o[1])
	case Release:
		return s.Release(o[0], o[1])
	case WeakUntil:
		return s.WeakUntil(o[0], o[1])
	}
	return s.StrongRelease(o[0], o[1])
}
