package batches

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/batches/grading"
	"pnmc/cmd/pnmc/internal/batches/tasks"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/scheduler"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/cluster"
	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// chosenMode returns what a flag asks for that works on a folder of results alone; nil if none
// does.
func chosenMode(c *cli.Context) (func(*cli.Context) error, error) {
	var chosen []string
	var mode func(*cli.Context) error
	for _, f := range []struct {
		name string
		do   func(*cli.Context) error
	}{{"status", statusOfBatch}, {"cancel", cancelBatch}, {"report", reportBatch}} {
		if c.Bool(f.name) {
			chosen, mode = append(chosen, "--"+f.name), f.do
		}
	}
	if c.Bool("wait") && !c.Bool("slurm") {
		chosen, mode = append(chosen, "--wait"), func(c *cli.Context) error {
			out, err := resultsFolder(c)
			if err != nil {
				return err
			}
			return waitForBatch(c, out)
		}
	}
	for _, name := range []string{"slurm", "plan", "emit-jobs"} {
		if c.IsSet(name) {
			chosen = append(chosen, "--"+name)
		}
	}
	if len(chosen) > 1 {
		return nil, exit.UsageError("%s: expected one of them", strings.Join(chosen, ", "))
	}
	if err := limits.RefuseTotal(c, chosen...); err != nil {
		return nil, err
	}
	_, err := scheduler.Wishes(c) // wrong ones are told, whatever is done
	return mode, err
}

// resultsFolder returns the folder of results that the argument names, or else --out.
func resultsFolder(c *cli.Context) (string, error) {
	switch {
	case c.NArg() > 1:
		return "", exit.UsageError("expected one folder of results, found also %q", c.Args().Get(1))
	case c.NArg() == 1 && c.IsSet("out"):
		return "", exit.UsageError("expected one folder of results, found %q and --out", c.Args().First())
	case c.NArg() == 1:
		return c.Args().First(), nil
	}
	return c.String("out"), nil
}

// lookAt returns how a batch stands: of what, how far, and what Slurm has of it.
// Silent is why Slurm does not tell, if it does not.
//
// Two sources are put together, as neither knows all. The journals in the folder have what was
// begun and what is over, and outlive everything. Slurm knows which tasks wait or run, and
// forgets them soon. A job is missing if no journal has its end and no task has it in hand.
// Missing jobs are submitted when the command is given again. If Slurm is silent, no run can be
// called missing: it may be in hand.
func lookAt(c *cli.Context, out string) (work *tasks.Work, far tasks.Far, standing *cluster.Standing, silent, err error) {
	if work, err = tasks.Read(out); err != nil {
		return nil, far, nil, nil, exit.InputError(err)
	}
	desk, err := deskOf(out)
	if err != nil {
		return nil, far, nil, nil, err
	}
	standing, silent = desk.Look(c.Context)
	far, err = farOf(work, out, standing)
	if err != nil {
		err = exit.InputError(err)
	} else if silent != nil {
		progress.NewMessenger(c).Say("what is in the queue is not known: %v", silent)
	}
	return work, far, standing, silent, err
}

// farOf returns how far a batch is by its journals.
func farOf(work *tasks.Work, out string, standing *cluster.Standing) (tasks.Far, error) {
	paths, err := tasks.Journals(out)
	if err != nil {
		return tasks.Far{}, err
	}
	return work.HowFar(paths, standing.Active())
}

// statusOfBatch prints how far a batch is.
func statusOfBatch(c *cli.Context) error {
	out, err := resultsFolder(c)
	if err != nil {
		return err
	}
	work, far, standing, silent, err := lookAt(c, out)
	if err != nil {
		return err
	}
	grouped := func(n int) string { return wording.Grouped(int64(n)) }
	m := progress.NewMessenger(c)
	if bar := m.Bar(far.Over, far.Of); bar != "" {
		fmt.Fprintln(c.App.Writer, bar)
	}
	inHand := fmt.Sprintf("%s in hand, %s missing", grouped(far.Active), grouped(far.Missing()))
	if silent != nil {
		inHand = grouped(far.Left()) + " in hand or missing"
	}
	lines := []string{fmt.Sprintf("runs: %s of %s over, %s", grouped(far.Over), grouped(far.Of), inHand)}
	if len(standing.Tasks) > 0 {
		lines = append(lines, "tasks: "+scheduler.Tasks(standing))
		var jobs []string
		for _, j := range standing.Jobs() {
			jobs = append(jobs, fmt.Sprint(j))
		}
		if len(jobs) > 0 {
			lines = append(lines, "jobs: "+strings.Join(jobs, " "))
		}
	}
	if _, err := fmt.Fprintln(c.App.Writer, strings.Join(append(lines, reasons(far, silent != nil)...), "\n")); err != nil {
		return err
	}
	switch {
	case far.Left() == 0:
		m.Say("all is over: pnmc batch --report %s writes the report", cluster.ShellQuoted(out))
		if far.Absent > 0 && work.Named {
			return exit.With(exit.Input, nil)
		}
		return nil
	case far.Left() == far.NotRun:
		m.Say("what is left could not be run; the command that began it tries again, and pnmc batch --report %s writes the report without", cluster.ShellQuoted(out))
		return exit.With(exit.Input, nil)
	case far.Missing() > 0 && silent == nil:
		m.Say("the command that began it submits, or runs, what is missing")
	}
	return exit.With(exit.Unknown, nil)
}

