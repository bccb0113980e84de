package branching_test

import (
	"context"
	"fmt"

	"pnmc/checker/branching"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// From the initial marking a deadlock can be reached, but need not be.
func ExampleGraph_Decide() {
	k := petri.NewKripke(petritest.Philosophers(3), petri.Facts{}, petri.Budget{})
	graph, err := branching.ExploreGraph(context.Background(), k, 1, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	deadlock := ctl.Of(&logic.Predicate{Operator: logic.Deadlocked})
	for _, operator := range []ctl.Operator{ctl.ExistsFinally, ctl.AllFinally} {
		fmt.Println(graph.Decide(context.Background(), ctl.New(operator, deadlock)))
	}
	// Output:
	// true <nil>
	// false <nil>
}
