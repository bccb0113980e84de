package pnml

import (
	"unsafe"

	"github.com/beevik/etree"

	"pnmc/petri/symmetric"
)

// comparison says how an element of a guard becomes a comparison of a symmetric net, which has
// three operators only: equal, less, and at most. a > b is b < a, with the operands swapped, and a
// ≠ b is the negation of a = b.
type comparison struct {
	operator      symmetric.Operator
	swap, negated bool
}

var comparisons = map[string]comparison{
	"equality":           {operator: symmetric.Equal},
	"inequality":         {operator: symmetric.Equal, negated: true},
	"lessthan":           {operator: symmetric.Less},
	"lessthanorequal":    {operator: symmetric.AtMost},
	"greaterthan":        {operator: symmetric.Less, swap: true},
	"greaterthanorequal": {operator: symmetric.AtMost, swap: true},
	"ltp":                {operator: symmetric.Less},
	"gtp":                {operator: symmetric.Less, swap: true},
}

// never returns the guard that does not hold, the empty disjunction, and always the one that does, the
// empty conjunction. Both are starting points to which operands are added.
func never() *symmetric.Guard  { return &symmetric.Guard{Operator: symmetric.Or} }
func always() *symmetric.Guard { return &symmetric.Guard{Operator: symmetric.And} }

// negation returns the guard that holds where g does not.
func negation(g *symmetric.Guard) *symmetric.Guard {
	return &symmetric.Guard{Operator: symmetric.Not, Operands: []*symmetric.Guard{g}}
}

// guardBytes is what a guard takes, with the two places for it in a list of operands that grows.
const guardBytes = int(unsafe.Sizeof(symmetric.Guard{})) + 16

// guard reads a Boolean term. If something is wrong with it, there is a finding, and the guard
// never holds.
func (s *scope) guard(e *etree.Element) *symmetric.Guard {
	if s.full() {
		return never()
	}
	args := operands(e)
	if !s.room(guardBytes) || !s.visited(args) {
		return never()
	}
	switch e.Tag {
	case "subterm", "structure":
		if !s.arity(e, args, 1) {
			return never()
		}
		return s.guard(args[0])
	case "and", "or":
		g := always()
		if e.Tag == "or" {
			g = never()
		}
		if len(args) == 0 {
			s.arity(e, args, 2)
		}
		for _, a := range args {
			g.Operands = append(g.Operands, s.guard(a))
		}
		return g
	case "not":
		if !s.arity(e, args, 1) {
			return never()
		}
		return negation(s.guard(args[0]))
	case "imply":
		if !s.arity(e, args, 2) {
			return never()
		}
		return &symmetric.Guard{Operator: symmetric.Or,
			Operands: []*symmetric.Guard{negation(s.guard(args[0])), s.guard(args[1])}}
	case "booleanconstant":
		switch identifier(e, "value") {
		case "true":
			return always()
		case "false":
			return never()
		}
		s.add(s.at(e), "<booleanconstant> of value %s, expected \"true\" or \"false\"", quote(identifier(e, "value")))
		return never()
	}
	c, ok := comparisons[e.Tag]
	if !ok {
		s.add(s.at(e), "<%s> in a guard, expected <and>, <or>, <not>, <imply>, <booleanconstant> or a comparison", e.Tag)
		return never()
	}
	if !s.arity(e, args, 2) {
		return never()
	}
	if c.swap {
		args[0], args[1] = args[1], args[0]
	}
	g := s.compare(e, c.operator, args[0], args[1])
	if c.negated {
		return negation(g)
	}
	return g
}

