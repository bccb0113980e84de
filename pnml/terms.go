package pnml

import (
	"strconv"
	"unsafe"

	"github.com/beevik/etree"

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

// terms reads a term for a single colour of sort want, and returns one term for each class of the
// sort's domain. A successor or predecessor of a term adds to its number of steps, around the cycle
// of the class: in a class of four, the predecessor of x is x + 3, and its successor is x + 0 again.
func (s *scope) terms(e *etree.Element, want *sort) ([]symmetric.Term, bool) {
	if want == unknown {
		return nil, false
	}
	args := operands(e)
	if !s.visited(args) {
		return nil, false
	}
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
			if !ok || !roomFor(&s.meter, terms, len(part)) {
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
		if got := s.sort(args[0], ""); got != unknown && !s.same(got, want) {
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
	if want != nil && !s.same(v.sort, want) {
		s.add(s.at(e), "variable %s of sort %v, expected a term of sort %v", quote(v.name), v.sort, want)
		return nil, false
	}
	domain := v.sort.domain()
	if !s.room(len(domain) * termBytes) {
		return nil, false
	}
	first, known := s.first[v.id]
	if !known {
		if !roomFor(&s.meter, s.variables, len(domain)) || len(domain) > 1 && !s.room(len(domain)*(len(v.name)+4)) {
			return nil, false
		}
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
