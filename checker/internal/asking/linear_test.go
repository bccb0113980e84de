package asking

import (
	"context"
	"strconv"
	"testing"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// repeated is a question about a net of one place, whose formula has each of many predicates at many times.
func repeated() inquiry.Linear {
	asked := inquiry.Linear{Formulas: ltl.NewFormulas()}
	s := asked.Formulas
	var all []*ltl.Formula
	for i := range 1000 {
		all = append(all, s.Atom(strconv.Itoa(i)))
		asked.Predicates = append(asked.Predicates, &logic.Predicate{Operator: logic.AtMost,
			Sum: logic.Sum{Constant: -int64(i), Terms: []logic.Term{{Place: 0, Coefficient: 1}}}})
	}
	once := s.Or(all...)
	asked.Formula = once
	for range 300 {
		asked.Formula = s.Or(s.Globally(once), s.Or(append(all, s.Next(asked.Formula))...))
	}
	return asked
}

// TestLargeFormulasEndWithContext: while a formula of many operands is said over the nodes of the net, time
// is asked, and what is not whole is not asked.
func TestLargeFormulasEndWithContext(t *testing.T) {
	asked := repeated()
	r := &core.Task{Shared: core.NewShared(core.Settings{}, 0), Groups: rephrase.SameNodes(1, 0)}
	if l, err := linearWithin(account.EndsAfter(1000), r, asked); err != nil || l == nil {
		t.Fatalf("%v, %v", l, err)
	}
	for _, looks := range []int{0, 1, 5, 20} {
		ctx := account.EndsAfter(looks)
		if l, err := linearWithin(ctx, r, asked); err == nil || l != nil {
			t.Errorf("after %d looks: %v, %v", looks, l, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r.Whole = ctx
	if l := linearOf(r, asked); l != nil {
		t.Errorf("after the end: %v", l)
	}
}
