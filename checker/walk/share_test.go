package walk

import (
	"testing"

	"pnmc/internal/petritest"
	"pnmc/logic"
)

// TestPlansTakeAShare: on a net where one plan costs as much as thousands of firings, plans end their
// walk, and wait for the other policies.
func TestPlansTakeAShare(t *testing.T) {
	net := petritest.Machines(3000)
	never := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 2, Terms: []logic.Term{{Place: 0, Coefficient: -1}}}}
	w := WalksOn(net, []Goal{{Predicate: never}}, 1)
	w.Found = nil // there is nothing to be found
	for range 20 {
		w.walk(t.Context(), alongPlan, 2000)
	}
	if most := int64(firstWork + farAhead + 20*(w.planWork+pollWork)); w.spent[alongPlan] > most {
		t.Errorf("plans took %d, more than %d, while nothing else walked", w.spent[alongPlan], most)
	}
	if !w.tooMuch(alongPlan, firstWork) {
		t.Error("plans need not wait")
	}
}
