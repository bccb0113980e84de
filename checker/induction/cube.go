package induction

import (
	"cmp"
	"slices"

	"pnmc/internal/arithmetic"
	"pnmc/logic"
	"pnmc/petri"
)

// Cube is a conjunction of comparisons: each sum is at most 0. The terms of a sum are in the order of
// places, and no two comparisons of a cube have the same terms.
type Cube []logic.Sum

// Contains reports whether m is one of the markings of c.
func (c Cube) Contains(m petri.Marking) bool {
	for _, s := range c {
		if !contains(s, m) {
			return false
		}
	}
	return true
}

// contains reports whether s is at most 0 in m.
func contains(s logic.Sum, m petri.Marking) bool { return logic.Polynomial{Sum: s}.Sign(m) <= 0 }

// Predicate returns c as a predicate.
func (c Cube) Predicate() *logic.Predicate {
	p := &logic.Predicate{Operator: logic.And}
	for _, s := range c {
		p.Operands = append(p.Operands, &logic.Predicate{Operator: logic.AtMost, Sum: s})
	}
	return p
}

// outside returns the predicate of the markings that c has not.
func (c Cube) outside() *logic.Predicate {
	return &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{c.Predicate()}}
}

// compareTerms orders sums by their terms.
func compareTerms(a, b logic.Sum) int {
	return slices.CompareFunc(a.Terms, b.Terms, func(x, y logic.Term) int {
		return cmp.Or(cmp.Compare(x.Place, y.Place), cmp.Compare(x.Coefficient, y.Coefficient))
	})
}

// normal brings comparisons into the order of their terms, with the strictest of those with the same terms, and
// without those that hold of all token counts. It reports false if no marking satisfies them, as far
// as a look at single places tells.
func normal(list []logic.Sum) (c Cube, possible bool) {
	slices.SortFunc(list, func(a, b logic.Sum) int {
		return cmp.Or(compareTerms(a, b), -cmp.Compare(a.Constant, b.Constant))
	})
	for _, s := range list {
		switch {
		case len(c) > 0 && compareTerms(c[len(c)-1], s) == 0:
		case s.Constant <= 0 && !slices.ContainsFunc(s.Terms, func(t logic.Term) bool { return t.Coefficient > 0 }):
			// it holds everywhere
		case s.Constant > 0 && !slices.ContainsFunc(s.Terms, func(t logic.Term) bool { return t.Coefficient < 0 }):
			return nil, false // it holds nowhere
		default:
			c = append(c, s)
		}
	}
	for _, low := range c { // p ≥ a is -p + a ≤ 0
		if len(low.Terms) != 1 || low.Terms[0].Coefficient != -1 {
			continue
		}
		high := logic.Sum{Terms: []logic.Term{{Place: low.Terms[0].Place, Coefficient: 1}}} // p ≤ b
		if i, found := slices.BinarySearchFunc(c, high, compareTerms); found && low.Constant > -c[i].Constant {
			return nil, false
		}
	}
	return c, true
}

// covers reports whether each marking of d is one of c, as far as comparisons of the same terms tell.
func (c Cube) covers(d Cube) bool {
	for _, s := range c {
		i, found := slices.BinarySearchFunc(d, s, compareTerms)
		if !found || d[i].Constant < s.Constant {
			return false
		}
	}
	return true
}

