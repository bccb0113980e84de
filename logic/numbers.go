package logic

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/internal/arithmetic"
	"pnmc/logic/internal/reading"
)

// sum adds up numbers; a single summand may be a proposition.
//
// A number is a polynomial over places: a constant, terms of one place each, and products of
// sums. The functions below compute with them while they resolve the tree, so that predicates
// have no operators of arithmetic. For example, 2 * (p + 3) - q becomes the terms 2 p and -1 q
// and the constant 6: p + 3 first, then both parts times 2, then q times -1, added. Terms of the
// same place are not put together here.
//
// Each operation reports whether its numbers fit into 64 bits. One that does not is an error at
// its place in the text: a comparison of numbers that wrapped around would be silently wrong.
func (r *resolver) sum(s *sum) (value, error) {
	left, err := r.product(s.First)
	if err != nil || len(s.Rest) == 0 {
		return left, err
	}
	if !left.isNumber() {
		return value{}, r.hinted(noNumber(s.Pos), s.First)
	}
	left.terms, left.products = slices.Clone(left.terms), slices.Clone(left.products)
	most := fewTerms
	for _, summand := range s.Rest {
		right, err := r.product(summand.Operand)
		if err != nil {
			return value{}, err
		}
		if !right.isNumber() {
			return value{}, r.hinted(noNumber(summand.Operand.Pos), summand.Operand)
		}
		ok := true
		if summand.Sign == "-" {
			if err := r.room(right); err != nil {
				return value{}, err
			}
			right, ok = right.times(-1)
		}
		if ok {
			if err := r.roomBehind(left, right); err != nil {
				return value{}, err
			}
			left, ok = left.plus(right)
		}
		if !ok {
			return value{}, tooLarge(summand.Pos)
		}
		if left.terms, err = r.together(left.terms, &most); err != nil {
			return value{}, err
		}
	}
	left.at, left.isPlace = s.Pos, false
	return left, nil
}

// noNumber refuses a proposition in arithmetic.
func noNumber(at lexer.Position) error {
	return reading.ErrorAt(at, "a proposition stands where a number is expected")
}

// hinted returns err with a hint, if one of the operands that err is about is a word such as
// deadlock and there is a place of that name. Otherwise it returns err as it is.
func (r *resolver) hinted(err error, operands ...*product) error {
	for _, p := range operands {
		for _, f := range p.Factors {
			if f.Constant != "" && r.vocabulary.Places(f.Constant) != nil {
				return hiddenBy(err, f.Constant)
			}
		}
	}
	return err
}

// hiddenBy returns err with the hint how to name a place that is called like a proposition.
func hiddenBy(err error, place string) error {
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	told := *syntax
	told.Message += fmt.Sprintf("; for the place %q, which the word hides, write tokens(%[1]s)", place)
	return &told
}

// hide notes that a word or number stands for itself, not for a place, if some place has
// that name.
func (r *resolver) hide(word string) {
	if r.hidden != nil && r.vocabulary.Places(word) != nil {
		r.hidden(word)
	}
}

// hideNumbers hides, as hide does, the numbers of a sum that are neither multiplied nor
// in parentheses.
func (r *resolver) hideNumbers(s *sum) {
	alone := func(p *product) {
		if len(p.Factors) == 1 && p.Factors[0].Integer != "" {
			r.hide(p.Factors[0].Integer)
		}
	}
	alone(s.First)
	for _, summand := range s.Rest {
		alone(summand.Operand)
	}
}

// product multiplies numbers.
func (r *resolver) product(p *product) (value, error) {
	left, err := r.factor(p.Factors[0])
	if err != nil || len(p.Factors) == 1 {
		return left, err
	}
	for i, f := range p.Factors {
		right := left
		if i > 0 {
			if right, err = r.factor(f); err != nil {
				return value{}, err
			}
		}
		if !right.isNumber() {
			return value{}, r.hinted(noNumber(f.Pos), p)
		}
		if i == 0 {
			continue
		}
		if left, err = r.multiply(left, right, f.Pos); err != nil {
			return value{}, err
		}
	}
	left.at, left.isPlace = p.Pos, false
	return left, nil
}

// multiply returns left times right, which ends at a position.
func (r *resolver) multiply(left, right value, at lexer.Position) (value, error) {
	if err := r.room(left, right); err != nil {
		return value{}, err
	}
	ok := true
	switch {
	case left.isConstant():
		left, ok = right.times(left.constant)
	case right.isConstant():
		left, ok = left.times(right.constant)
	default:
		product, fits := left.polynomial().Times(right.polynomial())
		if !fits {
			return value{}, reading.ErrorAt(at, "the product of these sums is too large")
		}
		size := 1
		for _, p := range product.Products {
			size += p.size()
		}
		if err := r.limit.Charge(termBytes * size); err != nil {
			return value{}, err
		}
		left = value{constant: product.Sum.Constant, terms: product.Sum.Terms, products: product.Products}
	}
	if !ok {
		return value{}, tooLarge(at)
	}
	return left, nil
}

// termBytes is about what a term or a factor of a product takes.
const termBytes = 64

// factor applies signs.
func (r *resolver) factor(f *factor) (value, error) {
	v, err := r.atom(f)
	if err != nil {
		return value{}, err
	}
	v.at = f.Pos
	if len(f.Minuses) == 0 {
		return v, nil
	}
	if !v.isNumber() {
		return value{}, r.hinted(noNumber(f.Pos), &product{Factors: []*factor{f}})
	}
	v.isPlace = false
	if len(f.Minuses)%2 == 1 {
		if err := r.room(v); err != nil {
			return value{}, err
		}
		v, _ = v.times(-1)
	}
	return v, nil
}

