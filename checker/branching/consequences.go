package branching

import (
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
)

// This file derives from a formula of CTL what it implies in simpler logics. Their engines can
// refute the formula where the formula itself is too hard: if a run violates what f implies for
// all runs, f does not hold. In the same way a run that violates what ¬f implies proves f.
//
// Two logics are simple enough: linear time (OnRuns), and combinations of EF p and AG p for state
// predicates p (OfReachability). Each function goes down the formula and replaces what the
// simpler logic cannot say by something weaker, in the worst case by true. For example
//
//	formula            of all runs                      of reachability
//	AG (p ∧ EF q)      G (p ∧ (¬dead ∨ q))              AG p ∧ EF q ∧ p
//	AF p               F p                              EF p
//	E(p U q)           (p ∨ q) ∧ (¬dead ∨ q)            EF q ∧ (p ∨ q)
//	¬ EF p             G ¬p                             AG ¬p ∧ ¬p
//
// with dead for "the marking is a deadlock". In the first line, EF q speaks of one path from each
// marking, so that a run that goes on says nothing of it. But a run that ends in a deadlock without q
// refutes it, and q must be reachable from the initial marking at least.
//
// Why it is right. Only positive positions are weakened. A parameter holds says whether a
// subformula is used as it is or negated. positive turns the operator of a negated one into its
// dual, so no negation is left above. Conjunction, disjunction, X, F, G, U and R keep an
// implication between operands, so that the whole is implied by induction over the formula.
//
// Before sharpens the result. With it, EX p implies a predicate over the present marking: what
// holds in every marking that has a successor with p.

// Consequences derives what formulas about a net imply.
type Consequences struct {
	// Before, unless nil, returns a predicate that holds in each marking of the net that has a
	// successor with p. It may return the constant true.
	Before func(p *logic.Predicate) *logic.Predicate
}

// consequences derives those of one formula, and remembers what now returned.
type consequences struct {
	Consequences
	nows map[claim]*logic.Predicate // by what now was asked
}

// claim is that a formula holds, or does not.
type claim struct {
	formula *ctl.Formula
	holds   bool
}

// of returns c for one formula, with nothing remembered yet.
func (c Consequences) of() consequences { return consequences{c, make(map[claim]*logic.Predicate)} }

// linearConsequences are those in linear time.
type linearConsequences struct {
	consequences
	formulas *ltl.Formulas
	atom     func(*logic.Predicate) *ltl.Formula
}

// OnRuns returns a formula of linear time. If f holds in a marking, all runs from there satisfy
// that formula; with holds false, all runs do if f does not hold. A run that ends in a deadlock
// repeats its last marking. atom returns the linear formula for a state predicate.
//
// Claims of f about some path are dropped. Two things are kept: its claims about the marking where
// the path begins, and its meaning if that marking is a deadlock (deadlocks.go). So the result may
// be the constant true, which no run violates. Clarke, Draghicescu, "Expressibility results for
// linear-time and branching-time logics" (1988) say when the result is equivalent to f.
func (c Consequences) OnRuns(f *ctl.Formula, holds bool, formulas *ltl.Formulas, atom func(*logic.Predicate) *ltl.Formula) *ltl.Formula {
	return linearConsequences{c.of(), formulas, atom}.onRuns(f, holds)
}

// onRuns goes down the formula. An operator over all paths is kept, as each run is one of them. Of an
// operator over some path there remains what it says of the present marking.
func (c linearConsequences) onRuns(f *ctl.Formula, holds bool) *ltl.Formula {
	s := c.formulas
	switch f.Operator {
	case ctl.State:
		if p := c.atom(f.Predicate); holds {
			return p
		} else {
			return s.Not(p)
		}
	case logic.Not:
		return c.onRuns(f.Operands[0], !holds)
	}
	operands := make([]*ltl.Formula, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = c.onRuns(g, holds)
	}
	first, last := operands[0], operands[len(operands)-1]
	switch positive(f.Operator, holds) {
	case logic.And:
		return s.And(operands...)
	case logic.Or:
		return s.Or(operands...)
	case ctl.AllNext: // true in a deadlock, where the run repeats its marking, which may lack first
		return s.Or(s.Next(first), c.atom(&logic.Predicate{Operator: logic.Deadlocked}))
	case ctl.AllFinally:
		return s.Finally(first)
	case ctl.AllGlobally:
		return s.Globally(first)
	case ctl.ExistsGlobally:
		return first
	case ctl.AllUntil:
		if !holds { // of E(a U b): b stays away until a fails, or for ever
			return s.Release(first, last)
		}
		return s.Until(first, last)
	case ctl.ExistsUntil:
		switch {
		case !holds: // of A(a U b): b does not hold here
			return last
		case last == s.False():
			return last
		}
		return s.And(s.Or(first, last), c.state(unlessDead(f, holds)))
	}
	if first == s.False() {
		return first // EX, EF
	}
	return c.state(&logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{c.now(f, holds), unlessDead(f, holds)}})
}

// state returns the formula for a state predicate, that of true being the constant.
func (c linearConsequences) state(p *logic.Predicate) *ltl.Formula {
	if p = p.Simplify(); p.Operator == logic.True {
		return c.formulas.True()
	}
	return c.atom(p)
}

// positive returns o if holds is set. Otherwise it returns the operator that a negated formula has
// once the negation is moved to the operands: ¬(p ∧ q) is ¬p ∨ ¬q. Until has no dual among the
// operators. For it the path quantifier changes, and the caller looks at holds to see that the
// operator is not really an until.
func positive(o ctl.Operator, holds bool) ctl.Operator {
	if holds {
		return o
	}
	switch o {
	case logic.And:
		return logic.Or
	case logic.Or:
		return logic.And
	case ctl.ExistsUntil:
		return ctl.AllUntil
	case ctl.AllUntil:
		return ctl.ExistsUntil
	}
	dual, _ := DualOf(o)
	return dual
}

