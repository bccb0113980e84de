package cluster_test

import (
	"fmt"

	"pnmc/internal/cluster"
)

// Short jobs share a task, long ones come first, and a job that was lost has a task of its own.
func ExamplePack() {
	jobs := []cluster.Job{
		{Name: "a", Expected: 2}, {Name: "b", Expected: 50}, {Name: "c", Expected: 3},
		{Name: "d", Expected: 20, Lost: 1}, {Name: "e", Expected: 4},
	}
	for _, task := range cluster.Pack(jobs, cluster.Needs{JobSeconds: 60, JobBytes: 4 << 30, Parallel: 1, TaskSeconds: 10}) {
		fmt.Println(task.Jobs, "take", task.Expected, "seconds, and have", task.Limit())
	}
	// Output:
	// [b] take 50 seconds, and have 3m2s
	// [d] take 20 seconds, and have 3m2s
	// [e c a] take 9 seconds, and have 2m33s
}
