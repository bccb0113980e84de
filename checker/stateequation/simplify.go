package stateequation

import (
	"context"
	"fmt"
	"time"

	"pnmc/checker/internal/lanes"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// Simplifier replaces parts of predicates that the state equation proves true, or false, in all
// reachable markings. For example, where q never has a token, p ≥ 1 ∧ q ≥ 1 ∨ r ≥ 1 becomes r ≥ 1.
// It asks about comparisons and transitions one by one, not about combinations. If p and q never
// have a token at the same time, but each has one at times, the predicate stays as it is. It
// remembers the answers, as formulas of one file share comparisons and transitions.
type Simplifier struct {
	equation *Equation
	initial  petri.Marking
	each     time.Duration
	known    map[string]*logic.Predicate
}

// NewSimplifier returns a simplifier over the net of equation. The duration each bounds one
// question to the equation. With a nil equation it simplifies nothing.
func NewSimplifier(equation *Equation, each time.Duration) *Simplifier {
	s := &Simplifier{equation: equation, each: each, known: make(map[string]*logic.Predicate)}
	if equation != nil {
		s.initial = equation.net.Initial()
	}
	return s
}

// Simplify returns a predicate that holds in the same reachable markings as p. When ctx ends it
// returns early, with what it has.
func (s *Simplifier) Simplify(ctx context.Context, p *logic.Predicate) *logic.Predicate {
	if s.equation == nil || ctx.Err() != nil {
		return p
	}
	switch p.Operator {
	case logic.AtMost, logic.Equal, logic.Deadlocked:
		return s.leaf(ctx, p)
	case logic.Fireable:
		return s.fireable(ctx, p)
	case logic.True, logic.False, logic.PolynomialAtMost, logic.PolynomialEqual:
		return p // the equation knows nothing of products
	}
	q := &logic.Predicate{Operator: p.Operator, Operands: make([]*logic.Predicate, len(p.Operands))}
	for i, o := range p.Operands {
		q.Operands[i] = s.Simplify(ctx, o)
	}
	return q.Simplify()
}

// leaf returns True or False if p is proved constant, and p otherwise. If p is constant, its value
// is the one that it has in the initial marking. It is proved constant if the opposite contradicts
// the equation.
func (s *Simplifier) leaf(ctx context.Context, p *logic.Predicate) *logic.Predicate {
	key := fmt.Sprint(p.Operator, p.Sum, p.Transitions)
	if known, ok := s.known[key]; ok {
		return known
	}
	value := witness.Satisfies(s.equation.net, s.initial, p)
	opposite, constant := p, &logic.Predicate{Operator: logic.False}
	if value {
		opposite = &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{p}}
		constant = &logic.Predicate{Operator: logic.True}
	}
	part, cancel := lanes.Sliced(ctx, s.each)
	defer cancel()
	contradicts := s.equation.Contradicts
	if p.Operator == logic.Deadlocked {
		contradicts = s.equation.ContradictsByClauses
	}
	result := p
	if contradicts(part, opposite) {
		result = constant
	}
	s.known[key] = result
	return result
}

// fireable leaves out transitions that are proven never to be enabled. If one is proven always
// enabled, the result is True.
func (s *Simplifier) fireable(ctx context.Context, p *logic.Predicate) *logic.Predicate {
	q := &logic.Predicate{Operator: logic.Fireable}
	for _, t := range p.Transitions {
		one := s.leaf(ctx, &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{t}})
		switch one.Operator {
		case logic.True:
			return one
		case logic.Fireable:
			q.Transitions = append(q.Transitions, t)
		}
	}
	if len(q.Transitions) == 0 {
		return &logic.Predicate{Operator: logic.False}
	}
	if len(q.Transitions) == 1 {
		return q
	}
	return s.leaf(ctx, q)
}
