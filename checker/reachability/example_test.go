package reachability_test

import (
	"context"
	"fmt"

	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// All markings are looked at; two of them are deadlocks.
func ExampleGoalSearch() {
	search := reachability.GoalSearch{
		Net: petritest.Philosophers(3), Goals: []walk.Goal{{Predicate: &logic.Predicate{Operator: logic.Deadlocked}}},
		Open:  func(int) bool { return true },
		Found: func(_ int, _ int64, run []witness.Burst) { fmt.Println("after", len(run), "steps") },
	}
	err := search.Run(context.Background())
	fmt.Println(search.States, err)
	// Output:
	// after 3 steps
	// after 3 steps
	// 27 <nil>
}