// reasons returns, a line each, why runs are missing, or may be missing because Slurm is silent,
// and what was wrong with finished ones.
func reasons(far tasks.Far, silent bool) (lines []string) {
	var why []string
	for _, of := range []struct {
		n    int
		what string
	}{
		{far.Untried, "not begun"}, {far.Begun, "begun and not ended, that is running or lost"}, {far.Interrupted, "interrupted"},
		{far.Killed, "killed"}, {far.NotRun, "could not be run"},
	} {
		if of.n > 0 {
			why = append(why, wording.Grouped(int64(of.n))+" "+of.what)
		}
	}
	if len(why) > 0 {
		what := "missing: "
		if silent {
			what = "in hand or missing: "
		}
		lines = append(lines, what+strings.Join(why, ", "))
	}
	if far.Example != "" {
		lines = append(lines, "could not be run: "+far.Example)
	}
	if far.Absent > 0 {
		lines = append(lines, "left out, as there is no property file: "+wording.Grouped(int64(far.Absent)))
	}
	if far.Failed > 0 {
		lines = append(lines, "failed: "+wording.Grouped(int64(far.Failed)))
	}
	return lines
}

// cancelBatch takes what is waiting or running of a batch out of Slurm.
func cancelBatch(c *cli.Context) error {
	out, err := resultsFolder(c)
	if err != nil {
		return err
	}
	if _, err := tasks.Read(out); err != nil {
		return exit.InputError(err)
	}
	desk, err := deskOf(out)
	if err != nil {
		return err
	}
	return scheduler.Cancel(c, progress.NewMessenger(c), desk)
}

// waitForBatch waits until Slurm has no task of a batch, showing how far it is, and reports.
func waitForBatch(c *cli.Context, out string) error {
	work, far, _, _, err := lookAt(c, out)
	if err != nil {
		return err
	}
	desk, err := deskOf(out)
	if err != nil {
		return err
	}
	m := progress.NewMessenger(c)
	jobs := m.Jobs(far.Over, far.Of)
	over := far.Over
	err = scheduler.Wait(c.Context, m, desk, func(s *cluster.Standing) {
		if far, err := farOf(work, out, s); err == nil { // one that can't be read is told in the end
			jobs.OverNow(far.Over)
			over = far.Over
		}
	})
	jobs.Close()
	if c.Context.Err() != nil {
		interrupt.NoteWayTold(c.Context)
		m.Say("interrupted while waiting: %d of %d runs were over; what is submitted goes on, and pnmc batch --wait %s waits again", over, far.Of, cluster.ShellQuoted(out))
		return exit.With(exit.Unknown, nil)
	}
	if err != nil {
		return err
	}
	return reportOn(c, out)
}

// reportBatch writes the report of what a folder of results has.
func reportBatch(c *cli.Context) error {
	out, err := resultsFolder(c)
	if err != nil {
		return err
	}
	return reportOn(c, out)
}

// reportOn writes the report of a folder of results from all its journals.
func reportOn(c *cli.Context, out string) error {
	work, err := tasks.Read(out)
	if err != nil {
		return exit.InputError(err)
	}
	paths, err := tasks.Journals(out)
	if err != nil {
		return exit.InputError(err)
	}
	runs, err := history.ReadRuns(paths, &work.Settings)
	if err != nil {
		return exit.InputError(err)
	}
	oracle, err := oracleOfRuns(c, runs)
	if err != nil {
		return err
	}
	return writeAndJudge(c, out, work.Plan(), runs, oracle, work.Named)
}

// endOfBatch writes the report of a batch all of whose runs are over.
func endOfBatch(c *cli.Context, plan batch.Plan, journal *history.Journal, oracle *grading.Oracle) error {
	return writeAndJudge(c, c.String("out"), plan, journal.Runs(), oracle, namedExaminations(c))
}

// writeAndJudge writes the report of runs, and has the exit code for them: runs that are
// missing make it unknown. Named reports whether examinations were asked for by name.
func writeAndJudge(c *cli.Context, out string, plan batch.Plan, runs []*history.Run, oracle *grading.Oracle, named bool) error {
	removeUnfinished(filepath.Join(out, PagesName))
	summary := grading.Summarize(plan.Settings, runs, oracle)
	if err := writeResults(c, out, summary); err != nil {
		return exit.InputError(err)
	}
	over := slices.DeleteFunc(slices.Clone(runs), func(r *history.Run) bool { return !r.Ended })
	m := progress.NewMessenger(c)
	tellFaults(m, over, named)
	if err := batchOutcome(c, over, summary, named); err != nil {
		return err
	}
	if missing := len(tasks.Missing(&plan, runs, nil, tasks.NewExpectation(plan.Settings.Seconds))); missing > 0 {
		m.Say("%s missing: the command that began it goes on", wording.Counted(missing, "run is", "runs are"))
		return exit.With(exit.Unknown, nil)
	}
	return nil
}

// tellFaults reports how many of the finished runs failed to do what was asked, and names
// one of them. The exit code follows from it.
func tellFaults(m *progress.Messenger, over []*history.Run, named bool) {
	faults := 0
	var example *history.Run
	for _, r := range over {
		if r.Fault == history.NoFault || r.Fault == history.Absent && !named {
			continue
		}
		if faults++; example == nil {
			example = r
		}
	}
	if faults > 0 {
		m.Say("%s, such as %s on %s: %s", wording.Counted(faults, "run did not do what was asked", "runs did not do what was asked"), example.Job, example.Host, example.Ending())
	}
}
