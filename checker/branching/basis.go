package branching

import (
	"pnmc/checker/properties"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// ctlBasis are the operators that remain once the others are expressed by them.
type ctlBasis uint8

const (
	basisState ctlBasis = iota
	basisNot
	basisAnd
	basisOr
	basisNext
	basisUntil
	basisGlobally
)

// node adds a node, and returns its number.
func (s *Search) node(n ctlNode) int32 {
	for _, o := range n.operands {
		n.temporal = n.temporal || s.nodes[o].temporal
	}
	n.temporal = n.temporal || n.operator >= basisNext
	s.nodes = append(s.nodes, n)
	return int32(len(s.nodes) - 1)
}

// not is the negation of a node.
func (s *Search) not(n int32) int32 {
	if s.nodes[n].operator == basisNot {
		return s.nodes[n].operands[0]
	}
	return s.node(ctlNode{operator: basisNot, operands: []int32{n}})
}

// add expresses f by the basis.
func (s *Search) add(f *ctl.Formula) int32 {
	if f.Operator == ctl.State {
		s.propositions = append(s.propositions, properties.Compile(s.kripke.Net(), f.Predicate))
		return s.node(ctlNode{operator: basisState, proposition: len(s.propositions) - 1, source: f})
	}
	operands := make([]int32, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = s.add(g)
	}
	unary := func(b ctlBasis, n int32) int32 { return s.node(ctlNode{operator: b, operands: []int32{n}}) }
	until := func(a, b int32) int32 { return s.node(ctlNode{operator: basisUntil, operands: []int32{a, b}}) }
	always := func() int32 {
		return s.add(ctl.Of(&logic.Predicate{Operator: logic.True}))
	}
	first := operands[0]
	switch f.Operator {
	case logic.Not:
		return s.not(first)
	case logic.And:
		return s.node(ctlNode{operator: basisAnd, operands: s.cheapestFirst(operands)})
	case logic.Or:
		return s.node(ctlNode{operator: basisOr, operands: s.cheapestFirst(operands)})
	case ctl.ExistsNext:
		return unary(basisNext, first)
	case ctl.AllNext:
		return s.not(unary(basisNext, s.not(first)))
	case ctl.ExistsFinally:
		return until(always(), first)
	case ctl.AllGlobally:
		return s.not(until(always(), s.not(first)))
	case ctl.ExistsGlobally:
		return unary(basisGlobally, first)
	case ctl.AllFinally:
		return s.not(unary(basisGlobally, s.not(first)))
	case ctl.ExistsUntil:
		return until(first, operands[1])
	}
	// A(a U b) fails where b can be avoided until a fails too, or for ever.
	notB := s.not(operands[1])
	neither := s.node(ctlNode{operator: basisAnd, operands: s.cheapestFirst([]int32{s.not(first), notB})})
	return s.not(s.node(ctlNode{operator: basisOr, operands: []int32{until(notB, neither), unary(basisGlobally, notB)}}))
}

// cheapestFirst puts operands without temporal operators first.
func (s *Search) cheapestFirst(operands []int32) []int32 {
	var sorted, rest []int32
	for _, o := range operands {
		if s.nodes[o].temporal {
			rest = append(rest, o)
		} else {
			sorted = append(sorted, o)
		}
	}
	return append(sorted, rest...)
}
