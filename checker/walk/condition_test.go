package walk

import (
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// TestDistancesOfEquivalences compares the distances of predicates, equivalences among them, with
// what both ways of an equivalence cost by its definition.
func TestDistancesOfEquivalences(t *testing.T) {
	petritest.CheckMany(t, 2000, func(t *rapid.T) {
		net, _ := checkertest.AnyNet(t)
		c := NewCondition(checkertest.Goal(t, net, 4))
		b := newBoard(game(net))
		var naive func(i int32, wanted bool) int64
		naive = func(i int32, wanted bool) int64 {
			n := &c.nodes[i]
			if n.operator != logic.Equivalent {
				return c.estimate(b, i, wanted)
			}
			l, r := c.operands[n.first], c.operands[n.first+1]
			return min(far, naive(l, true)+naive(r, wanted), naive(l, false)+naive(r, !wanted))
		}
		for i := range int32(len(c.nodes)) {
			holds, fails := c.bothWays(b, i)
			if holds != naive(i, true) || fails != naive(i, false) {
				t.Fatalf("node %d of %+v: %d and %d, expected %d and %d", i, c.nodes, holds, fails, naive(i, true), naive(i, false))
			}
		}
	})
}

// TestNestedEquivalences: the distance of equivalences in equivalences is linear in their number. It
// was exponential, and a walk that asked for it never came back to its context.
func TestNestedEquivalences(t *testing.T) {
	net := petritest.Philosophers(3)
	p := &logic.Predicate{Operator: logic.False}
	for i := range 400 {
		q := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: -1, Terms: []logic.Term{{Place: uint32(i % net.Places()), Coefficient: 1}}}}
		p = &logic.Predicate{Operator: logic.Equivalent, Operands: []*logic.Predicate{p, q}}
	}
	c, b := NewCondition(p), newBoard(game(net))
	if d := c.distance(b); (d == 0) != c.HoldsIn(net, net.Initial()) {
		t.Errorf("distance %d", d)
	}
}
