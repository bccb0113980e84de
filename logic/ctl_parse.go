package logic

import (
	"errors"
	"io"
	"strings"
)

// CTLParser reads formulas of CTL over the state predicates that ParsePredicate
// reads, with EX EF EG AX AF AG before an operand and E(… U …) or E[… U …], and the
// same with A and with R, W and M for U. A pair binds as tightly as a negation does:
// EF p & q is (EF p) & q. U binds less than all connectives. The words not, and, or
// and xor may stand for connectives, and t? for fireable(t).
//
// A word is an operator only where an operand comes behind it, so that places may
// be called EF or U. What stands in quotes is the name of a place if there is one,
// and else a state predicate, as in LTL: AG "p1>=2".
type CTLParser struct {
	Vocabulary Vocabulary
	// Defined gives opaque names a meaning; it comes before what the vocabulary says.
	Defined map[string]*Predicate
	// Limit is that of reading formulas.
	Limit Limit
}

// ParseCTL reads a formula of CTL. An error is a *SyntaxError.
func ParseCTL(text string, v Vocabulary) (*CTL, error) {
	return CTLParser{Vocabulary: v}.Parse(text)
}

// Parse reads a formula. An error is a *SyntaxError, or a *LimitError. Boolean combinations of state
// predicates are one state predicate, so that a formula without temporal operators
// is a CTLState.
func (p CTLParser) Parse(text string) (*CTL, error) {
	return p.parse(text, wholeText)
}

func (p CTLParser) parse(text string, o origin) (*CTL, error) {
	f, err := p.parseText(text)
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		return nil, o.shift(syntax)
	}
	return f, err
}

func (p CTLParser) parseText(text string) (*CTL, error) {
	tree, err := BranchingParser(p).Parse(text)
	if err != nil {
		return nil, err
	}
	return ctlFrom(tree), nil
}

// operatorOf are the operators by quantifier and operator as they are written.
var operatorOf = map[string]CTLOperator{
	"!": CTLNot, "&": CTLAnd, "|": CTLOr,
	"EX": CTLExistsNext, "EF": CTLExistsFinally, "EG": CTLExistsGlobally, "EU": CTLExistsUntil,
	"AX": CTLAllNext, "AF": CTLAllFinally, "AG": CTLAllGlobally, "AU": CTLAllUntil,
}

// ctlFrom is the formula that was read.
func ctlFrom(t *Branching) *CTL {
	if t.Predicate != nil {
		return CTLOf(t.Predicate)
	}
	operands := make([]*CTL, len(t.Operands))
	for i, o := range t.Operands {
		operands[i] = ctlFrom(o)
	}
	return NewCTL(operatorOf[t.Quantifier+t.Operator], operands...)
}

// NamedCTL is a formula of a file.
type NamedCTL struct {
	Name    string // empty if the line gives none
	Text    string // of the formula, as it is written
	Line    int    // from 1
	Formula *CTL
}

// ReadCTL reads one formula a line, with p, from a file as ReadFormulas describes it.
func ReadCTL(r io.Reader, file string, p CTLParser) ([]NamedCTL, error) {
	var found []NamedCTL
	err := eachFormula(r, file, p.Limit, func(l formulaLine, from origin) error {
		f, err := p.parse(l.source, from)
		if err == nil {
			found = append(found, NamedCTL{Name: l.name, Text: strings.TrimSpace(l.source), Line: l.number, Formula: f})
		}
		return err
	})
	return found, err
}
