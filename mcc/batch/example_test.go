package batch_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// Each instance below a folder is asked for each examination, by a process of its own. Here the
// program is that of the tests, which answers TRUE to everything.
func ExampleExecute() {
	folder, err := os.MkdirTemp("", "batch-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	for _, name := range []string{"Kanban-PT-00005", "Philosophers-PT-000010"} {
		must(os.MkdirAll(filepath.Join(folder, "inputs", name), 0o755))
		must(os.WriteFile(filepath.Join(folder, "inputs", name, "model.pnml"), []byte("<pnml/>"), 0o600))
	}
	instances, err := batch.Find([]string{filepath.Join(folder, "inputs")})
	must(err)
	plan := batch.Plan{Instances: instances, Examinations: []string{"OneSafe", "StableMarking"}, Parallel: 1,
		Settings: history.Settings{Seconds: 60, MemoryBytes: 1 << 30}, Command: []string{os.Args[0]},
		Scratch: filepath.Join(folder, "unpacked")}
	journal, err := history.Open(filepath.Join(folder, history.FileName), plan.Settings)
	must(err)
	defer journal.Close()
	must(batch.Execute(context.Background(), plan, journal))
	for _, run := range journal.Runs() {
		answer, _ := run.Answer(run.Examination)
		fmt.Println(run.Job, answer.Value, run.Ending())
	}
	// Output:
	// Kanban-PT-00005 OneSafe TRUE by itself
	// Kanban-PT-00005 StableMarking TRUE by itself
	// Philosophers-PT-000010 OneSafe TRUE by itself
	// Philosophers-PT-000010 StableMarking TRUE by itself
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
