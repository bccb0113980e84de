package logic

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/logic/internal/reading"
)

// ParseSum reads a number over markings: a sum of places, each perhaps with a
// constant factor, such as p1 + 2*p2 or tokens(p, q) - 1. An error is a *SyntaxError.
func ParseSum(text string, v Vocabulary) (Sum, error) {
	return PredicateParser{Vocabulary: v}.ParseSum(text)
}

// ParseSum parses as the function of this name does. Numbers that are summands are reported as hidden
// places: what a bound adds to is rather a place.
func (p PredicateParser) ParseSum(text string) (Sum, error) {
	number, err := p.ParsePolynomial(text)
	if err == nil && len(number.Products) > 0 {
		return Sum{}, reading.ErrorAt(lexer.Position{Line: 1, Column: 1}, "a product of places, expected a sum of places, which constants may multiply")
	}
	return number.Sum, err
}

// ParsePolynomial reads a number as ParseSum does, products of places included.
func (p PredicateParser) ParsePolynomial(text string) (Polynomial, error) {
	v := p.Vocabulary
	places, err := wholePlaces(text, v, p.Limit)
	if err != nil {
		return Polynomial{}, err
	}
	if len(places) > 0 {
		m, err := marked(places)
		if err != nil {
			return Polynomial{}, err
		}
		for i := range m.Sum.Terms {
			m.Sum.Terms[i].Coefficient = -m.Sum.Terms[i].Coefficient
		}
		return Polynomial{Sum: Sum{Terms: m.Sum.Terms}}, nil
	}
	l := &predicateLexer{text: text, vocabulary: v, limit: p.Limit}
	tree, err := parseTree(l)
	if err != nil {
		return Polynomial{}, err
	}
	r := resolver{vocabulary: v, limit: p.Limit, hidden: p.Hidden}
	number, err := r.phraseValue(tree)
	if err != nil {
		return Polynomial{}, err
	}
	if !number.isNumber() {
		err := noNumber(tree.Pos)
		if word := strings.TrimSpace(text); words.Get()[word].value != "" && v.Places(word) != nil {
			err = hiddenBy(err, word)
		}
		return Polynomial{}, err
	}
	r.hideNumbers(tree.First.Operands[0].Operands[0].Operands[0].Operand.Left) // a number has one of each
	predicate, err := r.compare(number, AtMost)
	if err != nil {
		return Polynomial{}, err
	}
	return predicate.Polynomial(), nil
}
