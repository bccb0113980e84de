package pnml

import (
	"slices"
	"strconv"

	"github.com/beevik/etree"

	"pnmc/internal/arithmetic"
	"pnmc/petri/symmetric"
)

// maxMonomials bounds the monomials that all tuples of sums in a document multiply out to.
const maxMonomials = 1 << 20

// maxListed bounds the colours that all names of parts in a document stand for. A name takes a few
// bytes of text and may stand for a million colours; so many as this take some hundred megabytes.
const maxListed = 1 << 22

// multiset reads a term for a multiset over sort want, and returns sum with its monomials added. It
// adds none if there are findings, or if the multiset is empty. As all summands of a term are added to
// the same sum, none is copied from one level of the term to the next.
func (s *scope) multiset(sum symmetric.Expression, e *etree.Element, want *sort) symmetric.Expression {
	if s.full() || want == unknown {
		return sum
	}
	args := operands(e)
	if !s.visited(args) {
		return sum
	}
	first := len(sum) // of its monomials
	switch e.Tag {
	case "subterm", "structure":
		if !s.arity(e, args, 1) {
			return sum
		}
		return s.multiset(sum, args[0], want)
	case "empty":
		return sum
	case "add", "subtract":
		if len(args) == 0 {
			s.arity(e, args, 2)
		}
		for i, a := range args {
			next := len(sum)
			sum = s.multiset(sum, a, want)
			if i > 0 && e.Tag == "subtract" {
				sum = s.scale(e, sum, next, -1)
			}
		}
		return sum
	case "numberof", "scalarproduct":
		if len(args) == 1 && e.Tag == "numberof" { // the number is optional
			return s.multiset(sum, args[0], want)
		}
		if !s.arity(e, args, 2) {
			return sum
		}
		sum = s.multiset(sum, args[1], want)
		return s.scale(e, sum, first, s.number(args[0]))
	case "all":
		if !s.arity(e, args, 1) {
			return sum
		}
		if got := s.sort(args[0], ""); got != unknown && !s.same(got, want) {
			s.add(s.at(e), "<all> of sort %v, expected sort %v", got, want)
			return sum
		}
		width := want.width()
		if !s.room(width * termBytes) {
			return sum
		}
		m := symmetric.Monomial{Coefficient: 1}
		for range width {
			m.Terms = append(m.Terms, symmetric.Term{Kind: symmetric.All})
		}
		return s.append(sum, m)
	case "tuple":
		if len(args) == 1 && !want.product { // as some real files have it
			return s.multiset(sum, args[0], want)
		}
		return s.tuple(sum, e, args, want)
	case "useroperator":
		// The name of a part stands for all colours in it.
		if part, ok := s.elements[identifier(e, "declaration")]; ok && want.class == part.partition.class {
			return s.listedPart(sum, e, part)
		}
	}
	terms, ok := s.terms(e, want)
	if !ok {
		return sum
	}
	return s.append(sum, symmetric.Monomial{Coefficient: 1, Terms: terms})
}

// append adds monomials to a sum, if there is room for them.
func (s *scope) append(sum symmetric.Expression, monomials ...symmetric.Monomial) symmetric.Expression {
	if !roomFor(&s.meter, sum, len(monomials)) {
		return sum
	}
	return append(sum, monomials...)
}

// listedPart adds the colours in a part to a sum.
func (s *scope) listedPart(sum symmetric.Expression, e *etree.Element, part element) symmetric.Expression {
	colours := part.partition.listed(part.number, &s.meter)
	if s.listed += len(colours); s.listed > maxListed {
		s.add(s.at(e), "parts of partitions stand for more than %d colours in all, expected fewer", maxListed)
		return sum
	}
	if !roomFor(&s.meter, sum, len(colours)) || !s.room(len(colours)*termBytes) {
		return sum
	}
	sum = slices.Grow(sum, len(colours))
	terms := make([]symmetric.Term, len(colours))
	for i, colour := range colours {
		terms[i].Value = colour
		sum = append(sum, symmetric.Monomial{Coefficient: 1, Terms: terms[i : i+1 : i+1]})
	}
	return sum
}

// tuple multiplies out a tuple of multisets, and adds it to a sum: one monomial for each choice of a
// summand in each component, with the product of their coefficients. How many there are is known
// before any is made.
func (s *scope) tuple(sum symmetric.Expression, e *etree.Element, args []*etree.Element, want *sort) symmetric.Expression {
	if !want.product || len(want.components) != len(args) {
		s.add(s.at(e), "<tuple> of %d, expected a term of sort %v", len(args), want)
		return sum
	}
	factors, count := make([]symmetric.Expression, len(args)), 1
	for i, a := range args {
		factors[i] = s.multiset(nil, a, want.components[i])
		if n := len(factors[i]); n > 0 && count > (maxMonomials-s.monomials)/n {
			s.add(s.at(e), "tuples of sums multiply out to more than %d summands, expected fewer", maxMonomials)
			return sum
		}
		count *= len(factors[i])
	}
	if count > 1 {
		s.monomials += count
	}
	width := want.width()
	if s.full() || !roomFor(&s.meter, sum, count) || !s.room(count*width*termBytes) {
		return sum
	}
	sum = slices.Grow(sum, count)
	terms := make([]symmetric.Term, 0, count*width)
	for choice := range count {
		// The summands that are chosen are the digits of choice, that of the first component the most significant.
		first, coefficient := len(terms), int64(1)
		rest, unit := choice, count
		for _, factor := range factors {
			unit /= len(factor)
			chosen := &factor[rest/unit]
			rest %= unit
			var ok bool
			if coefficient, ok = arithmetic.Multiply(coefficient, chosen.Coefficient); !ok {
				s.add(s.at(e), "<tuple> of multisets has more than 2^63-1 tokens, expected fewer")
				return sum
			}
			terms = append(terms, chosen.Terms...)
		}
		sum = append(sum, symmetric.Monomial{Coefficient: coefficient, Terms: terms[first:len(terms):len(terms)]})
		if !s.room(choiceWork * len(factors)) {
			return sum
		}
	}
	return sum
}

// choiceWork is about the work of a component in a monomial of a tuple that is multiplied out.
const choiceWork = 10

// scale multiplies the coefficients of a sum from that monomial on, in place. Monomials with
// coefficient 0 are dropped.
func (s *scope) scale(e *etree.Element, sum symmetric.Expression, first int, factor int64) symmetric.Expression {
	kept := sum[:first]
	for _, m := range sum[first:] {
		var ok bool
		if m.Coefficient, ok = arithmetic.Multiply(m.Coefficient, factor); !ok {
			s.add(s.at(e), "<%s> has more than 2^63-1 tokens, expected fewer", e.Tag)
			return sum[:first]
		}
		if m.Coefficient != 0 {
			kept = append(kept, m)
		}
		if !s.room(scaleWork) {
			return sum[:first]
		}
	}
	return kept
}

// scaleWork is about the work of multiplying a coefficient.
const scaleWork = 4

// number reads the coefficient of a multiset.
func (s *scope) number(e *etree.Element) int64 {
	value := identifier(e, "value")
	number, err := strconv.ParseInt(value, 10, 64)
	if e.Tag != "numberconstant" || err != nil || number < 0 {
		s.add(s.at(e), "<%s> of value %s, expected <numberconstant> with an integer from 0 to 2^63-1", e.Tag, quote(value))
		return 1
	}
	return number
}
