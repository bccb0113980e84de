package branching

import (
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// In a deadlock the only path is the marking itself. All operators but next treat it as repeated for
// ever, and next finds no next marking. So each formula of CTL has there the value of a state
// predicate:
//
//	formula                      its value in a deadlock
//	EF g, AF g, EG g, AG g       g
//	E[g U h], A[g U h]           h
//	EX g                         false
//	AX g                         true
//
// AG EF p, for example, comes to p: inside, EF p comes to p, and then AG p to p again. This helps
// with formulas that only say that a path exists. AG EF p implies nothing of a single run that goes
// on, as p may be reached on another one. But a run that ends in a deadlock without p refutes it.

// atDeadlock returns a state predicate that in each deadlock has the value of f, or if holds is
// false, the value of f's negation.
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

// unlessDead returns a predicate that holds in each marking in which f does, or if holds is false,
// f's negation. For AG EF p it is ¬dead ∨ p: outside of deadlocks it says nothing.
func unlessDead(f *ctl.Formula, holds bool) *logic.Predicate {
	alive := &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{{Operator: logic.Deadlocked}}}
	return (&logic.Predicate{Operator: logic.Or, Operands: []*logic.Predicate{alive, atDeadlock(f, holds)}}).Simplify()
}
