package pnml

import (
	"strconv"
	"unsafe"

	"github.com/beevik/etree"

	"pnmc/internal/arithmetic"
	"pnmc/petri/symmetric"
)

// scope reads the terms of one transition and its arcs, or of a marking, and collects the variables
// that they use, in the order in which they occur.
//
// A term of PNML is a tree of additions, multiples, tuples and colours. An expression of a
// symmetric net is a flat sum of monomials: a coefficient and a tuple of colour terms. So reading a
// term multiplies it out. For example
//
//	2'(x, all) + 1'(red, y)           two monomials: 2·(x, all), 1·(red, y)
//	1'(x + red, y + blue)             four: (x, y), (x, blue), (red, y), (red, blue)
//
// Sums of tuples of sums can grow exponentially so; maxMonomials bounds them.
//
// Which sort a term must be of is always known here, as the place of an arc or marking has one. So
// a number can be read as a colour, and whatever does not fit the sort is a finding at its
// position.
type scope struct {
	*declarations
	variables []symmetric.VariableDeclaration
	first     map[string]int // index of a variable in variables, by identifier
	ground    bool           // variables are not allowed, as in an initial marking
}

// operands returns the terms under e: its children without the <subterm> around them. Some real
// files have two around a child.
func operands(e *etree.Element) []*etree.Element {
	var list []*etree.Element
	for _, child := range e.ChildElements() {
		list = append(list, flatten(child, "subterm", "structure")...)
	}
	return list
}

// visited asks for the work of reading an element with these operands, and reports whether to go on.
func (s *scope) visited(operands []*etree.Element) bool {
	return s.room(termWork + operandBytes*len(operands))
}

// arity reports whether e has the expected number of operands, and adds a finding if not.
func (s *scope) arity(e *etree.Element, operands []*etree.Element, expected int) bool {
	if len(operands) == expected {
		return true
	}
	s.add(s.at(e), "<%s> has %d operands, expected %d", e.Tag, len(operands), expected)
	return false
}

// What a term and a summand of an expression take.
const (
	termBytes     = int(unsafe.Sizeof(symmetric.Term{}))
	monomialBytes = int(unsafe.Sizeof(symmetric.Monomial{}))
)

// termWork is about the work of reading an element of a term, in nanoseconds.
const termWork = 300

// operandBytes is what a list of operands takes for each of them while it grows.
const operandBytes = 20

// maxMonomials bounds the monomials that all tuples of sums in a document multiply out to.
const maxMonomials = 1 << 20

// maxListed bounds the colours that all names of parts in a document stand for. A name takes a few
// bytes of text and may stand for a million colours; so many as this take some hundred megabytes.
const maxListed = 1 << 22

// multiset reads a term for a multiset over sort want. It returns nil if there are findings, or if
// the multiset is empty.
func (s *scope) multiset(e *etree.Element, want *sort) symmetric.Expression {
	if s.full() || want == unknown {
		return nil
	}
	args := operands(e)
	if !s.visited(args) {
		return nil
	}
	switch e.Tag {
	case "subterm", "structure":
		if !s.arity(e, args, 1) {
			return nil
		}
		return s.multiset(args[0], want)
	case "empty":
		return nil
	case "add", "subtract":
		if len(args) == 0 {
			s.arity(e, args, 2)
		}
		var sum symmetric.Expression
		for i, a := range args {
			part := s.multiset(a, want)
			if !roomFor(&s.meter, sum, len(part)) {
				return nil
			}
			if i > 0 && e.Tag == "subtract" {
				part = s.scale(e, part, -1)
			}
			sum = append(sum, part...)
		}
		return sum
	case "numberof", "scalarproduct":
		if len(args) == 1 && e.Tag == "numberof" { // the number is optional
			return s.multiset(args[0], want)
		}
		if !s.arity(e, args, 2) {
			return nil
		}
		return s.scale(e, s.multiset(args[1], want), s.number(args[0]))
	case "all":
		if !s.arity(e, args, 1) {
			return nil
		}
		if got := s.sort(args[0], ""); got != unknown && !got.same(want) {
			s.add(s.at(e), "<all> of sort %v, expected sort %v", got, want)
			return nil
		}
		m := symmetric.Monomial{Coefficient: 1}
		for range want.width() {
			m.Terms = append(m.Terms, symmetric.Term{Kind: symmetric.All})
		}
		return symmetric.Expression{m}
	case "tuple":
		if len(args) == 1 && !want.product { // as some real files have it
			return s.multiset(args[0], want)
		}
		return s.tuple(e, args, want)
	case "useroperator":
		// The name of a part stands for all colours in it.
		if part, ok := s.elements[identifier(e, "declaration")]; ok && want.class == part.partition.class {
			return s.listedPart(e, part)
		}
	}
	terms, ok := s.terms(e, want)
	if !ok {
		return nil
	}
	return symmetric.Expression{{Coefficient: 1, Terms: terms}}
}

