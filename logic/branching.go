package logic

import (
	"strings"
)

// Branching is what a text of branching time says: a state predicate, a Boolean operator
// over such, or a temporal one behind a quantifier over paths. Package ctl makes its
// formulas of it.
type Branching struct {
	Predicate  *Predicate // of a leaf, which has nothing else
	Quantifier string     // E or A before a temporal operator, and else empty
	Operator   string     // one of ! & | without a quantifier, and one of X F G U with it
	Operands   []*Branching
}

// BranchingParser reads what PredicateParser does with quantifiers and temporal operators.
type BranchingParser struct {
	Vocabulary Vocabulary
	// Defined gives opaque names a meaning; it comes before what the vocabulary says.
	Defined map[string]*Predicate
	// Limit is that of reading formulas.
	Limit Limit
	// Hidden is as that of PredicateParser.
	Hidden func(place string)
}

// Parse reads a formula, in which W, R and M are written out with U, and <-> with the other
// operators. An error is a *SyntaxError or a *LimitError.
func (p BranchingParser) Parse(text string) (*Branching, error) {
	if d := p.Defined[strings.TrimSpace(text)]; d != nil {
		return &Branching{Predicate: d}, nil
	}
	if places, err := wholePlaces(text, p.Vocabulary, p.Limit); err != nil || len(places) > 0 {
		if err != nil {
			return nil, err
		}
		m, err := marked(places)
		return &Branching{Predicate: m}, err
	}
	l := &predicateLexer{text: text, vocabulary: p.Vocabulary, temporal: true, defined: p.Defined, limit: p.Limit}
	tree, err := parseTree(l)
	if err != nil {
		return nil, err
	}
	r := resolver{vocabulary: p.Vocabulary, temporal: true, defined: p.Defined, limit: p.Limit, hidden: p.Hidden}
	v, err := r.truthOf(r.phraseValue(tree))
	if err != nil {
		return nil, err
	}
	f, _ := v.formula()
	return f, nil
}
