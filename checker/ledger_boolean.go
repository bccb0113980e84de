package checker

import (
	"pnmc/checker/internal/rephrase"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// boolean is a Boolean combination of reachability atoms, with leaves that
// remain unknown for what is not one.
type boolean struct {
	operator ctl.Operator
	operands []*boolean
	atom     *atom // of a leaf; nil: unknown
}

// newBoolean collects the atoms of f: EF of a state predicate p is the atom p,
// AG p the negation of the atom not p.
func newBoolean(f *ctl.Formula, atoms *[]*atom) *boolean {
	leaf := func(goal *logic.Predicate) *boolean {
		a := &atom{goal: goal.Simplify()}
		*atoms = append(*atoms, a)
		return &boolean{operator: ctl.State, atom: a}
	}
	switch f.Operator {
	case logic.Not, logic.And, logic.Or:
		b := &boolean{operator: f.Operator}
		for _, g := range f.Operands {
			b.operands = append(b.operands, newBoolean(g, atoms))
		}
		return b
	case ctl.ExistsFinally:
		if g := f.Operands[0]; g.Operator == ctl.State {
			return leaf(g.Predicate)
		}
	case ctl.AllGlobally:
		if g := f.Operands[0]; g.Operator == ctl.State {
			return &boolean{operator: logic.Not, operands: []*boolean{leaf(rephrase.Not(g.Predicate))}}
		}
	}
	return &boolean{operator: ctl.State}
}

// complete reports whether the atoms decide all there is.
func (b *boolean) complete() bool {
	for _, o := range b.operands {
		if !o.complete() {
			return false
		}
	}
	return b.atom != nil || len(b.operands) > 0
}

// value is the truth as far as it is known, and what it rests on.
func (b *boolean) value() (truth, Techniques) {
	switch b.operator {
	case logic.Not:
		value, by := b.operands[0].value()
		return -value, by
	case logic.And, logic.Or:
		decisive := no
		if b.operator == logic.Or {
			decisive = yes
		}
		result, all := -decisive, Techniques(0)
		for _, o := range b.operands {
			value, by := o.value()
			switch all |= by; value {
			case decisive:
				return decisive, by
			case unknown:
				result = unknown
			}
		}
		return result, all
	}
	switch {
	case b.atom == nil:
		return unknown, 0
	case b.atom.state == reached:
		return yes, b.atom.techniques
	case b.atom.state == unreachable:
		return no, b.atom.techniques
	}
	return unknown, 0
}
