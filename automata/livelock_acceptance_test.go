package automata

import "testing"

// TestLivelockSets recognizes the condition of testing automata in several forms, and
// none that differs from it on some cycle.
func TestLivelockSets(t *testing.T) {
	literal := func(operator ConditionOperator, set int, negated bool) *Condition {
		return &Condition{Operator: operator, Set: set, Negated: negated}
	}
	inf := func(set int) *Condition { return literal(Inf, set, false) }
	fin := func(set int) *Condition { return literal(Fin, set, false) }
	and := func(operands ...*Condition) *Condition {
		return &Condition{Operator: ConditionAnd, Operands: operands}
	}
	or := func(operands ...*Condition) *Condition {
		return &Condition{Operator: ConditionOr, Operands: operands}
	}
	for _, c := range []struct {
		sets      int
		condition *Condition
		want      int // Büchi sets; 0: not recognized
	}{
		{3, LivelockAcceptance(1).Condition, 1},
		{3, and(or(inf(1), inf(0)), or(inf(0), fin(2))), 1},
		{4, or(and(inf(0), inf(1)), and(fin(3), inf(2))), 2},
		{3, or(inf(0), and(fin(1), inf(2))), 0},
		{4, LivelockAcceptance(1).Condition, 0},
		// On cycles of one edge these are the same, and on others they are not.
		{3, or(literal(Fin, 0, true), and(fin(2), inf(1))), 0},
		{3, or(inf(0), and(literal(Inf, 2, true), inf(1))), 0},
		{3, or(inf(0), and(fin(2), literal(Fin, 1, true))), 0},
	} {
		n, ok := Acceptance{Sets: c.sets, Condition: c.condition}.LivelockSets()
		if n != c.want || ok != (c.want > 0) {
			t.Errorf("%d sets, %v: got %d, %t, expected %d", c.sets, c.condition, n, ok, c.want)
		}
	}
}
