package scheduler_test

import (
	"fmt"

	"pnmc/cmd/pnmc/internal/scheduler"
	"pnmc/internal/cluster"
)

// Tasks that are over are not told of any more.
func ExampleTasks() {
	var s cluster.Standing
	for _, q := range []cluster.Queued{
		{State: "RUNNING"}, {State: "COMPLETED"}, {State: "PENDING", Reason: "Priority"},
		{State: "PENDING", Reason: "Resources"}, {State: "PENDING", Reason: "Priority"},
	} {
		s.Tasks = append(s.Tasks, cluster.StandingTask{Queued: q})
	}
	fmt.Println(scheduler.Tasks(&s))
	// Output: 1 running, 3 waiting (2 for Priority, 1 for Resources)
}
