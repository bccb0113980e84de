package tree_test

import (
	"fmt"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/tree"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// From each marking a deadlock can be reached.
func ExampleGraph() {
	deadlock := ctl.Of(&logic.Predicate{Operator: logic.Deadlocked})
	formula := ctl.New(ctl.AllGlobally, ctl.New(ctl.ExistsFinally, deadlock))
	for _, a := range coretest.Decide(tree.Graph, petritest.Philosophers(3), inquiry.Branching{Formula: formula}) {
		fmt.Println(a.Value, a.By)
	}
	// Output: true EXPLICIT STATE_COMPRESSION
}
