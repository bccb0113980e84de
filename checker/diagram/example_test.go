package diagram_test

import (
	"context"
	"fmt"

	"pnmc/checker/diagram"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// All 3^40 markings in one decision diagram.
func ExampleExplore() {
	ctx := context.Background()
	space, err := diagram.Explore(ctx, petritest.Philosophers(40), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(space.StateSpace().States())
	fmt.Println(space.Reachable(ctx, &logic.Predicate{Operator: logic.Deadlocked}))
	// Output:
	// 12157665459056928801
	// true <nil>
}