// compare reads the comparison of two terms.
//
// To read a term one must know its sort: the number 3 may be a colour of any range. So one of the
// two sides has to tell the sort, by a variable or a constant of an enumeration, and the other is
// read as a term of that sort (infer). In x = 3 the left side shows it. In (x, 1) = (2, y) neither
// side does as a whole, but each component does on one of its sides. So tuples are compared
// component by component. A comparison of products becomes a conjunction of comparisons of classes,
// and only classes have an order.
func (s *scope) compare(e *etree.Element, operator symmetric.Operator, left, right *etree.Element) *symmetric.Guard {
	if !s.room(guardBytes + termWork) {
		return never()
	}
	if p, ok := s.partitionOf(left, right); !ok {
		return never()
	} else if p != nil {
		return &symmetric.Guard{Operator: operator, Left: s.part(left, p), Right: s.part(right, p)}
	}
	// Of tuples each component may tell its sort on another side.
	if a, b := operands(left), operands(right); operator == symmetric.Equal &&
		left.Tag == "tuple" && right.Tag == "tuple" && len(a) == len(b) && len(a) > 0 {
		g := always()
		for i := range a {
			g.Operands = append(g.Operands, s.compare(e, operator, a[i], b[i]))
		}
		return g
	}
	want := s.infer(left)
	if want == nil || left.Tag == "tuple" { // of one term, it may be of a product or not
		if other := s.infer(right); other != nil {
			want = other
		}
	}
	if want == nil {
		if !s.full() {
			s.add(s.at(e), "<%s> of terms whose sort is not known, expected a variable or a constant of an enumeration", e.Tag)
		}
		return never()
	}
	l, ok := s.terms(left, want)
	r, ok2 := s.terms(right, want)
	domain := want.domain()
	switch {
	case !ok || !ok2:
		return never()
	case operator != symmetric.Equal && len(domain) != 1:
		s.add(s.at(e), "<%s> of terms of sort %v, expected an ordered class", e.Tag, want)
		return never()
	case len(domain) == 1:
		return &symmetric.Guard{Operator: operator,
			Left: symmetric.Operand{Term: l[0], Class: domain[0]}, Right: symmetric.Operand{Term: r[0], Class: domain[0]}}
	}
	if !s.room(guardBytes * len(domain)) {
		return never()
	}
	g := always()
	for i, class := range domain {
		g.Operands = append(g.Operands, &symmetric.Guard{Operator: symmetric.Equal,
			Left: symmetric.Operand{Term: l[i], Class: class}, Right: symmetric.Operand{Term: r[i], Class: class}})
	}
	return g
}

// infer returns the sort of a term, or nil if the term alone does not say which one it is of.
func (s *scope) infer(e *etree.Element) *sort {
	args := operands(e)
	if !s.visited(args) {
		return nil
	}
	switch e.Tag {
	case "variable":
		return s.declarations.variables[identifier(e, "refvariable")].sort
	case "useroperator":
		if c, ok := s.constants[identifier(e, "declaration")]; ok {
			return &sort{class: c.class}
		}
	case "dotconstant":
		return dot
	case "subterm", "structure", "successor", "predecessor":
		if len(args) == 1 {
			return s.infer(args[0])
		}
	case "finiteintrangeconstant":
		if len(args) == 1 {
			return s.sort(args[0], "")
		}
	case "tuple":
		if len(args) == 1 {
			return s.infer(args[0])
		}
		product := &sort{product: true}
		for _, a := range args {
			component := s.infer(a)
			if component == nil {
				return nil
			}
			product.components = append(product.components, component)
		}
		return product
	}
	return nil
}

// partitionOf returns the partition by whose parts two terms are compared, or nil if colours are. It
// reports false if the partition is not known. Where clients are divided into children and adults, a
// guard may say that the part of x is adults, or that x and y are in the same part.
func (s *scope) partitionOf(terms ...*etree.Element) (*partition, bool) {
	for _, e := range terms {
		if e.Tag == "partitionelementof" {
			id := identifier(e, "refpartition")
			if p := s.partitions[id]; p != nil {
				return p, true
			}
			s.add(s.at(e), "partition %s is not declared, expected the identifier of a <partition>", quote(id))
			return nil, false
		}
	}
	return nil, true
}

// part reads a term for a part of a partition: the part that a colour is in, or
// a part by name.
func (s *scope) part(e *etree.Element, p *partition) symmetric.Operand {
	args := operands(e)
	if e.Tag == "partitionelementof" && s.partitions[identifier(e, "refpartition")] == p && s.arity(e, args, 1) {
		if terms, ok := s.terms(args[0], &sort{class: p.class}); ok {
			return symmetric.Operand{Term: terms[0], Class: p.class, Element: p.element}
		}
		return symmetric.Operand{}
	}
	if named, ok := s.elements[identifier(e, "declaration")]; ok && named.partition == p {
		return symmetric.Operand{Term: symmetric.Term{Value: named.number}, Class: p.class}
	}
	s.add(s.at(e), "<%s> where a part of the partition of %s was expected", e.Tag, quote(p.class.Name))
	return symmetric.Operand{}
}