// atom looks up what stands by itself.
func (r *resolver) atom(f *factor) (value, error) {
	switch {
	case f.Integer != "":
		n, err := strconv.ParseInt(f.Integer, 10, 64)
		if err != nil {
			return value{}, tooLarge(f.Pos)
		}
		return value{constant: n}, nil
	case f.Constant != "":
		r.hide(f.Constant)
		operator := map[string]Operator{"true": True, "false": False, "deadlock": Deadlocked}[f.Constant]
		return value{predicate: &Predicate{Operator: operator}}, nil
	case f.Call != nil && f.Call.Function == "fireable":
		return r.fireable(f.Call)
	case f.Call != nil:
		return r.tokens(f.Call)
	case f.Fireable != "":
		return r.fireable(&call{Names: []*name{f.Place}})
	case f.Place != nil:
		if meant, err := r.meaning(f.Place); meant != nil || err != nil {
			return value{predicate: meant}, err
		}
		terms, err := r.places(f.Place)
		return value{terms: terms, isPlace: true}, err
	case f.Paths != nil:
		return r.paths(f.Paths)
	default:
		return r.phraseValue(f.Group)
	}
}

// tokens returns the sum of the tokens of some places; one that is named twice counts twice.
func (r *resolver) tokens(c *call) (v value, err error) {
	most := fewTerms
	for _, n := range c.Names {
		places, err := r.places(n)
		if err != nil {
			return value{}, err
		}
		if err := r.roomBehind(v, value{terms: places}); err != nil {
			return value{}, err
		}
		if v.terms, err = r.together(append(v.terms, places...), &most); err != nil {
			return value{}, err
		}
	}
	return v, nil
}

// fireable returns the proposition that some transition called so is enabled.
func (r *resolver) fireable(c *call) (value, error) {
	var transitions NodeSet
	for _, n := range c.Names {
		text := n.identifier()
		if text == "" {
			return value{}, reading.ErrorAt(n.Pos, "an empty name; expected a transition")
		}
		found := r.vocabulary.Transitions(text)
		if found == nil {
			if r.vocabulary.Places(text) != nil {
				return value{}, reading.ErrorAt(n.Pos, "%q is a place; expected a transition", text)
			}
			return value{}, r.unknownName(n, "transition", r.vocabulary.TransitionNames)
		}
		if err := r.limit.Charge(lookedUp(text, found)); err != nil {
			return value{}, err
		}
		if err := transitions.Add(text, found, r.limit); err != nil {
			return value{}, err
		}
	}
	return value{predicate: &Predicate{Operator: Fireable, Transitions: transitions.Numbers()}}, nil
}

// copiesOfTerms is how often the terms of a name are copied until a comparison is made of it.
const copiesOfTerms = 4

// places returns the places called n, each once.
func (r *resolver) places(n *name) ([]Term, error) {
	text := n.identifier()
	if text == "" {
		return nil, reading.ErrorAt(n.Pos, "an empty name; expected a place")
	}
	places := r.vocabulary.Places(text)
	if places == nil {
		if r.vocabulary.Transitions(text) != nil {
			return nil, reading.ErrorAt(n.Pos, "%q is a transition; expected a place, or fireable(…)", text)
		}
		return nil, r.unknownName(n, "place", r.vocabulary.PlaceNames)
	}
	// A coloured place may stand for thousands. Sums and sides of a comparison copy the terms.
	if err := r.limit.Charge(lookedUp(text, places) + copiesOfTerms*termBytes*len(places)); err != nil {
		return nil, err
	}
	terms := make([]Term, len(places))
	for i, p := range places {
		terms[i] = Term{Place: p, Coefficient: 1}
	}
	return terms, nil
}

// unknownName returns the error that no node of this kind is called n, or that several
// are.
func (r *resolver) unknownName(n *name, kind string, candidates func() []string) error {
	e := reading.ErrorAt(n.Pos, "no %s %s", kind, reading.QuoteShort(n.identifier()))
	e.Unknown, e.Candidates = n.identifier(), candidates
	e.IsPlace, e.Limit = kind == "place", r.limit
	e.Ambiguity, _ = r.vocabulary.(Ambiguity)
	if err := r.limit.Charge(2 * lookedUp(n.identifier(), nil)); err != nil {
		return err
	}
	return e
}

// identifier returns the name without the mark of quotes.
func (n *name) identifier() string {
	if n.Text != "" && n.Text[0] == '"' {
		return n.Text[1:]
	}
	return n.Text
}

// times returns the number v times factor, and whether nothing exceeded 2^63-1.
func (v value) times(factor int64) (value, bool) {
	terms := make([]Term, len(v.terms))
	constant, ok := arithmetic.Multiply(v.constant, factor)
	for i, t := range v.terms {
		coefficient, fits := arithmetic.Multiply(t.Coefficient, factor)
		terms[i] = Term{t.Place, coefficient}
		ok = ok && fits
	}
	products := slices.Clone(v.products)
	for i := range products {
		coefficient, fits := arithmetic.Multiply(products[i].Coefficient, factor)
		products[i].Coefficient = coefficient
		ok = ok && fits
	}
	return value{at: v.at, constant: constant, terms: terms, products: products}, ok
}

// plus returns the sum of two numbers, and whether nothing exceeded 2^63-1. It may
// append to the terms and products of v.
func (v value) plus(w value) (value, bool) {
	constant, ok := arithmetic.Add(v.constant, w.constant)
	return value{at: v.at, constant: constant, terms: append(v.terms, w.terms...), products: append(v.products, w.products...)}, ok
}
