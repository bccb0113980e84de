package branching

import (
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
)

// This file says what a formula of CTL implies in simpler logics, whose engines refute it
// where the formula is beyond reach: one run that violates what a formula implies of all
// runs shows that the formula does not hold.

// Consequences are what formulas about a net imply.
type Consequences struct {
	// Before, unless nil, gives a predicate that holds in each marking of the net which has a
	// successor with p; it may be true.
	Before func(p *logic.Predicate) *logic.Predicate
}

// consequences are those of one formula.
type consequences struct {
	Consequences
	nows map[claim]*logic.Predicate // what now gave
}

// claim is that a formula holds, or does not.
type claim struct {
	formula *ctl.Formula
	holds   bool
}

func (c Consequences) of() consequences { return consequences{c, make(map[claim]*logic.Predicate)} }

// linearConsequences are those in linear time.
type linearConsequences struct {
	consequences
	formulas *ltl.Formulas
	atom     func(*logic.Predicate) *ltl.Formula
}

// OnRuns is a formula of linear time that all runs from a marking satisfy in which f holds, or
// with holds false, in which it does not. Deadlocks repeat their marking, and atom gives a
// state predicate its formula. What f says of some path only is dropped but for what it
// says of the marking where the path begins, and of that marking if it is a deadlock, so that
// it can come to the constant true.
//
// By induction over f: what all paths satisfy each satisfies, and a disjunction of what holds
// on all paths holds on each (Clarke, Draghicescu, "Expressibility results for linear-time
// and branching-time logics", 1988, have when it is equivalent).
func (c Consequences) OnRuns(f *ctl.Formula, holds bool, formulas *ltl.Formulas, atom func(*logic.Predicate) *ltl.Formula) *ltl.Formula {
	return linearConsequences{c.of(), formulas, atom}.onRuns(f, holds)
}

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
	case ctl.AllNext: // that of a deadlock is true, and would repeat its marking
		return s.Or(s.Next(first), c.atom(&logic.Predicate{Operator: logic.Deadlocked}))
	case ctl.AllFinally:
		return s.Finally(first)
	case ctl.AllGlobally:
		return s.Globally(first)
	case ctl.ExistsGlobally:
		return first
	case ctl.AllUntil:
		if !holds { // of E(a U b): neither is there, unless b never comes
			return s.Release(first, last)
		}
		return s.Until(first, last)
	case ctl.ExistsUntil:
		switch {
		case !holds: // of A(a U b): b is not there
			return last
		case last == s.False():
			return last
		}
		return s.And(s.Or(first, last), c.atom(unlessDead(f, holds)))
	}
	if first == s.False() {
		return first // EX, EF
	}
	p := &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{c.now(f, holds), unlessDead(f, holds)}}
	if p = p.Simplify(); p.Operator != logic.True {
		return c.atom(p)
	}
	return s.True()
}

// positive is the operator of a formula that holds, or of its negation with the negation
// moved to the operands.
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
	return Dual[o]
}

// OfReachability is a combination of reachability that holds in a marking in which f does, or
// with holds false, does not: of EF p and AG p for state predicates p, and of predicates.
func (c Consequences) OfReachability(f *ctl.Formula, holds bool) *ctl.Formula {
	return c.of().ofReachability(f, holds)
}

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

// sometime is what f implies, or its negation, of the marking from which one is reached in
// which it holds.
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
	// Of an until that holds its second operand does at some time, and so does the negation
	// of the second of one that doesn't.
	return c.sometime(last, holds)
}

// now is a predicate that holds in each marking in which f does, or its negation.
func (c consequences) now(f *ctl.Formula, holds bool) *logic.Predicate {
	asked := claim{f, holds}
	if _, known := c.nows[asked]; !known {
		c.nows[asked] = c.nowOf(f, holds)
	}
	return c.nows[asked]
}

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

// before is a predicate that holds where some successor has p, or with all set, where all have.
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

// literal is a state formula or its negation.
func literal(f *ctl.Formula, holds bool) *ctl.Formula {
	if holds {
		return f
	}
	return ctl.Of(&logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{f.Predicate}})
}
