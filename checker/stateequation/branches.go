package stateequation

import (
	"pnmc/logic"
	"pnmc/petri"
)

// This file has the branches of a search: what is asserted in each, and how it is taken back.

// split reports whether each branch of pending disjunction i is refuted. It stops at the first that is
// not.
func (s *refutation) split(i, depth int) bool {
	d := s.pending[i]
	s.pending[i].split = true
	defer func() { s.pending[i].split = false }()
	branch := func(assert func() bool) bool { return s.branch(depth, assert) }
	p, net := d.predicate, s.equation.net
	switch p.Operator {
	case logic.And, logic.Or:
		for _, q := range p.Operands {
			if !branch(func() bool { return s.assert(q, d.wanted) }) {
				return false
			}
		}
		return true
	case logic.Equivalent:
		a, b := p.Operands[0], p.Operands[1]
		return branch(func() bool { return s.assert(a, true) && s.assert(b, d.wanted) }) &&
			branch(func() bool { return s.assert(a, false) && s.assert(b, !d.wanted) })
	case logic.Equal: // not equal
		return branch(func() bool { return s.atMost(p.Sum.Terms, p.Sum.Constant+1) }) &&
			branch(func() bool { return s.atLeast(p.Sum.Terms, p.Sum.Constant, 1) })
	case logic.Fireable:
		if !d.wanted {
			for _, a := range net.Pre(petri.Transition(p.Transitions[0])) {
				if !branch(func() bool { return s.placeAtMost(a.Place, a.Weight-1) }) {
					return false
				}
			}
			for _, a := range net.Ceilings(petri.Transition(p.Transitions[0])) {
				if !branch(func() bool {
					return s.atLeast([]logic.Term{{Place: uint32(a.Place), Coefficient: 1}}, 0, a.Weight)
				}) {
					return false
				}
			}
			return true
		}
		for _, t := range p.Transitions {
			if !branch(func() bool { return s.enable(petri.Transition(t)) }) {
				return false
			}
		}
		return true
	}
	for t := range petri.Transition(net.Transitions()) { // not Deadlocked
		if !branch(func() bool { return s.enable(t) }) {
			return false
		}
	}
	return true
}

// enable asserts that t has the tokens it needs. It reports false if that contradicts a
// bound. It leaves out the ceilings of t, which allows more solutions and so is safe.
func (s *refutation) enable(t petri.Transition) bool {
	for _, a := range s.equation.net.Pre(t) {
		if !s.bound([]logic.Term{{Place: uint32(a.Place), Coefficient: 1}}, a.Weight, maxInfinite) {
			return false
		}
	}
	return true
}

// splitPlace reports whether both sides of a fractional count are refuted: at most low tokens, and
// more.
func (s *refutation) splitPlace(p int, low int64, depth int) bool {
	term := []logic.Term{{Place: uint32(p), Coefficient: 1}}
	for _, side := range [][2]int64{{minInfinite, low}, {low + 1, maxInfinite}} {
		if !s.branch(depth, func() bool { return s.bound(term, side[0], side[1]) }) {
			return false
		}
	}
	return true
}

// branch reports whether there is no solution with what assert adds. The constraints and the list of
// disjunctions are then as they were.
func (s *refutation) branch(depth int, assert func() bool) bool {
	mark, pending := s.equation.simplex.mark(), len(s.pending)
	refuted := !assert()
	if s.failed {
		refuted = false
	} else if !refuted {
		refuted = s.refute(depth + 1)
	}
	s.equation.simplex.undo(mark)
	s.pending = s.pending[:pending]
	return refuted
}
