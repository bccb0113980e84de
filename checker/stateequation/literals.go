package stateequation

import (
	"pnmc/internal/clauses"
	"pnmc/logic"
	"pnmc/petri"
)

// This file writes predicates as clauses. A literal that is true asserts something; one that is false
// asserts nothing. So one direction of each definition is enough (Plaisted, Greenbaum, "A structure-preserving clause
// form translation", Journal of Symbolic Computation 2, 1986): for x that stands for a ∧ b, the clauses are ¬x ∨ a and ¬x ∨ b,
// for x that stands for a ∨ b it is ¬x ∨ a ∨ b.

// condition is what a variable of the solver asserts: bounds of a form. The form is -1 for a variable
// that stands for a conjunction or disjunction.
type condition struct {
	form         int32
	lower, upper int64
}

// literal is a literal of the solver, or a constant.
type literal struct {
	constant, value bool
	of              clauses.Literal
}

// part is a predicate, or with wanted false its negation.
type part struct {
	predicate *logic.Predicate
	wanted    bool
}

// constantly returns a constant.
func constantly(value bool) literal { return literal{constant: true, value: value} }

// literal returns a literal that asserts p, or with wanted false its negation. Products are left out, as
// assert does.
func (s *clauseSearch) literal(p *logic.Predicate, wanted bool) literal {
	if s.over(lookAtWork) {
		return constantly(true)
	}
	switch p.Operator {
	case logic.True, logic.False:
		return constantly((p.Operator == logic.True) == wanted)
	case logic.Not:
		return s.literal(p.Operands[0], !wanted)
	case logic.PolynomialAtMost, logic.PolynomialEqual:
		return constantly(true)
	case logic.AtMost:
		if wanted {
			return s.most(p.Sum, 0)
		}
		return s.least(p.Sum, 1)
	}
	key := part{p, wanted}
	l, ok := s.parts[key]
	if !ok { // nested equivalences ask for each part more than once
		l = s.compound(p, wanted)
		s.parts[key] = l
	}
	return l
}

// compound returns a literal for a predicate of several parts.
func (s *clauseSearch) compound(p *logic.Predicate, wanted bool) literal {
	var list []literal
	switch p.Operator {
	case logic.And, logic.Or:
		for _, q := range p.Operands {
			list = append(list, s.literal(q, wanted))
		}
		return s.joined((p.Operator == logic.And) == wanted, list...)
	case logic.Equivalent:
		a, b := p.Operands[0], p.Operands[1]
		both := s.joined(true, s.literal(a, true), s.literal(b, wanted))
		neither := s.joined(true, s.literal(a, false), s.literal(b, !wanted))
		return s.joined(false, both, neither)
	case logic.Equal:
		if wanted {
			return s.joined(true, s.most(p.Sum, 0), s.least(p.Sum, 0))
		}
		return s.joined(false, s.most(p.Sum, -1), s.least(p.Sum, 1))
	case logic.Fireable:
		for _, t := range p.Transitions {
			list = append(list, s.fireable(petri.Transition(t), wanted))
		}
		return s.joined(!wanted, list...)
	}
	for t := range petri.Transition(s.equation.net.Transitions()) { // Deadlocked
		list = append(list, s.fireable(t, !wanted))
	}
	return s.joined(wanted, list...)
}

// fireable returns a literal that asserts that t has the tokens it needs, or with wanted false that it is disabled.
func (s *clauseSearch) fireable(t petri.Transition, wanted bool) literal {
	var list []literal
	for _, a := range s.equation.net.Pre(t) {
		term := []logic.Term{{Place: uint32(a.Place), Coefficient: 1}}
		if wanted {
			list = append(list, s.within(term, a.Weight, maxInfinite))
		} else {
			list = append(list, s.within(term, minInfinite, a.Weight-1))
		}
	}
	if !wanted {
		for _, a := range s.equation.net.Ceilings(t) {
			list = append(list, s.within([]logic.Term{{Place: uint32(a.Place), Coefficient: 1}}, a.Weight, maxInfinite))
		}
	}
	return s.joined(wanted, list...)
}

// joined returns a literal that asserts all of the list, or one of it.
func (s *clauseSearch) joined(all bool, list ...literal) literal {
	var open []literal
	for _, l := range list {
		if l.constant && l.value != all {
			return l
		}
		if !l.constant {
			open = append(open, l)
		}
	}
	switch len(open) {
	case 0:
		return constantly(all)
	case 1:
		return open[0]
	}
	if s.over(postponeWork) {
		return constantly(true)
	}
	v := s.solver.Variable()
	s.conditions = append(s.conditions, condition{form: -1})
	not := literal{of: clauses.Is(v).Not()}
	if all {
		for _, l := range open {
			s.add(not, l)
		}
	} else {
		s.add(append(open, not)...)
	}
	return literal{of: clauses.Is(v)}
}

// add adds a clause.
func (s *clauseSearch) add(list ...literal) {
	var clause []clauses.Literal
	for _, l := range list {
		if l.constant && l.value {
			return
		}
		if !l.constant {
			clause = append(clause, l.of)
		}
	}
	s.solver.Add(clause...)
}

// most returns a literal for sum ≤ bound.
func (s *clauseSearch) most(sum logic.Sum, bound int64) literal {
	if isLarge(sum.Constant) {
		s.failed = true
		return constantly(true)
	}
	if t := sum.Terms; len(t) == 1 && t[0].Coefficient == -1 {
		return s.within([]logic.Term{{Place: t[0].Place, Coefficient: 1}}, sum.Constant-bound, maxInfinite)
	}
	return s.within(sum.Terms, minInfinite, bound-sum.Constant)
}

// least returns a literal for sum ≥ bound.
func (s *clauseSearch) least(sum logic.Sum, bound int64) literal {
	if isLarge(sum.Constant) {
		s.failed = true
		return constantly(true)
	}
	if t := sum.Terms; len(t) == 1 && t[0].Coefficient == -1 {
		return s.within([]logic.Term{{Place: t[0].Place, Coefficient: 1}}, minInfinite, sum.Constant-bound)
	}
	return s.within(sum.Terms, bound-sum.Constant, maxInfinite)
}

// within returns a literal for lower ≤ Σ terms ≤ upper. The search fails if numbers get too large.
func (s *clauseSearch) within(terms []logic.Term, lower, upper int64) literal {
	if s.over(boundWork) {
		return constantly(true)
	}
	if len(terms) == 0 {
		return constantly(lower <= 0 && 0 <= upper)
	}
	f, initial, ok := s.equation.sumForm(s.ctx, terms)
	if !ok || isLarge(lower) && lower != minInfinite || isLarge(upper) && upper != maxInfinite {
		s.failed = true
		return constantly(true)
	}
	if lower != minInfinite {
		lower -= initial
	}
	if upper != maxInfinite {
		upper -= initial
	}
	return s.condition(f, lower, upper)
}

// isLarge reports whether a bound is beyond what is calculated with.
func isLarge(bound int64) bool { return bound > 1<<60 || bound < -1<<60 }

// condition returns a literal for bounds of a form, constant if the form's bounds that hold for good decide it.
func (s *clauseSearch) condition(f int32, lower, upper int64) literal {
	known := &s.equation.simplex.forms[f]
	switch {
	case lower > known.upper || upper < known.lower:
		return constantly(false)
	case lower <= known.lower && upper >= known.upper:
		return constantly(true)
	}
	c := condition{f, lower, upper}
	v, ok := s.variables[c]
	if !ok {
		v = s.solver.Variable()
		s.variables[c] = v
		s.conditions = append(s.conditions, c)
	}
	return literal{of: clauses.Is(v)}
}
