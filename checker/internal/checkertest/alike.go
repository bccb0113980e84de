package checkertest

import (
	"slices"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// Alike draws a state predicate that is the same for all copies of a component: about sums over them, or what is fireable in one of them.
//
// Now and then it draws another one, which tells them apart.
func Alike(t *rapid.T, c petritest.Copied) *logic.Predicate {
	if rapid.IntRange(0, 9).Draw(t, "apart") == 0 {
		return State(t, c.Net)
	}
	if len(c.Transitions) > 0 && rapid.Bool().Draw(t, "fireable") {
		p := &logic.Predicate{Operator: logic.Fireable}
		for _, u := range rapid.SampledFrom(c.Transitions).Draw(t, "transition") {
			p.Transitions = append(p.Transitions, uint32(u))
		}
		slices.Sort(p.Transitions)
		return p
	}
	s := logic.Sum{Constant: -rapid.Int64Range(0, 4).Draw(t, "constant")}
	for _, p := range rapid.SampledFrom(c.Places).Draw(t, "place") {
		s.Terms = append(s.Terms, logic.Term{Place: uint32(p), Coefficient: 1})
	}
	slices.SortFunc(s.Terms, func(a, b logic.Term) int { return int(a.Place) - int(b.Place) })
	return &logic.Predicate{Operator: rapid.SampledFrom([]logic.Operator{logic.AtMost, logic.Equal}).Draw(t, "operator"), Sum: s}
}

// AlikeCTL draws a formula of CTL over such predicates.
func AlikeCTL(t *rapid.T, c petritest.Copied, depth int) *ctl.Formula {
	return formula(t, func() *logic.Predicate { return Alike(t, c) }, depth)
}
