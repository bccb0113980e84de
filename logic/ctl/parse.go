package ctl

import (
	"io"

	"pnmc/internal/lazy"
	"pnmc/logic"
	"pnmc/logic/internal/reading"
)

// Parser reads formulas of CTL over the state predicates that ParsePredicate reads. EX
// EF EG AX AF AG stand before an operand. There are also E(… U …) and E[… U …], and the
// same with A, and with R, W and M for U. A pair binds as tightly as a negation does:
// EF p & q is (EF p) & q. U binds less than all connectives. The words not, and, or and
// xor may stand for connectives, and t? for fireable(t).
//
// A word is an operator only where an operand comes behind it, so that places may
// be called EF or U. What stands in quotes is the name of a place if there is one,
// and else a state predicate, as in LTL: AG "p1>=2".
type Parser struct {
	Vocabulary logic.Vocabulary
	// Defined gives opaque names a meaning; it comes before what the vocabulary says.
	Defined map[string]*logic.Predicate
	// Limit is that of reading formulas.
	Limit logic.Limit
	// Hidden is as that of logic.PredicateParser.
	Hidden func(place string)
}

// Parse reads a formula of CTL. An error is a *SyntaxError.
func Parse(text string, v logic.Vocabulary) (*Formula, error) {
	return Parser{Vocabulary: v}.Parse(text)
}

// Parse reads a formula. An error is a *SyntaxError, or a *LimitError. Boolean combinations of state
// predicates are one state predicate, so that a formula without temporal operators
// is a State.
func (p Parser) Parse(text string) (*Formula, error) {
	return reading.At(reading.WholeText, text, p.parseText)
}

// parseText parses a text, and makes a formula of the tree.
func (p Parser) parseText(text string) (*Formula, error) {
	tree, err := logic.BranchingParser(p).Parse(text)
	if err != nil {
		return nil, err
	}
	return formulaOf(tree), nil
}

// operatorOf are the operators by quantifier and operator as they are written.
var operatorOf = lazy.Value[map[string]Operator]{Make: func() map[string]Operator {
	return map[string]Operator{
		"!": logic.Not, "&": logic.And, "|": logic.Or,
		"EX": ExistsNext, "EF": ExistsFinally, "EG": ExistsGlobally, "EU": ExistsUntil,
		"AX": AllNext, "AF": AllFinally, "AG": AllGlobally, "AU": AllUntil,
	}
}}

// formulaOf returns the formula that was read.
func formulaOf(t *logic.Branching) *Formula {
	if t.Predicate != nil {
		return Of(t.Predicate)
	}
	operands := make([]*Formula, len(t.Operands))
	for i, o := range t.Operands {
		operands[i] = formulaOf(o)
	}
	return New(operatorOf.Get()[t.Quantifier+t.Operator], operands...)
}

// Named is a formula of a file.
type Named = reading.Named[*Formula]

// Read reads one formula a line, with p, from a file as ltl.Read describes it.
func Read(r io.Reader, file string, p Parser) ([]Named, error) {
	return reading.Formulas(r, file, p.Limit, p.parseText)
}
