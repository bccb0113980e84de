package batches

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/batches/grading"
	"pnmc/cmd/pnmc/internal/batches/tasks"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/scheduler"
	"pnmc/internal/cluster"
	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// deskOf returns where the tasks of a batch are on record.
func deskOf(out string) (cluster.Desk, error) {
	folder, err := filepath.Abs(filepath.Join(out, TasksName))
	if err != nil {
		return cluster.Desk{}, exit.InputError(err)
	}
	return cluster.Desk{Folder: folder}, nil
}

// handOut hands the runs that are missing to a scheduler, as flags say, or only reports
// them.
//
// The order of its steps matters. First it asks what Slurm has in hand, then it reads the journals of
// tasks. A task that ends between the two counts as active, and is handed out by the next call if
// something of it is missing. In the opposite order it would be neither in the journals nor active,
// and would run twice. If nothing is missing and nothing is in hand, the report is written.
func handOut(c *cli.Context, plan batch.Plan, journal *history.Journal, oracle *grading.Oracle) error {
	wishes, err := scheduler.Wishes(c)
	if err != nil {
		return err
	}
	out := c.String("out")
	desk, err := deskOf(out)
	if err != nil {
		return err
	}
	m := progress.NewMessenger(c)
	standing, err := scheduler.Look(c, m, desk)
	if err != nil {
		return err
	}
	if err := joinTasks(out, &plan, journal); err != nil {
		return err
	}
	expectation, err := expectationOf(c, &plan, journal.Runs())
	if err != nil {
		return err
	}
	active := standing.Active()
	missing := tasks.Missing(&plan, journal.Runs(), active, expectation)
	h := &scheduler.HandOut{
		Messenger: m, Context: c, Desk: desk, Name: cluster.NameOf(filepath.Dir(desk.Folder)), Things: "runs", Needs: needsOf(&plan), Wishes: wishes,
		Work: tasks.Of(&plan), InHand: len(active), Command: []string{TaskCommand}, Look: "pnmc batch --status " + cluster.ShellQuoted(out),
	}
	switch {
	case len(missing) == 0 && len(active) == 0:
		m.Phase("nothing is missing")
		if err := h.ListNothing(); err != nil {
			return err
		}
		return endOfBatch(c, plan, journal, oracle)
	case c.IsSet("emit-jobs"):
		return h.List(missing, c.String("emit-jobs"))
	case len(missing) == 0:
		m.Say("nothing is to be submitted: what is missing waits or runs; tasks: %s", scheduler.Tasks(standing))
	default:
		if err := h.Submit(missing); err != nil {
			return err
		}
	}
	if !c.Bool("wait") {
		return nil
	}
	// Who else looks, or cancels, need not wait for this process to end.
	if err := journal.Close(); err != nil {
		return exit.InputError(err)
	}
	return waitForBatch(c, out)
}

// needsOf returns what runs of a plan have.
func needsOf(plan *batch.Plan) cluster.Needs {
	return cluster.Needs{JobSeconds: int64(plan.Settings.Seconds), JobBytes: plan.Settings.MemoryBytes, Parallel: plan.Parallel}
}

// expectationOf returns how long runs are expected to take, by what is known in the folder of
// results and in those of --expect.
func expectationOf(c *cli.Context, plan *batch.Plan, known []*history.Run) (*tasks.Expectation, error) {
	e := tasks.NewExpectation(plan.Settings.Seconds)
	for _, folder := range c.StringSlice("expect") {
		paths, err := tasks.Journals(folder)
		if err == nil && len(paths) == 0 {
			err = fmt.Errorf("--expect: %s: expected a folder of results, found no journal in it", folder)
		}
		if err == nil {
			err = e.LearnFrom(paths)
		}
		if err != nil {
			return nil, exit.InputError(err)
		}
	}
	e.Learn(known, plan.Settings.Seconds)
	return e, nil
}

// refuseBesideTasks refuses to run here what Slurm runs, or will.
func refuseBesideTasks(c *cli.Context, m *progress.Messenger) error {
	desk, err := deskOf(c.String("out"))
	if err != nil {
		return err
	}
	return scheduler.RefuseBesideTasks(c.Context, m, desk, c.String("out"), "folder")
}
