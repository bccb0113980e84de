package history_test

import (
	"fmt"
	"os"
	"path/filepath"

	"pnmc/mcc/batch/history"
)

// A run is noted as it happens, and told again by whoever reads the journal.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "history-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, history.FileName)
	journal, err := history.Open(path, history.Settings{Seconds: 60})
	if err != nil {
		panic(err)
	}
	job := history.Job{Instance: "Kanban-PT-00005", Examination: "OneSafe"}
	for _, err := range []error{
		journal.Start(job, []string{"OneSafe"}, 1),
		journal.Answer(job, history.Answer{Question: "OneSafe", Value: "FALSE", Seconds: 0.5}),
		journal.End(job, history.Run{Seconds: 0.6}),
		journal.Close(),
	} {
		if err != nil {
			panic(err)
		}
	}
	runs, err := history.ReadRuns([]string{path}, nil)
	if err != nil {
		panic(err)
	}
	answer, _ := runs[0].Answer("OneSafe")
	fmt.Println(runs[0].Job, answer.Value, runs[0].Ending())
	// Output: Kanban-PT-00005 OneSafe FALSE by itself
}
