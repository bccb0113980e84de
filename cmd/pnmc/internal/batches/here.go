// Package batches answers examinations of many contest instances: here, by a scheduler, or
// step by step, as flags of the command batch say.
//
// In come flags, and instances or a folder of results; out go journals, tables and a report in
// the folder, lines that tell how it stands, and the exit code. What a run is and how it goes
// on is in pnmc/mcc/batch; what others run is in tasks, and pnmc/internal/cluster hands it to
// them; grading says how well all went. Next is the command itself, in package main.
package batches

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/batches/grading"
	"pnmc/cmd/pnmc/internal/batches/tasks"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// The files of a batch, in its folder, beside its journals.
const (
	AnswersFile = "answers.csv"
	RunsFile    = "runs.csv"
	ReportFile  = "report.html"
	scratchName = "unpacked"
	PagesName   = "pages"
	TasksName   = "tasks"
)

// Run runs the command batch as its flags say.
//
// Whatever the engine, a batch goes through the same steps: find out what there is to run; open
// the folder of results; find out what is missing there; run it; write the report. Flags that
// work on the folder alone, such as --status, come first, as they need no instances. A mistake in
// the command line, or in the file of right answers, is reported before the folder is touched.
func Run(c *cli.Context) error {
	if of, err := chosenMode(c); err != nil || of != nil {
		if err == nil {
			err = of(c)
		}
		return err
	}
	defer limits.WithTotal(c)()
	plan, err := batchPlan(c)
	if err != nil {
		return err
	}
	if c.Bool("plan") {
		return tellPlan(c, &plan)
	}
	oracle, err := oracleFor(c, &plan)
	if err != nil {
		return err
	}
	journal, err := openResults(c, &plan)
	if err != nil {
		return err
	}
	if c.Bool("slurm") || c.IsSet("emit-jobs") {
		return errors.Join(handOut(c, plan, journal, oracle), journal.Close())
	}
	return runHere(c, plan, journal, oracle)
}

// openResults opens the journal in the folder of results for a plan, once it is known that
// reports can be written.
func openResults(c *cli.Context, plan *batch.Plan) (*history.Journal, error) {
	out := c.String("out")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, exit.InputError(err)
	}
	for _, name := range []string{AnswersFile, RunsFile, ReportFile} {
		if err := output.Try(filepath.Join(out, name)); err != nil {
			return nil, err
		}
	}
	journal, err := history.Open(filepath.Join(out, history.FileName), plan.Settings)
	if err != nil {
		return nil, exit.InputError(err)
	}
	if err := noteWork(c, plan); err != nil {
		return nil, exit.InputError(errors.Join(err, journal.Close()))
	}
	return journal, nil
}

// joinTasks takes in what the journals of tasks tell. It comes after the look at which of them
// are over: a task that ends between the two would otherwise be neither, and run again.
func joinTasks(out string, plan *batch.Plan, journal *history.Journal) error {
	others, err := tasks.JournalsOfTasks(out)
	if err == nil {
		err = journal.Join(others, plan.Settings)
	}
	if err != nil {
		err = exit.InputError(err)
	}
	return err
}

// runHere runs what is missing on this computer.
func runHere(c *cli.Context, plan batch.Plan, journal *history.Journal, oracle *grading.Oracle) error {
	out := c.String("out")
	m := progress.NewMessenger(c)
	err := refuseBesideTasks(c, m)
	if err == nil {
		err = joinTasks(out, &plan, journal)
	}
	if err != nil {
		return errors.Join(err, journal.Close())
	}
	progress := m.Jobs(0, len(plan.Instances)*len(plan.Examinations))
	plan.Begin = func(j history.Job) { progress.Begin(j.Instance + " " + j.Examination) }
	plan.Tell = func(_, _ int, run *history.Run) {
		progress.End(run.Instance + " " + run.Examination)
		switch {
		case run.Fault == history.Absent && !namedExaminations(c): // left out
			m.Phase("%s %s: left out: %s", run.Instance, run.Examination, run.Ending())
		case run.Fault != history.NoFault:
			m.Fail("%s %s: %s", run.Instance, run.Examination, run.Ending())
		case run.End != "":
			m.Phase("%s %s: %s", run.Instance, run.Examination, run.Ending())
		}
	}
	ran := batch.Execute(c.Context, plan, journal)
	progress.Close()
	removeUnfinished(filepath.Join(out, PagesName))
	summary := grading.Summarize(plan.Settings, journal.Runs(), oracle)
	// Closing the journal lets another batch in, which writes the same files.
	if err := errors.Join(writeResults(c, out, summary), journal.Close()); err != nil {
		return exit.InputError(err)
	}
	over, of := plan.Over(journal)
	if c.Context.Err() != nil {
		interrupt.NoteWayTold(c.Context)
		m.Say("%s: %d of %d runs are over, their answers are in %s; the same command goes on", interrupt.Reason(c.Context), len(over), of, out)
	} else if ran != nil {
		return exit.InputError(ran)
	}
	return batchOutcome(c, over, summary, namedExaminations(c))
}

// noteWork notes in the folder of results what the batch covers. It also reports what an earlier
// batch there covered and this one does not: those answers stay in the report, and none of that
// work runs again.
func noteWork(c *cli.Context, plan *batch.Plan) error {
	out, work := c.String("out"), tasks.Of(plan)
	work.Named = namedExaminations(c)
	if earlier, err := tasks.Read(out); err == nil { // else it is the first, or is written anew
		gone, moved := earlier.Unlike(work)
		m := progress.NewMessenger(c)
		if len(gone) > 0 {
			m.Say("%s: the batch there was also of %s that this one is not of, such as %s: their answers stay in the report, and what is missing of them does not run",
				out, wording.Counted(len(gone), "run", "runs"), gone[0])
		}
		if len(moved) > 0 {
			m.Say("%s: %s in another place than before, such as %s: what is known is taken to be of the same model",
				out, wording.Counted(len(moved), "instance is", "instances are"), moved[0])
		}
	}
	return work.Write(out)
}
