package stateequation

import (
	"context"
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/clauses"
	"pnmc/logic"
)

// This file has a second search for a solution of the state equation that satisfies a predicate. It is for
// predicates with many disjunctions, above all for deadlocks: "each transition lacks some token" has one for
// each transition with several input places. The first search (search.go) tries their operands one by one,
// and forgets why a branch had no solution. This one learns it.
//
// The predicate becomes clauses, whose literals stand for bounds of forms, such as "p has no token"
// (literals.go). A solver finds truth values for them (package clauses). The simplex solves the equation
// with the bounds that are true. If it finds a contradiction, the certificate names the bounds that it takes.
// That not all of them hold is a new clause, and the solver goes on. Where clauses have no solution any
// more, no reachable marking satisfies the predicate.
//
// For example, t takes from a and b, u from b and c, and these three places have one token between them, as
// an invariant says. The clauses of a deadlock are a=0 ∨ b=0 and b=0 ∨ c=0. Say the solver makes b=0 true.
// The simplex finds a = 1, which is a solution. If v takes from a, and w from c, then a=0 and c=0 are clauses, too. With
// b=0 that contradicts the invariant, and the clause "not all of a=0, b=0 and c=0" is learned. Without b=0, a=0 and c=0
// suffice for t and u, b = 1 is a solution, and nothing is proven. With x that takes from b there is none.
//
// What this has of siphons. The places that lack tokens in a dead marking of a net without weights are a siphon: each
// transition that puts a token into it also takes from it. By Commoner's condition there is no
// deadlock if each siphon has a trap with tokens in it (Murata 1989, section VI). Here the solver goes through siphons.
// One is impossible because of a trap in it, or an invariant, or both together, and the clause that
// says so rules out many others.
//
// A literal that is false says nothing: "p has no token" may be false where p has none. That keeps small
// what the simplex is asked, and is best if clauses are about few places. But if each of n components is
// ruled out in k places, kⁿ clauses may be learned, one for each combination. So after some rounds, each
// bound gets its opposite: p=0 ∨ p≥1. Then "p≥1" rules the other k - 1 places of a component out by one
// short clause each.
//
// Why it is right. A reachable marking makes each clause true: those of the predicate if it satisfies that,
// those learned by the integer certificates of their contradictions, and p ≤ 3 ∨ p ≥ 4 always. So if the clauses
// have no solution, there is no such marking.

// The opposites of bounds are added in round exactRound. In each round at most mostContradictions are
// learned. The search gives up after maxRounds.
const (
	exactRound         = 32
	mostContradictions = 16
	maxRounds          = 3_000
)

// clauseSearch is one search. Of the refutation it has no list of disjunctions: these are clauses.
type clauseSearch struct {
	refutation
	predicate  *logic.Predicate
	round      int
	solver     *clauses.Solver
	conditions []condition // by variable of the solver
	variables  map[condition]clauses.Variable
	parts      map[part]literal          // literals of compound predicates
	owners     map[side]clauses.Variable // of the bounds that are set now
}

// side is the lower or the upper bound of a form.
type side struct {
	form  int32
	lower bool
}

// ContradictsByClauses reports what Contradicts does. It is better at predicates with many disjunctions, such as
// those about deadlocks. Asked again about the same p, it goes on where its context ended it.
func (e *Equation) ContradictsByClauses(ctx context.Context, p *logic.Predicate) bool {
	return e.contradictsByClauses(ctx, p, exactRound)
}

// contradictsByClauses adds opposites in the round exact.
func (e *Equation) contradictsByClauses(ctx context.Context, p *logic.Predicate, exact int) bool {
	e.begin() // no solutions are left
	s := e.begun
	if s == nil || s.predicate != p {
		s = &clauseSearch{
			refutation: refutation{equation: e, ctx: ctx}, predicate: p, solver: clauses.New(account.Of(ctx)),
			variables: make(map[condition]clauses.Variable), parts: make(map[part]literal), owners: make(map[side]clauses.Variable),
		}
		e.begun = nil
		if s.add(s.literal(p, true)); s.failed {
			return false // some clauses may be missing
		}
		e.begun = s
	}
	// What a search adds follows from what it has, so that it may end anywhere and go on later.
	s.ctx, s.failed = ctx, false
	s.solver.Charge(account.Of(ctx))
	for ; s.round < maxRounds && !s.failed; s.round++ {
		if s.round == exact {
			s.addOpposites()
		}
		found, err := s.solver.Solve()
		if s.failed || err != nil {
			return false
		}
		if !found {
			return true
		}
		if !s.refine() {
			return false
		}
	}
	return false
}