// touching returns the transitions that change a place of c, ascending.
func (s *Search) touching(c Cube) []petri.Transition {
	var list []petri.Transition
	seen := make(map[uint32]bool)
	for _, sum := range c {
		for _, t := range sum.Terms {
			if !seen[t.Place] {
				seen[t.Place] = true
				list = append(list, s.changing[t.Place]...)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// after returns the sum over a marking that has the value of sum once t has fired. It reports false where
// a number gets too large.
func (s *Search) after(t petri.Transition, sum logic.Sum) (logic.Sum, bool) {
	before := logic.Sum{Constant: sum.Constant}
	for _, x := range sum.Terms {
		p := petri.Place(x.Place)
		added := int64(0)
		if s.net.Empties(t, p) {
			added = weightAt(s.net.Post(t), p)
		} else {
			added = weightAt(s.effects[t], p)
			before.Terms = append(before.Terms, x)
		}
		product, ok := arithmetic.Multiply(x.Coefficient, added)
		if ok {
			before.Constant, ok = arithmetic.Add(before.Constant, product)
		}
		if !ok {
			return logic.Sum{}, false
		}
	}
	return before, true
}

// weightAt returns the weight of the arc to p, 0 if there is none.
func weightAt(arcs []petri.Arc, p petri.Place) int64 {
	i, found := slices.BinarySearchFunc(arcs, p, func(a petri.Arc, p petri.Place) int { return cmp.Compare(a.Place, p) })
	if !found {
		return 0
	}
	return arcs[i].Weight
}

// enabling returns the comparisons that hold where t is enabled.
func (s *Search) enabling(t petri.Transition) []logic.Sum {
	pre, ceilings := s.net.Pre(t), s.net.Ceilings(t)
	list := make([]logic.Sum, 0, len(pre)+len(ceilings))
	for _, a := range pre {
		list = append(list, logic.Sum{Constant: a.Weight, Terms: []logic.Term{{Place: uint32(a.Place), Coefficient: -1}}})
	}
	for _, a := range ceilings {
		list = append(list, logic.Sum{Constant: 1 - a.Weight, Terms: []logic.Term{{Place: uint32(a.Place), Coefficient: 1}}})
	}
	return list
}

// sumWork is about what a comparison of a cube takes, in bytes.
const sumWork = 128

// before returns the cube of the markings from which firing t leads into c. It is impossible if there is
// none at first sight. Numbers that get too large are an error.
func (s *Search) before(t petri.Transition, c Cube) (cube Cube, possible bool, err error) {
	if err := s.work.Charge(len(c) * sumWork); err != nil {
		return nil, false, err
	}
	list := s.enabling(t)
	for _, sum := range c {
		b, ok := s.after(t, sum)
		if !ok {
			return nil, false, ErrNotLinear
		}
		list = append(list, b)
	}
	cube, possible = normal(list)
	return cube, possible, nil
}

// negated returns the sum that is at most 0 where s is above 0.
func negated(s logic.Sum) (logic.Sum, bool) {
	n := logic.Sum{Terms: make([]logic.Term, len(s.Terms))}
	for i, t := range s.Terms {
		c, ok := arithmetic.Multiply(-1, t.Coefficient)
		if !ok {
			return logic.Sum{}, false
		}
		n.Terms[i] = logic.Term{Place: t.Place, Coefficient: c}
	}
	c, ok := arithmetic.Multiply(-1, s.Constant)
	if ok {
		n.Constant, ok = arithmetic.Add(1, c)
	}
	return n, ok
}

// reasons appends comparisons that hold in m and make p true, or with wanted false make it false. P must have
// that value in m. It reports false where numbers get too large.
func (s *Search) reasons(list []logic.Sum, p *logic.Predicate, m petri.Marking, wanted bool) ([]logic.Sum, bool) {
	switch p.Operator {
	case logic.True, logic.False:
		return list, true
	case logic.Not:
		return s.reasons(list, p.Operands[0], m, !wanted)
	case logic.And, logic.Or:
		if (p.Operator == logic.And) == wanted {
			ok := true
			for _, q := range p.Operands {
				if list, ok = s.reasons(list, q, m, wanted); !ok {
					return nil, false
				}
			}
			return list, true
		}
		i := slices.IndexFunc(p.Operands, func(q *logic.Predicate) bool { return s.holds(q, m) == wanted })
		return s.reasons(list, p.Operands[i], m, wanted)
	case logic.Equivalent:
		list, ok := s.reasons(list, p.Operands[0], m, s.holds(p.Operands[0], m))
		if !ok {
			return nil, false
		}
		return s.reasons(list, p.Operands[1], m, s.holds(p.Operands[1], m))
	}
	// A comparison: the sum is at most 0, or at least 0, or both, or above, or below.
	above, ok := negated(p.Sum)
	below := above // -sum ≤ 0, from which 1 is taken
	below.Constant--
	switch {
	case !ok:
		return nil, false
	case p.Operator == logic.AtMost && wanted:
		return append(list, p.Sum), true
	case p.Operator == logic.AtMost:
		return append(list, above), true
	case wanted:
		return append(list, p.Sum, below), true
	case contains(above, m):
		return append(list, above), true
	}
	under := p.Sum // sum + 1 ≤ 0
	under.Constant, ok = arithmetic.Add(under.Constant, 1)
	return append(list, under), ok
}
