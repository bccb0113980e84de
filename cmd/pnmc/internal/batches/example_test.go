package batches_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/batches/tasks"
	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// With --report, Run makes tables of what the journal in a folder of results has. Nothing says which
// answer is right, so that this one is not rated.
func ExampleRun() {
	results, err := os.MkdirTemp("", "results-")
	must(err)
	defer os.RemoveAll(results)
	job := history.Job{Instance: "Kanban-PT-00005", Examination: "OneSafe"}
	work := tasks.Work{Settings: history.Settings{Seconds: 60}, Instances: []batch.Instance{{Name: job.Instance, Path: "Kanban-PT-00005.tgz", Packed: true}},
		Examinations: []string{job.Examination}}
	must(work.Write(results))
	journal, err := history.Open(filepath.Join(results, history.FileName), work.Settings)
	must(err)
	must(journal.Start(job, []string{"OneSafe"}, 1))
	must(journal.Answer(job, history.Answer{Question: "OneSafe", Value: "FALSE", Seconds: 0.5}))
	must(journal.End(job, history.Run{Seconds: 0.6}))
	must(journal.Close())

	flags := flag.NewFlagSet("batch", flag.ContinueOnError)
	flags.Bool("report", true, "")
	must(flags.Parse([]string{results}))
	app := cli.NewApp()
	app.Writer = os.Stdout
	must(batches.Run(cli.NewContext(app, flags, nil)))
	table, err := os.ReadFile(filepath.Join(results, batches.AnswersFile))
	must(err)
	fmt.Print(string(table))
	// Output:
	// examination  asked  right  wrong  missing  unrated  points  of  seconds
	//       OneSafe      1      0      0        0        1       0  16      0.6
	//           all      1      0      0        0        1       0  16      0.6
	// instance,examination,question,expected,answered,grade,seconds,techniques
	// Kanban-PT-00005,OneSafe,OneSafe,,FALSE,unrated,0.500,
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