// listedPart returns the sum of the colours in a part.
func (s *scope) listedPart(e *etree.Element, part element) symmetric.Expression {
	colours := part.partition.listed(part.number, &s.meter)
	if s.listed += len(colours); s.listed > maxListed {
		s.add(s.at(e), "parts of partitions stand for more than %d colours in all, expected fewer", maxListed)
		return nil
	}
	if !s.room(len(colours) * (monomialBytes + termBytes)) {
		return nil
	}
	sum, terms := make(symmetric.Expression, len(colours)), make([]symmetric.Term, len(colours))
	for i, colour := range colours {
		terms[i].Value = colour
		sum[i] = symmetric.Monomial{Coefficient: 1, Terms: terms[i : i+1 : i+1]}
	}
	return sum
}

// tuple multiplies out a tuple of multisets: one monomial for each choice of a summand in each
// component, with the product of their coefficients.
func (s *scope) tuple(e *etree.Element, args []*etree.Element, want *sort) symmetric.Expression {
	if !want.product || len(want.components) != len(args) {
		s.add(s.at(e), "<tuple> of %d, expected a term of sort %v", len(args), want)
		return nil
	}
	product := symmetric.Expression{{Coefficient: 1}}
	for i, a := range args {
		factor := s.multiset(a, want.components[i])
		if len(factor) > 0 && len(product) > (maxMonomials-s.monomials)/len(factor) {
			s.add(s.at(e), "tuples of sums multiply out to more than %d summands, expected fewer", maxMonomials)
			return nil
		}
		next := make(symmetric.Expression, 0, len(product)*len(factor))
		for _, x := range product {
			for _, y := range factor {
				coefficient, ok := arithmetic.Multiply(x.Coefficient, y.Coefficient)
				if !ok {
					s.add(s.at(e), "<tuple> of multisets has more than 2^63-1 tokens, expected fewer")
					return nil
				}
				terms := append(append([]symmetric.Term(nil), x.Terms...), y.Terms...)
				next = append(next, symmetric.Monomial{Coefficient: coefficient, Terms: terms})
			}
		}
		product = next
	}
	if len(product) > 1 {
		s.monomials += len(product)
	}
	return product
}

// scale multiplies the coefficients of a sum, in place. Monomials with coefficient 0 are dropped.
func (s *scope) scale(e *etree.Element, sum symmetric.Expression, factor int64) symmetric.Expression {
	kept := sum[:0]
	for _, m := range sum {
		var ok bool
		if m.Coefficient, ok = arithmetic.Multiply(m.Coefficient, factor); !ok {
			s.add(s.at(e), "<%s> has more than 2^63-1 tokens, expected fewer", e.Tag)
			return nil
		}
		if m.Coefficient != 0 {
			kept = append(kept, m)
		}
	}
	return kept
}

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

