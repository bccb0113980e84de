package logic

import (
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/logic/internal/reading"
)

// resolver makes a Predicate or a Branching formula of a syntax tree. It looks names
// up, separates numbers from propositions, and brings comparisons to their two forms.
//
// Numbers and propositions share a grammar, since (p + q) may begin a sum or stand for a
// proposition. So a part of the tree becomes a value, and its surroundings say which of the two
// it must be. p alone is a number in p + 1 <= q, and the proposition that p has a token in p & q
// (truth). Comparisons come down to two. p > 2 is 2 - p + 1 ≤ 0: > and < add one, since numbers
// are whole, and >= and > exchange the sides. p != 2 is the negation of p - 2 = 0.
type resolver struct {
	vocabulary Vocabulary
	temporal   bool                  // quotes may hold a whole proposition
	defined    map[string]*Predicate // opaque names, which come before the vocabulary's
	depth      int                   // of operators above the one being resolved
	limit      Limit
	hidden     func(place string) // or nil
}

// value is what a part of the tree means: a proposition if predicate is set, a
// formula with temporal operators if branching is, and a number otherwise.
type value struct {
	at        lexer.Position
	predicate *Predicate
	branching *Branching
	size      int // of branching as a tree
	constant  int64
	terms     []Term // in any order, with repetitions
	products  []Product
	isPlace   bool // the number is a place by itself, which may be asked for
}

// polynomial returns the number v.
func (v value) polynomial() Polynomial { return Polynomial{Sum{v.constant, v.terms}, v.products} }

// isConstant reports whether the number v has no places.
func (v value) isConstant() bool { return len(v.terms) == 0 && len(v.products) == 0 }

// isNumber reports whether v is neither true nor false.
func (v value) isNumber() bool { return v.predicate == nil && v.branching == nil }

// phrase resolves a tree without temporal operators that must be a proposition.
func (r *resolver) phrase(p *phrase) (*Predicate, error) {
	v, err := r.truthOf(r.phraseValue(p))
	return v.predicate, err
}

// truth returns v as a proposition or formula.
func (r *resolver) truth(v value) (value, error) {
	switch {
	case !v.isNumber():
		return v, nil
	case !v.isPlace:
		return value{}, reading.ErrorAt(v.at, "a number is no proposition; compare it with another, as in p + q >= 1")
	}
	v.terms = slices.Clone(v.terms)
	for i := range v.terms {
		v.terms[i].Coefficient = -1
	}
	p, err := r.compare(value{at: v.at, constant: 1, terms: v.terms}, AtMost)
	return value{at: v.at, predicate: p}, err
}

// marked returns the proposition that the places have a token together.
func marked(places []uint32) (*Predicate, error) {
	terms := make([]Term, len(places))
	for i, p := range places {
		terms[i] = Term{Place: p, Coefficient: -1}
	}
	return compare(value{constant: 1, terms: terms}, AtMost)
}

// phraseValue resolves a chain of -> and <->, from its right end.
func (r *resolver) phraseValue(p *phrase) (value, error) {
	if len(p.Rest) == 0 {
		return r.disjunction(p.First)
	}
	if err := r.nest(p.Pos, 2*len(p.Rest)); err != nil {
		return value{}, err
	}
	defer func() { r.depth -= 2 * len(p.Rest) }()
	var right value
	for i := len(p.Rest); i >= 0; i-- {
		operand := p.First
		if i > 0 {
			operand = p.Rest[i-1].Operand
		}
		left, err := r.truthOf(r.disjunction(operand))
		if err != nil {
			return value{}, err
		}
		switch {
		case i == len(p.Rest):
			right = left
		case p.Rest[i].Operator == "->":
			right = joined(Or, []value{contrary(left), right})
		default:
			if right, err = r.equivalent(p.Pos, left, right); err != nil {
				return value{}, err
			}
		}
	}
	right.at = p.Pos
	return right, nil
}

// nest enters levels more levels of the predicate or formula to be.
func (r *resolver) nest(at lexer.Position, levels int) error {
	r.depth += levels
	if r.depth > maximumDepth {
		return reading.ErrorAt(at, "operators nest more than %d deep", maximumDepth)
	}
	return nil
}

// exclusive returns the exclusive or of its operands, from left to right: each is the negation of
// an equivalence, which makes two levels.
func (r *resolver) exclusive(x *exclusive) (value, error) {
	levels := 2 * (len(x.Operands) - 1)
	if err := r.nest(x.Pos, levels); err != nil {
		return value{}, err
	}
	defer func() { r.depth -= levels }()
	all, single, err := truths(r, x.Operands, r.conjunction)
	if err != nil || all == nil {
		return single, err
	}
	left := all[0]
	for _, right := range all[1:] {
		if left, err = r.equivalent(x.Pos, left, right); err != nil {
			return value{}, err
		}
		left = contrary(left)
	}
	left.at = x.Pos
	return left, nil
}

// disjunction returns the disjunction of its operands. A single operand is returned as it is, a
// number included.
func (r *resolver) disjunction(d *disjunction) (value, error) {
	all, single, err := truths(r, d.Operands, r.exclusive)
	if err != nil || all == nil {
		return single, err
	}
	return joined(Or, all), nil
}

// conjunction returns the conjunction of its operands, likewise.
func (r *resolver) conjunction(c *conjunction) (value, error) {
	all, single, err := truths(r, c.Operands, r.negation)
	if err != nil || all == nil {
		return single, err
	}
	return joined(And, all), nil
}

