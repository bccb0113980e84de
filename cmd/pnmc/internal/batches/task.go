package batches

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/batches/tasks"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/internal/cluster"
	"pnmc/mcc/batch/history"
)

// TaskCommand is the command that schedulers start.
const TaskCommand = "batch-task"

// Task runs the task that arguments name, or else variables of schedulers.
func Task(c *cli.Context) error {
	if n := c.NArg(); n < 1 || n > 2 {
		return exit.UsageError("expected the record of a submission, and the number of a task")
	}
	path, err := filepath.Abs(c.Args().First()) // its folder is in that of results, whatever is the current one
	if err != nil {
		return exit.InputError(err)
	}
	record, err := cluster.ReadRecord(path)
	if err != nil {
		return exit.InputError(err)
	}
	text := c.Args().Get(1)
	for _, variable := range []string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"} {
		if text == "" {
			text = os.Getenv(variable)
		}
	}
	number, err := strconv.Atoi(text)
	if err != nil {
		return exit.UsageError("expected the number of a task, found %q", text)
	}
	keepToCores(record)
	program, err := os.Executable()
	if err != nil {
		return err
	}
	m := progress.NewMessenger(c)
	results := filepath.Dir(filepath.Dir(record.Path()))
	err = tasks.Run(c.Context, record, number, results, program, func(over, of int, run *history.Run) {
		m.Say("%d of %d: %s: %s, %d of %d answered, %.1f s", over, of, run.Job, run.Ending(), len(run.Answers), len(run.Questions), run.Seconds)
	})
	switch {
	case c.Context.Err() != nil:
		return exit.With(exit.Unknown, nil)
	case err != nil:
		return exit.InputError(err)
	}
	return nil
}

// keepToCores has the programs of a task use the cores that it was given, where the scheduler
// does not see to that.
//
// For example, a task with 8 cores that runs two programs side by side gives each of them 4.
// Without that, each would start a thread for every core of the node, and slow down the tasks of
// others.
func keepToCores(r *cluster.Record) {
	const variable = "GOMAXPROCS"
	if cores := r.Cores / max(1, r.Parallel); r.Cores > 0 && os.Getenv(variable) == "" && cores < runtime.NumCPU() {
		os.Setenv(variable, strconv.Itoa(max(1, cores)))
	}
}