// terms reads a term for a single colour of sort want, and returns one term for each class of the
// sort's domain. A successor or predecessor of a term adds to its number of steps, around the cycle
// of the class: in a class of four, the predecessor of x is x + 3, and its successor is x + 0 again.
func (s *scope) terms(e *etree.Element, want *sort) ([]symmetric.Term, bool) {
	if want == unknown {
		return nil, false
	}
	args := operands(e)
	switch e.Tag {
	case "subterm", "structure":
		if !s.arity(e, args, 1) {
			return nil, false
		}
		return s.terms(args[0], want)
	case "tuple":
		if len(args) == 1 && !want.product {
			return s.terms(args[0], want)
		}
		if !want.product || len(want.components) != len(args) {
			break
		}
		var terms []symmetric.Term
		for i, a := range args {
			part, ok := s.terms(a, want.components[i])
			if !ok {
				return nil, false
			}
			terms = append(terms, part...)
		}
		return terms, true
	case "dotconstant":
		if want.class == nil && !want.product {
			return nil, true
		}
	case "variable":
		return s.variable(e, want)
	case "useroperator":
		id := identifier(e, "declaration")
		c, ok := s.constants[id]
		if _, part := s.elements[id]; part && !ok {
			s.add(s.at(e), "part %s of a partition, expected a term of sort %v", quote(id), want)
			return nil, false
		}
		if !ok {
			s.add(s.at(e), "constant %s is not declared, expected one of sort %v", quote(id), want)
			return nil, false
		}
		if want.class == c.class {
			return []symmetric.Term{{Value: c.value}}, true
		}
		s.add(s.at(e), "constant %s of sort %v, expected a term of sort %v", quote(id), &sort{class: c.class}, want)
		return nil, false
	case "finiteintrangeconstant", "numberconstant":
		return s.integer(e, args, want)
	case "successor", "predecessor":
		if want.class == nil {
			break
		}
		if !want.class.Cyclic {
			s.add(s.at(e), "<%s> in sort %v, expected a <cyclicenumeration>", e.Tag, want)
			return nil, false
		}
		if !s.arity(e, args, 1) {
			return nil, false
		}
		terms, ok := s.terms(args[0], want)
		if !ok {
			return nil, false
		}
		steps := int64(1)
		if e.Tag == "predecessor" {
			steps = want.class.Size - 1
		}
		terms[0].Value = (terms[0].Value + steps) % want.class.Size
		return terms, true
	}
	s.add(s.at(e), "<%s> where a term of sort %v was expected", e.Tag, want)
	return nil, false
}

// integer reads a constant of a range. Its value is counted from the range's start: 7 in 5..9 is 2.
func (s *scope) integer(e *etree.Element, args []*etree.Element, want *sort) ([]symmetric.Term, bool) {
	value, err := strconv.ParseInt(identifier(e, "value"), 10, 64)
	class := want.class
	if class == nil || class.Constants != nil || err != nil || value < class.Start || value >= class.Start+class.Size {
		s.add(s.at(e), "<%s> of value %s, expected a term of sort %v", e.Tag, quote(identifier(e, "value")), want)
		return nil, false
	}
	if e.Tag == "finiteintrangeconstant" && len(args) == 1 {
		if got := s.sort(args[0], ""); got != unknown && !got.same(want) {
			s.add(s.at(e), "constant of sort %v, expected sort %v", got, want)
			return nil, false
		}
	}
	return []symmetric.Term{{Value: value - class.Start}}, true
}

// variable reads a variable. One of a product sort stands for a tuple, and becomes a variable for each
// class of the domain: x of sort Client × Room becomes x.1 and x.2. The same x is the same later on.
func (s *scope) variable(e *etree.Element, want *sort) ([]symmetric.Term, bool) {
	v, ok := s.lookup(e)
	if !ok || v.sort == unknown {
		return nil, false
	}
	if want != nil && !v.sort.same(want) {
		s.add(s.at(e), "variable %s of sort %v, expected a term of sort %v", quote(v.name), v.sort, want)
		return nil, false
	}
	domain := v.sort.domain()
	first, known := s.first[v.id]
	if !known {
		first = len(s.variables)
		if s.first == nil {
			s.first = make(map[string]int)
		}
		s.first[v.id] = first
		for i, class := range domain {
			name := v.name
			if len(domain) > 1 {
				name += "." + strconv.Itoa(i+1)
			}
			s.variables = append(s.variables, symmetric.VariableDeclaration{Name: name, Class: class})
		}
	}
	terms := make([]symmetric.Term, len(domain))
	for i := range terms {
		terms[i] = symmetric.Term{Kind: symmetric.Variable, Variable: first + i}
	}
	return terms, true
}

// lookup finds the declaration of the variable that e refers to.
func (s *scope) lookup(e *etree.Element) (variable, bool) {
	id := identifier(e, "refvariable")
	v, ok := s.declarations.variables[id]
	switch {
	case s.ground:
		s.add(s.at(e), "variable %s in an initial marking, expected constants", quote(id))
		return v, false
	case !ok:
		s.add(s.at(e), "variable %s is not declared, expected the identifier of a <variabledecl>", quote(id))
	}
	return v, ok
}