// truths resolves operands by resolve: a single one to whatever it is, several to
// propositions or formulas.
func truths[T any](r *resolver, operands []T, resolve func(T) (value, error)) ([]value, value, error) {
	if len(operands) == 1 {
		v, err := resolve(operands[0])
		return nil, v, err
	}
	r.depth++ // every operand with operands comes to nest
	defer func() { r.depth-- }()
	all := make([]value, len(operands))
	for i, o := range operands {
		var err error
		if all[i], err = r.truthOf(resolve(o)); err != nil {
			return nil, value{}, err
		}
	}
	return all, value{}, nil
}

// negation returns an operand below its prefixes, which are negations and temporal operators. The
// innermost prefix is the last one.
func (r *resolver) negation(n *negation) (value, error) {
	if err := r.limit.Charge(reading.TreeBytes); err != nil {
		return value{}, err
	}
	if err := r.nest(n.Pos, len(n.Prefixes)); err != nil {
		return value{}, err
	}
	defer func() { r.depth -= len(n.Prefixes) }()
	v, err := r.comparison(n.Operand)
	if err != nil || len(n.Prefixes) == 0 {
		return v, err
	}
	if v, err = r.truth(v); err != nil {
		return value{}, err
	}
	for _, prefix := range slices.Backward(n.Prefixes) {
		if prefix == "!" {
			v = contrary(v)
		} else {
			v = temporal(prefix[:1], prefix[1:], v)
		}
	}
	v.at = n.Pos
	return v, nil
}

// negate returns the negation of p as it stands.
func negate(p *Predicate) *Predicate {
	return &Predicate{Operator: Not, Operands: []*Predicate{p}}
}

// comparison resolves a comparison of two numbers, or whether two propositions
// agree.
func (r *resolver) comparison(c *comparison) (value, error) {
	if c.Operator != "" && (c.Left.isGroup() || c.Right.isGroup()) {
		if err := r.nest(c.Pos, 2); err != nil {
			return value{}, err
		}
		defer func() { r.depth -= 2 }()
	}
	left, err := r.sum(c.Left)
	if err != nil || c.Operator == "" {
		return left, err
	}
	right, err := r.sum(c.Right)
	if err != nil {
		return value{}, err
	}
	if !left.isNumber() || !right.isNumber() {
		agree, err := r.agreement(c, left, right)
		return agree, r.hinted(err, c.Left.First, c.Right.First)
	}
	if left.isConstant() && right.isConstant() {
		r.hideNumbers(c.Left)
		r.hideNumbers(c.Right)
	}
	p, err := r.difference(c, left, right)
	return value{at: c.Pos, predicate: p}, err
}

// isGroup reports whether s is but parentheses, in which a proposition may be.
func (s *sum) isGroup() bool {
	if len(s.Rest) > 0 || len(s.First.Factors) != 1 {
		return false
	}
	f := s.First.Factors[0]
	return f.Group != nil || f.Paths != nil
}

// agreement returns whether two propositions agree (==) or differ (!=), as in fireable(t1) ==
// fireable(t2). Other comparisons have a meaning for numbers only.
func (r *resolver) agreement(c *comparison, left, right value) (value, error) {
	l, err := r.truth(left)
	if err != nil {
		return value{}, err
	}
	h, err := r.truth(right)
	if err != nil {
		return value{}, err
	}
	agree, err := r.equivalent(c.Pos, l, h)
	if err != nil {
		return value{}, err
	}
	agree.at = c.Pos
	switch c.Operator {
	case "==":
		return agree, nil
	case "!=":
		return contrary(agree), nil
	}
	return value{}, reading.ErrorAt(c.Pos, "propositions cannot be compared by %s", c.Operator)
}

// difference brings a comparison of numbers to Sum ≤ 0 or Sum = 0.
func (r *resolver) difference(c *comparison, left, right value) (*Predicate, error) {
	if err := r.room(left, right); err != nil {
		return nil, err
	}
	if c.Operator == ">=" || c.Operator == ">" {
		left, right = right, left
	}
	var ok bool
	if right, ok = right.times(-1); ok {
		left, ok = left.plus(right)
	}
	left.at = c.Pos
	if !ok {
		return nil, tooLarge(c.Pos)
	}
	switch c.Operator {
	case "==":
		return r.compare(left, Equal)
	case "!=":
		p, err := r.compare(left, Equal)
		if err != nil {
			return nil, err
		}
		return negate(p), nil
	case "<", ">":
		return r.below(left)
	}
	return r.compare(left, AtMost)
}

// below returns the predicate that v < 0, within the limit.
func (r *resolver) below(v value) (*Predicate, error) {
	if err := r.room(v, v); err != nil { // as compare
		return nil, err
	}
	p, ok := v.polynomial().Below()
	if !ok {
		return nil, tooLarge(v.at)
	}
	return p, nil
}

// compare returns the predicate that v ≤ 0 or v = 0, within the limit.
func (r *resolver) compare(v value, operator Operator) (*Predicate, error) {
	if err := r.room(v, v); err != nil { // a copy is sorted, and a normal form is made of it
		return nil, err
	}
	return compare(v, operator)
}

// compare returns the predicate that v ≤ 0 or v = 0.
func compare(v value, operator Operator) (*Predicate, error) {
	p, ok := v.polynomial().Compare(operator)
	if !ok {
		return nil, tooLarge(v.at)
	}
	return p, nil
}

// tooLarge returns the error for a number that int64 does not hold.
func tooLarge(at lexer.Position) error {
	return reading.ErrorAt(at, "a number here exceeds 2^63-1")
}
