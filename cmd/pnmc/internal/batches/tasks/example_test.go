package tasks_test

import (
	"fmt"

	"pnmc/cmd/pnmc/internal/batches/tasks"
	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// One job has ended, one was lost, and one was never begun: the last two are missing. How long they
// take is expected from other nets of the family.
func ExampleMissing() {
	plan := &batch.Plan{Examinations: []string{"OneSafe"}, Settings: history.Settings{Seconds: 60}}
	for _, name := range []string{"Kanban-PT-00005", "Kanban-PT-00010", "Kanban-PT-00020"} {
		plan.Instances = append(plan.Instances, batch.Instance{Name: name, Path: name + ".tgz", Packed: true})
	}
	job := func(instance string) history.Job {
		return history.Job{Instance: instance, Examination: "OneSafe"}
	}
	runs := []*history.Run{
		{Job: job("Kanban-PT-00005"), Questions: []string{"OneSafe"}, Ended: true, Seconds: 7},
		{Job: job("Kanban-PT-00010"), Questions: []string{"OneSafe"}, Lost: 1},
	}
	e := tasks.NewExpectation(plan.Settings.Seconds)
	e.Learn(runs, plan.Settings.Seconds)
	for _, j := range tasks.Missing(plan, runs, nil, e) {
		fmt.Printf("%s: %v seconds, lost %d times\n", j.Name, j.Expected, j.Lost)
	}
	// Output:
	// Kanban-PT-00010 OneSafe: 7 seconds, lost 1 times
	// Kanban-PT-00020 OneSafe: 7 seconds, lost 0 times
}
