package diagram

import (
	"pnmc/checker/branching"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// negation returns a formula that holds where f does not, as a disjunction or an existential operator where there
// is one. Each formula has one negation, and is that of its negation, unless it is a negation itself. The negation of AU has one operand twice: where it
// was copied each time, negations would be exponential in the depth of f. As it is, they are linear in its size.
func (e *evaluation) negation(f *ctl.Formula) *ctl.Formula {
	if n, ok := e.negations[f]; ok {
		return n
	}
	n := e.newNegation(f)
	e.negations[f] = n
	if _, ok := e.negations[n]; !ok && f.Operator != logic.Not { // ¬g asks for the negation of g, which is not to be ¬g
		e.negations[n] = f
	}
	return n
}

// newNegation makes the negation of a formula that has none yet.
func (e *evaluation) newNegation(f *ctl.Formula) *ctl.Formula {
	switch f.Operator {
	case ctl.State:
		return ctl.Of(&logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{f.Predicate}})
	case logic.Not:
		return f.Operands[0]
	case ctl.ExistsUntil:
		return ctl.New(logic.Not, f)
	}
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = e.negation(g)
	}
	switch f.Operator {
	case logic.And:
		return ctl.New(logic.Or, operands...)
	case logic.Or:
		return ctl.New(logic.And, operands...)
	case ctl.AllUntil:
		// Either ¬b holds up to where neither does, or ¬b holds for ever.
		notHold, notReach := operands[0], operands[1]
		return ctl.New(logic.Or,
			ctl.New(ctl.ExistsUntil, notReach, ctl.New(logic.And, notReach, notHold)),
			ctl.New(ctl.ExistsGlobally, notReach))
	}
	dual, _ := branching.DualOf(f.Operator)
	return ctl.New(dual, operands...)
}
