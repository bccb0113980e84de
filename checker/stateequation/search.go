package stateequation

import (
	"context"
	"math"

	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
)

// This file searches for a solution of the state equation that satisfies a predicate, and reports
// whether there is none. Conjunctions of comparisons are linear constraints, and the simplex takes
// them as they are. Disjunctions are not. To try all their combinations at once would be hopeless:
// "no transition is enabled" is one disjunction for each transition with several input places.
//
// So disjunctions wait in a list, and the simplex solves the rest. If its solution satisfies all
// disjunctions that wait, none of them is split. Otherwise one that it violates is split: each of
// its operands is added by itself, and for each the search must show that there is no solution.
//
// For example, is there a deadlock with a ≥ 1? Let transition t need one token of a and one of b,
// and u one of c. That u is disabled is the constraint c ≤ 0 at once. That t is disabled waits: a ≤
// 0 or b ≤ 0. The simplex may find a = 1, b = 0, c = 0. Then t is disabled already, and nothing is
// split. If it finds a = 1, b = 1, c = 0, there are two branches. The one with a ≤ 0 contradicts a
// ≥ 1 at once. In the one with b ≤ 0, the simplex must show that there is no solution.
//
// Why it is right. Every marking that satisfies the predicate satisfies one operand of each
// disjunction, so that it is a solution in one of the branches. If all branches are refuted, there
// is none. What cannot be said linearly, as products of places, is left out: then there are more
// solutions, and less is refuted. After the budget is spent, nothing is proven.

// Contradicts reports whether p contradicts the state equation together with traps that stay
// marked, so that no reachable marking satisfies p. False proves nothing. It gives up after
// maxBranches linear programs, and when ctx ends.
func (e *Equation) Contradicts(ctx context.Context, p *logic.Predicate) bool {
	e.begin()
	s := &refutation{equation: e, ctx: ctx, budget: maxBranches}
	mark := e.simplex.mark()
	defer e.simplex.undo(mark)
	if !s.assert(p, true) {
		return !s.failed
	}
	if !s.refute(0) || s.failed {
		return false
	}
	e.solutions = nil // of branches that were refuted in the end
	return true
}

// maxBranches bounds the linear programs of one refutation, and maxBranchDepth the nesting of splits.
const (
	maxBranches    = 3_000
	maxBranchDepth = 200
)

// What it costs to look at a part of a predicate, to set a bound, and to put a disjunction on the
// list, in about nanoseconds.
const (
	lookAtWork   = 8
	boundWork    = 64
	postponeWork = 256
)

// refutation is one search. pending are the disjunctions that were asserted. They are a stack: a
// branch puts its own on top and takes them off again, so that however many branches lie in each
// other, none has a copy of the list.
type refutation struct {
	equation *Equation
	ctx      context.Context
	pending  []disjunction
	budget   int
	failed   bool // something could not be handled: prove nothing
}

// disjunction is a predicate that is to be true (wanted) or false (not wanted), and can become so
// in several ways. Each way is a branch of a split:
//
//	Or, wanted             an operand holds
//	And, not wanted        an operand fails
//	Equivalent             both hold or both fail; not wanted: one of them holds
//	Equal, not wanted      the sum is below, or above
//	Fireable, wanted       one of the transitions is enabled
//	Fireable, not wanted   of one transition: an input has too few tokens, or a place is at a ceiling
//	Deadlocked, not wanted one of all transitions is enabled
type disjunction struct {
	predicate *logic.Predicate
	wanted    bool
	split     bool // the present branch is in one of its operands
}

// over counts work, in about nanoseconds. It reports whether the search has failed, and lets it fail
// when its context, or the memory that this carries, ends.
func (s *refutation) over(work int) bool {
	s.equation.simplex.work += work
	if s.equation.simplex.isOver(s.ctx) {
		s.failed = true
	}
	return s.failed
}

// postpone puts a disjunction on the list.
func (s *refutation) postpone(p *logic.Predicate, wanted bool) {
	if !s.over(postponeWork) {
		s.pending = append(s.pending, disjunction{predicate: p, wanted: wanted})
	}
}

