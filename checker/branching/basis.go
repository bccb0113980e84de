package branching

import (
	"pnmc/checker/properties"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// Before a Search begins, it brings the formula down to few operators, so that only two of them
// need a search of markings: EU and EG. EX looks at successors, and the rest is Boolean.
//
//	AX p     = ¬ EX ¬p
//	EF p     = E(true U p)
//	AG p     = ¬ E(true U ¬p)
//	AF p     = ¬ EG ¬p
//	A(p U q) = ¬ (E(¬q U (¬p ∧ ¬q)) ∨ EG ¬q)
//
// These hold on maximal paths, which end in a deadlock or never end. EX p is false in a deadlock,
// so that AX p is true there. EG p holds in a deadlock with p, so that AF p fails in one without.
//
// The last line asks for the two ways in which p U q can fail on a path: q is avoided until p
// fails as well, or q is avoided to the end. Take the path with markings {p}, {p}, {}, {q}: at the
// third neither p nor q holds, and the first two avoid q. So it satisfies ¬q U (¬p ∧ ¬q), and
// p U q fails on it, though q comes later.
//
// Nodes are numbers into one slice, operands before the node that uses them. A subformula that
// occurs twice becomes two nodes. The size of the result is linear in that of the formula: where
// A(p U q) uses ¬q three times, it is the same node.

// ctlBasis is an operator of the basis, by which all others are expressed.
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

// node appends a node and returns its number. The node is temporal if its operator is, or if an
// operand is.
func (s *Search) node(n ctlNode) int32 {
	for _, o := range n.operands {
		n.temporal = n.temporal || s.nodes[o].temporal
	}
	n.temporal = n.temporal || n.operator >= basisNext
	s.nodes = append(s.nodes, n)
	return int32(len(s.nodes) - 1)
}

// not returns the negation of a node. The negation of a negation is the node that was negated.
func (s *Search) not(n int32) int32 {
	if s.nodes[n].operator == basisNot {
		return s.nodes[n].operands[0]
	}
	return s.node(ctlNode{operator: basisNot, operands: []int32{n}})
}

// add expresses f by the basis and returns the node that stands for it.
func (s *Search) add(f *ctl.Formula) int32 {
	if f.Operator == ctl.State {
		return s.state(f)
	}
	operands := make([]int32, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = s.add(g)
	}
	return s.expressed(f, operands)
}

// expressed expresses an operator by the basis, given the nodes that stand for its operands. It is apart from add, which
// goes ten thousand steps deep: of both together, a call took 4 kB of the stack.
//
//go:noinline
func (s *Search) expressed(f *ctl.Formula, operands []int32) int32 {
	unary := func(b ctlBasis, n int32) int32 { return s.node(ctlNode{operator: b, operands: []int32{n}}) }
	until := func(a, b int32) int32 { return s.node(ctlNode{operator: basisUntil, operands: []int32{a, b}}) }
	always := func() int32 { return s.state(ctl.Of(&logic.Predicate{Operator: logic.True})) }
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

// state returns the node of a state predicate.
//
//go:noinline
func (s *Search) state(f *ctl.Formula) int32 {
	s.propositions = append(s.propositions, properties.Compile(s.kripke.Net(), f.Predicate))
	return s.node(ctlNode{operator: basisState, proposition: len(s.propositions) - 1, source: f})
}

// cheapestFirst puts operands without temporal operators first. Evaluation goes from left to
// right and stops at the operand that decides: in p ∧ EG q, a marking without p needs no search.
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
