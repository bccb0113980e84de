package ctl

import (
	"strings"

	"pnmc/logic"
)

// Operator is what the root of a Formula says: Not, And or Or of package logic, or one of
// these.
type Operator = logic.Operator

// The operators of CTL beside the Boolean ones. A path is maximal: it is infinite or ends
// in a deadlock, where EX is false, AX true, and EG f is what f is.
const (
	State          = logic.Further + iota // the state predicate holds
	ExistsNext                            // EX: some successor satisfies the operand
	ExistsFinally                         // EF: some path reaches the operand
	ExistsGlobally                        // EG: some maximal path satisfies it throughout
	ExistsUntil                           // E(a U b)
	AllNext                               // AX: every successor satisfies the operand
	AllFinally                            // AF: every maximal path reaches the operand
	AllGlobally                           // AG: every reachable state satisfies it
	AllUntil                              // A(a U b)
)

// Formula is a formula of computation tree logic over state predicates, as a tree.
type Formula struct {
	Operator  Operator
	Operands  []*Formula       // Until: first what holds before, then what is reached
	Predicate *logic.Predicate // State
}

// New makes a formula from its operator and operands.
func New(operator Operator, operands ...*Formula) *Formula {
	return &Formula{Operator: operator, Operands: operands}
}

// Of makes a formula with the meaning of p.
func Of(p *logic.Predicate) *Formula { return &Formula{Operator: State, Predicate: p} }

// MergeStates returns f with every Boolean combination of state predicates merged
// into one predicate, and with the constants propagated, so that a formula
// without temporal operators becomes one State. It shares subtrees with f.
//
// For example, in AG(p & EF(q | true)) the disjunction is true, EF true is true, and p & true is
// p. So AG p is left, which is a question about single markings.
func (f *Formula) MergeStates() *Formula {
	if f.Operator == State {
		return f
	}
	operands := make([]*Formula, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = g.MergeStates()
	}
	switch f.Operator {
	case logic.Not:
		if g := operands[0]; g.Operator == State {
			return Of(negated(g.Predicate))
		} else if g.Operator == logic.Not {
			return g.Operands[0]
		}
	case logic.And, logic.Or:
		return mergeJunction(f.Operator, operands)
	case ExistsNext, AllNext:
		// EX true and AX false are not constants: they tell a deadlock.
		if g := operands[0]; f.Operator == ExistsNext && g.isConstant(logic.False) {
			return g
		} else if f.Operator == AllNext && g.isConstant(logic.True) {
			return g
		}
	default:
		// F, G and U of a constant are that constant, for U its second operand.
		if g := operands[len(operands)-1]; g.isConstant(logic.True) || g.isConstant(logic.False) {
			return g
		}
	}
	return &Formula{Operator: f.Operator, Operands: operands}
}

// mergeJunction flattens a conjunction or disjunction and gathers its states.
func mergeJunction(operator Operator, operands []*Formula) *Formula {
	root, absorbing, neutral := logic.And, logic.False, logic.True
	if operator == logic.Or {
		root, absorbing, neutral = logic.Or, logic.True, logic.False
	}
	var states []*logic.Predicate
	var rest []*Formula
	var gather func(f *Formula) bool
	gather = func(f *Formula) bool {
		switch {
		case f.Operator == operator:
			for _, g := range f.Operands {
				if !gather(g) {
					return false
				}
			}
		case f.isConstant(absorbing):
			return false
		case f.isConstant(neutral):
		case f.Operator == State:
			states = append(states, f.Predicate)
		default:
			rest = append(rest, f)
		}
		return true
	}
	for _, f := range operands {
		if !gather(f) {
			return Of(&logic.Predicate{Operator: absorbing})
		}
	}
	switch {
	case len(states) == 1:
		rest = append([]*Formula{Of(states[0])}, rest...)
	case len(states) > 1:
		rest = append([]*Formula{Of(&logic.Predicate{Operator: root, Operands: states})}, rest...)
	}
	switch len(rest) {
	case 0:
		return Of(&logic.Predicate{Operator: neutral})
	case 1:
		return rest[0]
	}
	return &Formula{Operator: operator, Operands: rest}
}

// EachPredicate calls visit with the predicate of each state formula in f.
func (f *Formula) EachPredicate(visit func(*logic.Predicate)) {
	if f.Operator == State {
		visit(f.Predicate)
	}
	for _, g := range f.Operands {
		g.EachPredicate(visit)
	}
}

// isConstant reports whether f is the constant o, which is logic.True or logic.False.
func (f *Formula) isConstant(o logic.Operator) bool {
	return f.Operator == State && f.Predicate.Operator == o
}

// negated returns the negation of p, without double negations and negated constants.
func negated(p *logic.Predicate) *logic.Predicate {
	switch p.Operator {
	case logic.True:
		return &logic.Predicate{Operator: logic.False}
	case logic.False:
		return &logic.Predicate{Operator: logic.True}
	case logic.Not:
		return p.Operands[0]
	}
	return &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{p}}
}

// Text writes f with its operators and, for each predicate, what state says.
func (f *Formula) Text(state func(*logic.Predicate) string) string {
	var b strings.Builder
	f.write(&b, state)
	return b.String()
}

var prefixOf = [...]string{
	logic.Not: "!", ExistsNext: "EX ", ExistsFinally: "EF ", ExistsGlobally: "EG ",
	AllNext: "AX ", AllFinally: "AF ", AllGlobally: "AG ",
	ExistsUntil: "E", AllUntil: "A",
}

// write appends the formula, with state predicates as state writes them, and parentheses around
// each binary operator.
func (f *Formula) write(b *strings.Builder, state func(*logic.Predicate) string) {
	switch f.Operator {
	case State:
		b.WriteString("(" + state(f.Predicate) + ")")
	case logic.And, logic.Or, ExistsUntil, AllUntil:
		infix := " & "
		if f.Operator == logic.Or {
			infix = " | "
		} else if f.Operator != logic.And {
			b.WriteString(prefixOf[f.Operator])
			infix = " U "
		}
		b.WriteString("(")
		for i, g := range f.Operands {
			if i > 0 {
				b.WriteString(infix)
			}
			g.write(b, state)
		}
		b.WriteString(")")
	default:
		b.WriteString(prefixOf[f.Operator])
		f.Operands[0].write(b, state)
	}
}
