package coloured

import (
	"strconv"
	"testing"

	"pnmc/checker/internal/runs"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// TestSufficientEndsWithContext: a formula of many operands is translated whole, or not at all.
func TestSufficientEndsWithContext(t *testing.T) {
	l := &runs.Question{Formulas: ltl.NewFormulas()}
	var all []*ltl.Formula
	for i := range 1000 {
		all = append(all, l.Formulas.Atom(strconv.Itoa(i)))
		l.Predicates = append(l.Predicates, &logic.Predicate{Operator: logic.AtMost,
			Sum: logic.Sum{Constant: -int64(i), Terms: []logic.Term{{Place: 0, Coefficient: 1}}}})
	}
	once := l.Formulas.Or(all...)
	l.Formula = once
	for range 300 {
		l.Formula = l.Formulas.Or(append(all, l.Formulas.Next(l.Formula))...)
	}
	s := &sufficient{newApproximation(meetings()), &logic.Predicate{Operator: logic.False}}
	if s.linear(account.EndsAfter(1000), l) == nil {
		t.Error("there is no translation where time is long")
	}
	for _, looks := range []int{0, 1, 5, 20} {
		if to := s.linear(account.EndsAfter(looks), l); to != nil {
			t.Errorf("after %d looks there is a translation of %d predicates", looks, len(to.Predicates))
		}
	}
}