// assert adds p to the constraints, or with wanted false its negation. It reports false if a
// contradiction shows without the simplex: in p alone, or with bounds of the same form that hold
// already.
func (s *refutation) assert(p *logic.Predicate, wanted bool) bool {
	if s.over(lookAtWork) {
		return true
	}
	switch p.Operator {
	case logic.True, logic.False:
		return (p.Operator == logic.True) == wanted
	case logic.Not:
		return s.assert(p.Operands[0], !wanted)
	case logic.And, logic.Or:
		if (p.Operator == logic.And) == wanted {
			for _, q := range p.Operands {
				if !s.assert(q, wanted) {
					return false
				}
			}
			return true
		}
		s.postpone(p, wanted)
		return true
	case logic.PolynomialAtMost, logic.PolynomialEqual:
		return true // not linear: nothing is asserted, which refutes less
	case logic.AtMost:
		if wanted {
			return s.atMost(p.Sum.Terms, p.Sum.Constant)
		}
		return s.atLeast(p.Sum.Terms, p.Sum.Constant, 1)
	case logic.Equal:
		if wanted {
			return s.atMost(p.Sum.Terms, p.Sum.Constant) && s.atLeast(p.Sum.Terms, p.Sum.Constant, 0)
		}
		s.postpone(p, wanted)
		return true
	case logic.Fireable:
		if !wanted {
			for _, t := range p.Transitions {
				if !s.disable(petri.Transition(t)) {
					return false
				}
			}
			return true
		}
	case logic.Deadlocked:
		if wanted {
			for t := range petri.Transition(s.equation.net.Transitions()) {
				if !s.disable(t) {
					return false
				}
			}
			return true
		}
	}
	s.postpone(p, wanted)
	return true
}

// disable asserts that t is disabled: some input place has too few tokens, or some place has
// reached a ceiling of t. With one input place and no ceiling, that is a bound. Like the other
// assertions below, it reports false if the constraints have become contradictory.
func (s *refutation) disable(t petri.Transition) bool {
	pre := s.equation.net.Pre(t)
	switch {
	case s.failed:
		return true
	case len(s.equation.net.Ceilings(t)) > 0:
	case len(pre) == 0:
		return false
	case len(pre) == 1:
		return s.placeAtMost(pre[0].Place, pre[0].Weight-1)
	}
	s.postpone(&logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(t)}}, false)
	return true
}

// placeAtMost asserts that p has at most that many tokens. It reports what atMost does.
func (s *refutation) placeAtMost(p petri.Place, tokens int64) bool {
	return s.atMost([]logic.Term{{Place: uint32(p), Coefficient: 1}}, -tokens)
}

// atMost asserts constant + Σ terms ≤ 0. It reports false if that contradicts a bound.
func (s *refutation) atMost(terms []logic.Term, constant int64) bool {
	if len(terms) == 0 {
		return constant <= 0
	}
	if len(terms) == 1 && terms[0].Coefficient == -1 { // m ≥ constant
		return s.bound([]logic.Term{{Place: terms[0].Place, Coefficient: 1}}, constant, maxInfinite)
	}
	return s.bound(terms, minInfinite, -constant)
}

// atLeast asserts constant + Σ terms ≥ least. It reports false if that contradicts a
// bound.
func (s *refutation) atLeast(terms []logic.Term, constant, least int64) bool {
	if len(terms) == 0 {
		return constant >= least
	}
	if len(terms) == 1 && terms[0].Coefficient == -1 { // m ≤ constant - least
		return s.bound([]logic.Term{{Place: terms[0].Place, Coefficient: 1}}, minInfinite, constant-least)
	}
	return s.bound(terms, least-constant, maxInfinite)
}

// bound asserts lower ≤ Σ terms ≤ upper. It reports false if that contradicts a bound.
func (s *refutation) bound(terms []logic.Term, lower, upper int64) bool {
	if s.over(boundWork) {
		return true
	}
	f, initial, ok := s.equation.sumForm(s.ctx, terms)
	const large = 1 << 60
	if !ok || lower != minInfinite && (lower > large || lower < -large) || upper != maxInfinite && (upper > large || upper < -large) {
		s.failed = true
		return true
	}
	if lower != minInfinite {
		lower -= initial
	}
	if upper != maxInfinite {
		upper -= initial
	}
	s.equation.simplex.bound(f, lower, upper)
	form := &s.equation.simplex.forms[f]
	return form.lower <= form.upper
}

// refute reports whether the constraints and pending disjunctions have no
// solution, as far as integers certify it.
func (s *refutation) refute(depth int) bool {
	if s.failed {
		return false
	}
	e := s.equation
	for {
		if s.budget--; s.budget < 0 || depth > maxBranchDepth || account.Reason(s.ctx) != nil {
			return false
		}
		v, row := e.simplex.check(s.ctx)
		if v == gaveUp {
			return false
		}
		if v == impossible {
			return e.simplex.certifiedImpossible(row)
		}
		i := s.violated()
		if s.failed {
			return false
		}
		if i >= 0 {
			return s.split(i, depth)
		}
		if len(e.solutions) == 0 && e.kept > 0 {
			e.add() // in case that the search gives up: then there is no better one
		}
		if p, low := s.fractional(); p >= 0 {
			return s.splitPlace(p, low, depth)
		}
		if !e.addTrap(s.ctx) {
			e.keep(s.ctx, func() bool { return s.violated() < 0 && !s.failed })
			return false
		}
	}
}

// violated returns a pending disjunction that the solution does not satisfy, or -1. Among several it
// takes the one with fewest branches.
func (s *refutation) violated() int {
	best, fewest := -1, math.MaxInt
	for i, d := range s.pending {
		if d.split {
			continue
		}
		n := s.branches(d)
		if n >= fewest || s.satisfied(d.predicate, d.wanted) {
			continue
		}
		best, fewest = i, n
	}
	return best
}

