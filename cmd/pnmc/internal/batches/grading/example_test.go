package grading_test

import (
	"os"

	"pnmc/cmd/pnmc/internal/batches/grading"
	"pnmc/mcc/batch/history"
)

// Two runs, of which one gave one answer to two questions; no right answers are known.
func ExampleSummarize() {
	runs := []*history.Run{
		{Job: history.Job{Instance: "Kanban-PT-00005", Examination: "OneSafe"}, Questions: []string{"OneSafe"},
			Answers: []history.Answer{{Question: "OneSafe", Value: "FALSE"}}, Ended: true, Seconds: 0.5},
		{Job: history.Job{Instance: "Kanban-PT-00005", Examination: "UpperBounds"}, Questions: []string{"a", "b"},
			Answers: []history.Answer{{Question: "a", Value: "5"}}, Ended: true, Seconds: 2},
	}
	summary := grading.Summarize(history.Settings{Seconds: 60}, runs, nil)
	if err := summary.WriteScores(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	//   examination  asked  right  wrong  missing  unrated  points  of  seconds
	//       OneSafe      1      0      0        0        1       0  16      0.5
	//   UpperBounds      2      0      0        1        1       0  16      2.0
	//           all      3      0      0        1        2       0  32      2.5
}