// addOpposites adds for each bound of a place that it holds, or its opposite.
func (s *clauseSearch) addOpposites() {
	for _, c := range slices.Clone(s.conditions) {
		switch {
		case c.form < 0 || int(c.form) >= s.equation.net.Places() || s.over(boundWork):
		case c.lower == minInfinite:
			s.add(s.condition(c.form, minInfinite, c.upper), s.condition(c.form, c.upper+1, maxInfinite))
		case c.upper == maxInfinite:
			s.add(s.condition(c.form, minInfinite, c.lower-1), s.condition(c.form, c.lower, maxInfinite))
		}
	}
}

// refine adds clauses that the present solution of the solver does not satisfy. It reports false if it
// knows none: then nothing is proven.
func (s *clauseSearch) refine() bool {
	e := s.equation
	for !s.failed {
		v, contradictions := s.check()
		switch {
		case v == impossible:
			for _, bounds := range contradictions {
				s.exclude(bounds)
			}
			return len(contradictions) > 0
		case v == gaveUp || account.Reason(s.ctx) != nil:
			return false
		}
		if p, low := s.fractional(); p >= 0 {
			f := int32(p)
			low -= e.initial[p]
			s.add(s.condition(f, minInfinite, low), s.condition(f, low+1, maxInfinite))
			return true
		}
		if !e.addTrap(s.ctx) {
			return false
		}
	}
	return false
}

// check solves the state equation with the bounds that are true. If that is impossible, it returns
// contradictions among them.
func (s *clauseSearch) check() (feasibility, [][]multiplier) {
	x := s.equation.simplex
	mark := x.mark()
	defer func() { x.undo(mark) }()
	clear(s.owners)
	for i, c := range s.conditions {
		v := clauses.Variable(i)
		if s.over(lookAtWork) {
			return gaveUp, nil
		}
		if c.form < 0 || !s.solver.True(v) {
			continue
		}
		if c.lower > x.forms[c.form].lower {
			s.owners[side{c.form, true}] = v
		}
		if c.upper < x.forms[c.form].upper {
			s.owners[side{c.form, false}] = v
		}
		x.bound(c.form, c.lower, c.upper)
	}
	v, row := x.check(s.ctx)
	if v != impossible {
		return v, nil
	}
	contradictions := x.contradictions(row)
	if len(contradictions) == 0 || s.equation.afresh && row >= 0 {
		contradictions = s.checkAfresh(row)
	}
	return impossible, contradictions
}

// checkAfresh looks for the contradiction of a row again, with the bounds of that row only, in a simplex that
// has made no pivots. There rounding errors of many pivots are gone.
func (s *clauseSearch) checkAfresh(row int32) [][]multiplier {
	x := s.equation.simplex
	bounds, ok := x.reasons(row)
	if !ok {
		return nil
	}
	fresh := newSimplex(x.columns)
	if x.absent != nil {
		fresh.leaveOut()
	}
	for _, m := range bounds {
		f := &x.forms[m.form]
		copied, _ := fresh.addForm(s.ctx, f.terms) // no column is basic yet, and so nothing looks
		if m.lower {
			fresh.bound(copied, f.lower, maxInfinite)
		} else {
			fresh.bound(copied, minInfinite, f.upper)
		}
	}
	v, r := fresh.check(s.ctx)
	if v != impossible {
		return nil
	}
	contradictions := fresh.contradictions(r)
	for _, list := range contradictions {
		for i := range list {
			list[i].form = bounds[list[i].form].form
		}
	}
	return contradictions
}

// exclude adds the clause that not all bounds of a contradiction hold. Those that no variable owns hold for good.
func (s *clauseSearch) exclude(bounds []multiplier) {
	var clause []clauses.Literal
	for _, m := range bounds {
		if v, ok := s.owners[side{m.form, m.lower}]; ok {
			clause = append(clause, clauses.Is(v).Not())
		}
	}
	s.solver.Add(clause...)
}

// contradictions returns the contradictions that rows show and integers confirm, that of r first.
func (s *simplex) contradictions(r int32) (list [][]multiplier) {
	if bounds, ok := s.contradiction(r); ok {
		list = append(list, bounds)
	}
	if r < 0 {
		return list
	}
	for i := range s.rows {
		b := s.rows[i].basic
		s.work += entryWork
		if len(list) >= mostContradictions || int32(i) == r || max(s.lower[b]-s.value[b], s.value[b]-s.upper[b]) <= epsilon {
			continue
		}
		s.work += entryWork * (len(s.rows[i].entries) + len(s.rows[i].cells))
		if up := s.value[b] < s.lower[b]; s.entering(int32(i), up, true) >= 0 || len(s.wanted(int32(i), up)) > 0 {
			continue
		}
		if bounds, ok := s.contradiction(int32(i)); ok {
			list = append(list, bounds)
		}
	}
	return list
}
