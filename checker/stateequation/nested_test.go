package stateequation

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// TestNestedEquivalences: whether a solution satisfies equivalences in equivalences is told in time
// linear in their number. It was exponential, and a refutation that asked never came back to its
// context. Of few of them it is what the definition says.
func TestNestedEquivalences(t *testing.T) {
	net := petritest.Philosophers(3)
	s := &refutation{equation: New(context.Background(), net), ctx: t.Context()}
	p := &logic.Predicate{Operator: logic.False}
	for i := range 400 { // each of them fails, and so both ways of the first operand are to be looked at
		q := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: -5, Terms: []logic.Term{{Place: uint32(i % net.Places()), Coefficient: 1}}}}
		p = &logic.Predicate{Operator: logic.Equivalent, Operands: []*logic.Predicate{p, q}}
	}
	if s.satisfied(p, true) || !s.satisfied(p, false) {
		t.Error("each of the equivalences fails")
	}

	var naive func(p *logic.Predicate, wanted bool) bool
	petritest.CheckMany(t, 2000, func(t *rapid.T) {
		net, _ := checkertest.AnyNet(t)
		s := &refutation{equation: New(context.Background(), net)}
		naive = func(p *logic.Predicate, wanted bool) bool {
			switch p.Operator {
			case logic.Not:
				return naive(p.Operands[0], !wanted)
			case logic.And, logic.Or:
				all := (p.Operator == logic.And) == wanted
				for _, q := range p.Operands {
					if naive(q, wanted) != all {
						return !all
					}
				}
				return all
			case logic.Equivalent:
				a, b := p.Operands[0], p.Operands[1]
				return naive(a, true) && naive(b, wanted) || naive(a, false) && naive(b, !wanted)
			}
			return s.satisfied(p, wanted)
		}
		p := checkertest.Goal(t, net, 4)
		for _, wanted := range []bool{true, false} {
			if got, want := s.satisfied(p, wanted), naive(p, wanted); got != want {
				t.Fatalf("%+v, %t: %t, expected %t", p, wanted, got, want)
			}
		}
	})
}