// branches returns how many branches a split of d has, and at least 2.
func (s *refutation) branches(d disjunction) int {
	switch d.predicate.Operator {
	case logic.Fireable:
		if d.wanted {
			return len(d.predicate.Transitions)
		}
		t := petri.Transition(d.predicate.Transitions[0])
		return len(s.equation.net.Pre(t)) + len(s.equation.net.Ceilings(t))
	case logic.Deadlocked:
		return s.equation.net.Transitions()
	}
	return max(2, len(d.predicate.Operands))
}

// tolerance is how far a value of the solution may be from an integer and still be taken for it.
const tolerance = 1e-5

// satisfied reports whether p, or with wanted false its negation, holds in the present solution. What
// it says of a search that has failed means nothing.
func (s *refutation) satisfied(p *logic.Predicate, wanted bool) bool {
	if s.over(lookAtWork) {
		return false
	}
	switch p.Operator {
	case logic.True, logic.False:
		return (p.Operator == logic.True) == wanted
	case logic.Not:
		return s.satisfied(p.Operands[0], !wanted)
	case logic.And, logic.Or:
		all := (p.Operator == logic.And) == wanted
		for _, q := range p.Operands {
			if s.satisfied(q, wanted) != all {
				return !all
			}
		}
		return all
	case logic.PolynomialAtMost, logic.PolynomialEqual:
		return true // as assert has it
	case logic.Equivalent:
		holds, fails := s.bothWays(p)
		return wanted && holds || !wanted && fails
	case logic.AtMost, logic.Equal:
		v := float64(p.Sum.Constant)
		for _, t := range p.Sum.Terms {
			v += float64(t.Coefficient) * s.equation.estimate(t.Place)
		}
		switch {
		case p.Operator == logic.AtMost && wanted:
			return v <= tolerance
		case p.Operator == logic.AtMost:
			return v >= 1-tolerance
		case wanted:
			return math.Abs(v) <= tolerance
		}
		return math.Abs(v) >= 1-tolerance
	case logic.Fireable:
		for _, t := range p.Transitions {
			if s.enabled(petri.Transition(t), wanted) {
				return wanted
			}
		}
		return !wanted
	}
	for t := range petri.Transition(s.equation.net.Transitions()) { // Deadlocked
		if s.enabled(t, !wanted) {
			return !wanted
		}
	}
	return wanted
}

// bothWays reports whether p holds in the present solution, and whether its negation does: for
// fractions both may, or neither. An equivalence asks both of both of its operands: by two calls for
// each, nested ones would take exponential time.
func (s *refutation) bothWays(p *logic.Predicate) (holds, fails bool) {
	switch p.Operator {
	case logic.Not:
		fails, holds = s.bothWays(p.Operands[0])
		return holds, fails
	case logic.And, logic.Or:
		every, none := [2]bool{true, true}, [2]bool{true, true} // which ways all, or none, of the operands go
		for _, q := range p.Operands {
			h, f := s.bothWays(q)
			every[0], every[1] = every[0] && h, every[1] && f
			none[0], none[1] = none[0] && !h, none[1] && !f
		}
		if p.Operator == logic.And {
			return every[0], !none[1]
		}
		return !none[0], every[1]
	case logic.Equivalent:
		ah, af := s.bothWays(p.Operands[0])
		bh, bf := s.bothWays(p.Operands[1])
		return ah && bh || af && bf, ah && bf || af && bh
	}
	return s.satisfied(p, true), s.satisfied(p, false)
}

// enabled reports whether t is enabled in the solution. With wanted false, the question is whether
// t is disabled for certain: it counts as enabled unless a whole token is missing, or a ceiling is
// reached.
func (s *refutation) enabled(t petri.Transition, wanted bool) bool {
	if s.over(lookAtWork * (1 + len(s.equation.net.Pre(t)))) {
		return false
	}
	slack := tolerance
	if !wanted {
		slack = 1 - tolerance
	}
	for _, a := range s.equation.net.Pre(t) {
		if s.equation.estimate(uint32(a.Place)) < float64(a.Weight)-slack {
			return false
		}
	}
	for _, a := range s.equation.net.Ceilings(t) {
		if s.equation.estimate(uint32(a.Place)) > float64(a.Weight-1)+slack {
			return false
		}
	}
	return true
}

// fractional returns a place that has a fraction of a token in the solution, and the next integer
// below its count. The place is -1 if there is none. Places of 2^40 tokens or more are skipped.
func (s *refutation) fractional() (place int, low int64) {
	for p := range s.equation.initial {
		v := s.equation.estimate(uint32(p))
		if f := math.Floor(v + tolerance); v-f > tolerance && math.Abs(v) < 1<<40 {
			return p, int64(f)
		}
	}
	return -1, 0
}
