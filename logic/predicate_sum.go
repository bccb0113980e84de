package logic

import "strings"

// ParseSum reads a number over markings: a sum of places, each perhaps with a
// constant factor, such as p1 + 2*p2 or tokens(p, q) - 1. An error is a *SyntaxError.
func ParseSum(text string, v Vocabulary) (Sum, error) {
	if places := wholePlaces(text, v); len(places) > 0 {
		m, err := marked(places)
		if err != nil {
			return Sum{}, err
		}
		for i := range m.Sum.Terms {
			m.Sum.Terms[i].Coefficient = -m.Sum.Terms[i].Coefficient
		}
		return Sum{Terms: m.Sum.Terms}, nil
	}
	l := &predicateLexer{text: text, vocabulary: v}
	tree, err := parseTree(l)
	if err != nil {
		return Sum{}, err
	}
	r := resolver{vocabulary: v}
	number, err := r.phraseValue(tree)
	if err != nil {
		return Sum{}, err
	}
	if !number.isNumber() {
		err := noNumber(tree.Pos)
		if strings.TrimSpace(text) == "deadlock" && v.Places("deadlock") != nil {
			err = hiddenBy(err, "deadlock")
		}
		return Sum{}, err
	}
	p, err := compare(number, AtMost)
	if err != nil {
		return Sum{}, err
	}
	return p.Sum, nil
}
