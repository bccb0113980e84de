package diagram

import (
	"testing"

	"pnmc/logic"
	"pnmc/logic/ctl"
)

// nodesOf counts the different nodes of a formula.
func nodesOf(f *ctl.Formula, seen map[*ctl.Formula]bool) int {
	if seen[f] {
		return 0
	}
	seen[f] = true
	n := 1
	for _, g := range f.Operands {
		n += nodesOf(g, seen)
	}
	return n
}

// TestNegationsAreLinear: the negation of 200 operators within each other has a few nodes for each, also once its own
// parts are negated. Each AU that is copied would triple them.
func TestNegationsAreLinear(t *testing.T) {
	const depth = 200
	f := ctl.Of(&logic.Predicate{Operator: logic.Deadlocked})
	for i := range depth {
		operator := ctl.AllUntil
		if i%5 == 4 {
			operator = ctl.ExistsUntil
		}
		f = ctl.New(operator, ctl.Of(&logic.Predicate{Operator: logic.True}), f)
		if i%3 == 2 {
			f = ctl.New(ctl.ExistsGlobally, f)
		}
	}
	e := &evaluation{negations: make(map[*ctl.Formula]*ctl.Formula)}
	seen := map[*ctl.Formula]bool{}
	nodesOf(e.negation(f), seen)
	for range 3 {
		for g := range seen {
			nodesOf(e.negation(g), seen)
		}
	}
	if len(seen) > 20*depth {
		t.Errorf("%d nodes for %d operators", len(seen), depth)
	}
}
