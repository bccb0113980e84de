package logic

import "strings"

// CTLOperator is what the root of a CTL formula says.
type CTLOperator uint8

// The operators of CTL. A path is maximal: it is infinite or ends in a deadlock,
// where EX is false, AX true, and EG f is what f is.
const (
	CTLState          CTLOperator = iota // the state predicate holds
	CTLNot                               // the one operand does not hold
	CTLAnd                               // all operands hold
	CTLOr                                // some operand holds
	CTLExistsNext                        // EX: some successor satisfies the operand
	CTLExistsFinally                     // EF: some path reaches the operand
	CTLExistsGlobally                    // EG: some maximal path satisfies it throughout
	CTLExistsUntil                       // E(a U b)
	CTLAllNext                           // AX: every successor satisfies the operand
	CTLAllFinally                        // AF: every maximal path reaches the operand
	CTLAllGlobally                       // AG: every reachable state satisfies it
	CTLAllUntil                          // A(a U b)
)

// CTL is a formula of computation tree logic over state predicates, as a tree.
type CTL struct {
	Operator  CTLOperator
	Operands  []*CTL     // Until: first what holds before, then what is reached
	Predicate *Predicate // CTLState
}

// NewCTL makes a formula from its operator and operands.
func NewCTL(operator CTLOperator, operands ...*CTL) *CTL {
	return &CTL{Operator: operator, Operands: operands}
}

// CTLOf makes the formula that says what p says.
func CTLOf(p *Predicate) *CTL { return &CTL{Operator: CTLState, Predicate: p} }

// MergeStates is f with every Boolean combination of state predicates merged
// into one predicate, and with the constants propagated, so that a formula
// without temporal operators becomes one CTLState. It shares subtrees with f.
func (f *CTL) MergeStates() *CTL {
	if f.Operator == CTLState {
		return f
	}
	operands := make([]*CTL, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = g.MergeStates()
	}
	switch f.Operator {
	case CTLNot:
		if g := operands[0]; g.Operator == CTLState {
			return CTLOf(negated(g.Predicate))
		} else if g.Operator == CTLNot {
			return g.Operands[0]
		}
	case CTLAnd, CTLOr:
		return mergeJunction(f.Operator, operands)
	case CTLExistsNext, CTLAllNext:
		// EX true and AX false are not constants: they tell a deadlock.
		if g := operands[0]; f.Operator == CTLExistsNext && g.isConstant(False) {
			return g
		} else if f.Operator == CTLAllNext && g.isConstant(True) {
			return g
		}
	default:
		// F, G and U of a constant are that constant, for U its second operand.
		if g := operands[len(operands)-1]; g.isConstant(True) || g.isConstant(False) {
			return g
		}
	}
	return &CTL{Operator: f.Operator, Operands: operands}
}

// mergeJunction flattens a conjunction or disjunction and gathers its states.
func mergeJunction(operator CTLOperator, operands []*CTL) *CTL {
	root, absorbing, neutral := And, False, True
	if operator == CTLOr {
		root, absorbing, neutral = Or, True, False
	}
	var states []*Predicate
	var rest []*CTL
	var gather func(f *CTL) bool
	gather = func(f *CTL) bool {
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
		case f.Operator == CTLState:
			states = append(states, f.Predicate)
		default:
			rest = append(rest, f)
		}
		return true
	}
	for _, f := range operands {
		if !gather(f) {
			return CTLOf(&Predicate{Operator: absorbing})
		}
	}
	switch {
	case len(states) == 1:
		rest = append([]*CTL{CTLOf(states[0])}, rest...)
	case len(states) > 1:
		rest = append([]*CTL{CTLOf(&Predicate{Operator: root, Operands: states})}, rest...)
	}
	switch len(rest) {
	case 0:
		return CTLOf(&Predicate{Operator: neutral})
	case 1:
		return rest[0]
	}
	return &CTL{Operator: operator, Operands: rest}
}

func (f *CTL) isConstant(o Operator) bool {
	return f.Operator == CTLState && f.Predicate.Operator == o
}

func negated(p *Predicate) *Predicate {
	switch p.Operator {
	case True:
		return &Predicate{Operator: False}
	case False:
		return &Predicate{Operator: True}
	case Not:
		return p.Operands[0]
	}
	return &Predicate{Operator: Not, Operands: []*Predicate{p}}
}

// Text writes f with its operators and, for each predicate, what state tells.
func (f *CTL) Text(state func(*Predicate) string) string {
	var b strings.Builder
	f.write(&b, state)
	return b.String()
}

var ctlPrefix = [...]string{
	CTLNot: "!", CTLExistsNext: "EX ", CTLExistsFinally: "EF ", CTLExistsGlobally: "EG ",
	CTLAllNext: "AX ", CTLAllFinally: "AF ", CTLAllGlobally: "AG ",
	CTLExistsUntil: "E", CTLAllUntil: "A",
}

func (f *CTL) write(b *strings.Builder, state func(*Predicate) string) {
	switch f.Operator {
	case CTLState:
		b.WriteString("(" + state(f.Predicate) + ")")
	case CTLAnd, CTLOr, CTLExistsUntil, CTLAllUntil:
		infix := " & "
		if f.Operator == CTLOr {
			infix = " | "
		} else if f.Operator != CTLAnd {
			b.WriteString(ctlPrefix[f.Operator])
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
		b.WriteString(ctlPrefix[f.Operator])
		f.Operands[0].write(b, state)
	}
}
