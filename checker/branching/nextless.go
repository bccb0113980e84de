package branching

import (
	"slices"

	"pnmc/logic"
	"pnmc/logic/ctl"
)

// This file derives from a formula of CTL what it implies without a look at next steps.
//
// Formulas without EX and AX cannot tell stuttering bisimilar markings apart, so that the net can be
// reduced much further for them. The reduced net may have a tenth of the places, where the formula
// itself is asked on all of them. So if what f implies is false there, f is false. If what ¬f
// implies is false, f is true.
//
// As in consequences.go only positive positions are weakened:
//
//	formula          implies
//	EX p             EF p
//	AX p             true; in a marking that goes on: EF p
//	AG AX p          true; in a marking that goes on: EF AG p
//	AG (p ∨ EX q)    AG (p ∨ EF q)
//	¬ E(p U AX q)    ¬ E(p U ¬ EF ¬q)
//
// In the last line the operands of a U that is negated are replaced by something stronger: by the
// negation of what their negation implies. ¬ AX q, which is EX ¬q, implies EF ¬q, so that ¬ EF ¬q
// implies AX q.

// WithoutNext returns a formula without EX and AX that holds in each marking where f holds, or with
// holds false, where f does not. goesOn says that the marking which is asked about is no deadlock.
// The result may be the constant true.
func WithoutNext(f *ctl.Formula, holds, goesOn bool) *ctl.Formula {
	n := nextless{claims: make(map[claim]*ctl.Formula)}
	if !goesOn {
		return n.implied(f, holds)
	}
	return n.here(f, holds)
}

// HasNext reports whether f looks at next steps.
func HasNext(f *ctl.Formula) bool {
	return f.Operator == ctl.ExistsNext || f.Operator == ctl.AllNext || slices.ContainsFunc(f.Operands, HasNext)
}

// nextless remembers what implied returned.
type nextless struct{ claims map[claim]*ctl.Formula }

// here returns what WithoutNext returns for a marking that is no deadlock.
func (n nextless) here(f *ctl.Formula, holds bool) *ctl.Formula {
	switch f.Operator {
	case logic.Not:
		return n.here(f.Operands[0], !holds)
	case logic.And, logic.Or:
		operands := make([]*ctl.Formula, len(f.Operands))
		for i, g := range f.Operands {
			operands[i] = n.here(g, holds)
		}
		return ctl.New(positive(f.Operator, holds), operands...)
	}
	switch positive(f.Operator, holds) {
	case ctl.AllNext: // some successor is there, and it is as all are
		return ctl.New(ctl.ExistsFinally, n.implied(f.Operands[0], holds))
	case ctl.AllGlobally:
		// In AG AX g all markings after the first have g.
		g, always := withoutNot(f.Operands[0], holds)
		if positive(g.Operator, always) == ctl.AllNext {
			return ctl.New(ctl.ExistsFinally, ctl.New(ctl.AllGlobally, n.implied(g.Operands[0], always)))
		}
	}
	return n.implied(f, holds)
}

// withoutNot takes negations off f, and returns whether what is left holds.
func withoutNot(f *ctl.Formula, holds bool) (g *ctl.Formula, value bool) {
	if f.Operator != logic.Not {
		return f, holds
	}
	return withoutNot(f.Operands[0], !holds)
}

// implied returns what WithoutNext returns for any marking.
func (n nextless) implied(f *ctl.Formula, holds bool) *ctl.Formula {
	asked := claim{f, holds}
	g, known := n.claims[asked]
	if !known {
		g = n.impliedBy(f, holds)
		n.claims[asked] = g
	}
	return g
}

// impliedBy computes what implied returns.
func (n nextless) impliedBy(f *ctl.Formula, holds bool) *ctl.Formula {
	switch f.Operator {
	case ctl.State:
		return literal(f, holds)
	case logic.Not:
		return n.implied(f.Operands[0], !holds)
	}
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = n.implied(g, holds)
	}
	switch o := positive(f.Operator, holds); o {
	case ctl.ExistsNext:
		return ctl.New(ctl.ExistsFinally, operands[0])
	case ctl.AllNext:
		return ctlConstant(true)
	case ctl.ExistsUntil, ctl.AllUntil:
		if holds {
			return ctl.New(o, operands...)
		}
		// The operands are what the negations of a and b imply, so their negations imply a and b.
		for i, g := range operands {
			operands[i] = ctl.New(logic.Not, g)
		}
		return ctl.New(logic.Not, ctl.New(f.Operator, operands...))
	default:
		return ctl.New(o, operands...)
	}
}