// OfReachability returns a formula that holds in each marking where f holds, or with holds false,
// where f does not. It is a Boolean combination of state predicates p, EF p and AG p.
func (c Consequences) OfReachability(f *ctl.Formula, holds bool) *ctl.Formula {
	return c.of().ofReachability(f, holds)
}

// ofReachability goes down the formula. If f says something of a later marking, sometime turns
// that into "some marking is reachable with that". If AG g says something of every marking, now
// turns that into AG of a predicate that g implies.
func (c consequences) ofReachability(f *ctl.Formula, holds bool) *ctl.Formula {
	switch f.Operator {
	case ctl.State:
		return literal(f, holds)
	case logic.Not:
		return c.ofReachability(f.Operands[0], !holds)
	}
	all := func(of func(*ctl.Formula, bool) *ctl.Formula) []*ctl.Formula {
		list := make([]*ctl.Formula, len(f.Operands))
		for i, g := range f.Operands {
			list[i] = of(g, holds)
		}
		return list
	}
	last := f.Operands[len(f.Operands)-1]
	switch o := positive(f.Operator, holds); o {
	case logic.And, logic.Or:
		return ctl.New(o, all(c.ofReachability)...)
	case ctl.ExistsNext:
		return ctl.New(logic.And, ctl.Of(c.now(f, holds)), c.sometime(last, holds))
	case ctl.ExistsFinally, ctl.AllFinally:
		return c.sometime(last, holds)
	case ctl.ExistsGlobally:
		return c.ofReachability(last, holds)
	case ctl.AllGlobally:
		return ctl.New(logic.And, ctl.New(ctl.AllGlobally, ctl.Of(c.now(last, holds))), c.ofReachability(last, holds))
	case ctl.ExistsUntil, ctl.AllUntil:
		if !holds {
			return c.ofReachability(last, holds) // as the negation of b holds here
		}
		return ctl.New(logic.And, c.sometime(last, holds), ctl.New(logic.Or, all(c.ofReachability)...))
	}
	return ctlConstant(true)
}

// sometime returns what a marking satisfies from which a marking with f is reached, or with holds
// false, a marking without f. For p ∧ EF q that is EF p ∧ EF q: who reaches both reaches each.
func (c consequences) sometime(f *ctl.Formula, holds bool) *ctl.Formula {
	switch f.Operator {
	case ctl.State:
		return ctl.New(ctl.ExistsFinally, literal(f, holds))
	case logic.Not:
		return c.sometime(f.Operands[0], !holds)
	}
	last := f.Operands[len(f.Operands)-1]
	switch o := positive(f.Operator, holds); o {
	case logic.And, logic.Or:
		var list []*ctl.Formula
		if o == logic.And {
			list = append(list, ctl.New(ctl.ExistsFinally, ctl.Of(c.now(f, holds))))
		}
		for _, g := range f.Operands {
			list = append(list, c.sometime(g, holds))
		}
		return ctl.New(o, list...)
	case ctl.AllNext:
		return ctlConstant(true)
	}
	// Where a U b holds, b holds there or later. Where it does not, b does not hold right there.
	return c.sometime(last, holds)
}

// now returns a predicate that holds in each marking where f holds, or with holds false, where f
// does not. It is computed once for each claim.
func (c consequences) now(f *ctl.Formula, holds bool) *logic.Predicate {
	asked := claim{f, holds}
	if _, known := c.nows[asked]; !known {
		c.nows[asked] = c.nowOf(f, holds)
	}
	return c.nows[asked]
}

// nowOf computes what now returns. G says of the present marking what its operand says, and U that one
// of the two holds, or if negated, that the second does not. X looks one step ahead, by before. F says
// nothing.
func (c consequences) nowOf(f *ctl.Formula, holds bool) *logic.Predicate {
	switch f.Operator {
	case ctl.State:
		return literal(f, holds).Predicate
	case logic.Not:
		return c.now(f.Operands[0], !holds)
	}
	last := f.Operands[len(f.Operands)-1]
	o := positive(f.Operator, holds)
	switch o {
	case ctl.ExistsGlobally, ctl.AllGlobally:
		return c.now(last, holds)
	case ctl.ExistsUntil, ctl.AllUntil:
		if !holds {
			return c.now(last, holds)
		}
		o = logic.Or
	case logic.And, logic.Or:
	case ctl.ExistsNext, ctl.AllNext:
		return c.before(c.now(last, holds), o == ctl.AllNext)
	default:
		return &logic.Predicate{Operator: logic.True}
	}
	operands := make([]*logic.Predicate, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = c.now(g, holds)
	}
	return (&logic.Predicate{Operator: o, Operands: operands}).Simplify()
}

// before returns a predicate that holds where some successor has p, or with all set, where all
// have: a deadlock has none, so that all of its successors do.
func (c Consequences) before(p *logic.Predicate, all bool) *logic.Predicate {
	if c.Before == nil || p.Operator == logic.True {
		return &logic.Predicate{Operator: logic.True}
	}
	q := c.Before(p)
	if all {
		q = &logic.Predicate{Operator: logic.Or, Operands: []*logic.Predicate{q, {Operator: logic.Deadlocked}}}
	}
	return q.Simplify()
}

// literal returns the state formula f, or its negation.
func literal(f *ctl.Formula, holds bool) *ctl.Formula {
	if holds {
		return f
	}
	return ctl.Of(&logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{f.Predicate}})
}
