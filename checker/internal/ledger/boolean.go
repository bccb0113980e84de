package ledger

import (
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/runs"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// Boolean is a Boolean combination of reachability atoms, with leaves that remain unknown for what
// is not one. Its value is that of Kleene's three-valued logic: a conjunction is false as soon as
// one operand is, true when all are, and otherwise unknown. So EF p ∧ AG AF q is false where p is
// unreachable, though nothing is known here of the leaf AG AF q.
type Boolean struct {
	operator ctl.Operator
	operands []*Boolean
	atom     *Atom // of a leaf; nil: unknown
}

// NewBoolean returns f as such a combination, and adds its atoms to atoms. EF of a state predicate
// p is the atom p, AG p the negation of the atom not p.
func NewBoolean(f *ctl.Formula, atoms *[]*Atom) *Boolean {
	leaf := func(goal *logic.Predicate) *Boolean {
		a := &Atom{Goal: goal.Simplify()}
		*atoms = append(*atoms, a)
		return &Boolean{operator: ctl.State, atom: a}
	}
	switch f.Operator {
	case logic.Not, logic.And, logic.Or:
		b := &Boolean{operator: f.Operator}
		for _, g := range f.Operands {
			b.operands = append(b.operands, NewBoolean(g, atoms))
		}
		return b
	case ctl.ExistsFinally:
		if g := f.Operands[0]; g.Operator == ctl.State {
			return leaf(g.Predicate)
		}
	case ctl.AllGlobally:
		if g := f.Operands[0]; g.Operator == ctl.State {
			return &Boolean{operator: logic.Not, operands: []*Boolean{leaf(rephrase.Not(g.Predicate))}}
		}
	}
	return &Boolean{operator: ctl.State}
}

// Complete reports whether b has no leaf but atoms, so that they decide its value.
func (b *Boolean) Complete() bool {
	for _, o := range b.operands {
		if !o.Complete() {
			return false
		}
	}
	return b.atom != nil || len(b.operands) > 0
}

// Value returns the truth as far as it is known, and the techniques that decided the atoms it rests
// on.
func (b *Boolean) Value() (runs.Truth, inquiry.Techniques) {
	switch b.operator {
	case logic.Not:
		value, by := b.operands[0].Value()
		return -value, by
	case logic.And, logic.Or:
		decisive := runs.No
		if b.operator == logic.Or {
			decisive = runs.Yes
		}
		result, all := -decisive, inquiry.Techniques(0)
		for _, o := range b.operands {
			value, by := o.Value()
			switch all |= by; value {
			case decisive:
				return decisive, by
			case runs.Unknown:
				result = runs.Unknown
			}
		}
		return result, all
	}
	switch {
	case b.atom == nil:
		return runs.Unknown, 0
	case b.atom.State == Reached:
		return runs.Yes, b.atom.techniques
	case b.atom.State == Unreachable:
		return runs.No, b.atom.techniques
	}
	return runs.Unknown, 0
}
