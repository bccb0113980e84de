package branching

import (
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// In a deadlock the only path is the marking itself, which all operators but next repeat: EF g,
// AF g, EG g and AG g hold if g does, both untils if their second operand does, EX g never, and
// AX g always. A formula of CTL then comes to a state predicate. This tells something of formulas that
// say of a path only that it exists: AG EF p implies nothing of any single run that goes on,
// but a run that ends in a deadlock without p refutes it.

// atDeadlock is the predicate to which f, or its negation, comes in deadlocks.
func atDeadlock(f *ctl.Formula, holds bool) *logic.Predicate {
	switch f.Operator {
	case ctl.State:
		return literal(f, holds).Predicate
	case logic.Not:
		return atDeadlock(f.Operands[0], !holds)
	}
	switch o := positive(f.Operator, holds); o {
	case ctl.ExistsNext:
		return &logic.Predicate{Operator: logic.False}
	case ctl.AllNext:
		return &logic.Predicate{Operator: logic.True}
	case logic.And, logic.Or:
		p := &logic.Predicate{Operator: o}
		for _, g := range f.Operands {
			p.Operands = append(p.Operands, atDeadlock(g, holds))
		}
		return p.Simplify()
	}
	return atDeadlock(f.Operands[len(f.Operands)-1], holds)
}

// unlessDead is a predicate that holds in each marking in which f does, or its negation: where
// nothing is enabled it is what that comes to there, elsewhere it is true.
func unlessDead(f *ctl.Formula, holds bool) *logic.Predicate {
	alive := &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{{Operator: logic.Deadlocked}}}
	return (&logic.Predicate{Operator: logic.Or, Operands: []*logic.Predicate{alive, atDeadlock(f, holds)}}).Simplify()
}
