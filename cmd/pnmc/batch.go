package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/internal/suggest"
	"pnmc/mcc"
	"pnmc/mcc/batch"
)

// The files of a batch, in its folder.
const (
	journalFile = "journal.jsonl"
	answersFile = "answers.csv"
	runsFile    = "runs.csv"
	reportFile  = "report.html"
	scratchName = "unpacked"
	pagesName   = "pages"
)

func batchCommand() *cli.Command {
	return &cli.Command{
		Name:      "batch",
		Usage:     "answer examinations of many contest instances, and report how well",
		ArgsUsage: "FOLDER|ARCHIVE...",
		Description: "Each argument is a folder with a model.pnml and property files, a folder of such\n" +
			"folders and archives, or an archive (.tgz) as the contest distributes them. Each examination\n" +
			"of each instance runs in a process of its own, as \"pnmc mcc\" does, and is killed at its limits\n" +
			"(at that of memory on Linux only; elsewhere the process minds it itself).\n\n" +
			"The folder of results gets " + journalFile + ", which has each answer from the moment it was\n" +
			"given, and in the end " + answersFile + ", " + runsFile + " and " + reportFile + ", a page that needs no network.\n" +
			"The same command goes on with a batch that was interrupted, or writes its report again;\n" +
			"examinations and instances can be added then. Two batches at once need two folders of\n" +
			"results: the second in one is refused.\n\n" +
			"With --pages each run writes a page with its answers into the folder " + pagesName + " there, when all\n" +
			"are given: the report links to them. A run that is killed leaves none.\n\n" +
			"Right answers, for --oracle, are files of answer lines below a line with instance and\n" +
			"examination, named *.out, in a folder; or a table of comma-separated values, with instance,\n" +
			"examination and the verdicts of all formulas, as the contest publishes its results.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "examinations", Value: usage.AllExaminations, Usage: "run these `NAMES`, with commas between them, or all that an instance has files for"},
			limits.DurationFlag("time", time.Minute, "give each run this `TIME`, such as 90s or 10m; a number is seconds"),
			&cli.StringFlag{Name: "memory", Value: "4GB", Usage: "give each run this `SIZE` of memory, such as 800MB or 4G"},
			&cli.IntFlag{Name: "jobs", Value: 1, Usage: "run this `NUMBER` of processes side by side"},
			&cli.StringFlag{Name: "out", Value: "results", Usage: "write results into `FOLDER`, or go on with those it has", TakesFile: true},
			&cli.BoolFlag{Name: "pages", Usage: "write pages that play the runs which show answers, for a browser; the report links to them"},
			&cli.StringFlag{Name: "oracle", Usage: "compare with the right answers in `FOLDER|FILE`", TakesFile: true},
		}, progress.Flags()...),
		Action: batchAction,
	}
}

func batchAction(c *cli.Context) error {
	plan, err := batchPlan(c)
	if err != nil {
		return err
	}
	var oracle *batch.Oracle
	if path := c.String("oracle"); path != "" {
		if oracle, err = batch.ReadOracle(path); err != nil {
			return exit.InputError(err)
		}
	}
	out := c.String("out")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return exit.InputError(err)
	}
	for _, name := range []string{answersFile, runsFile, reportFile} {
		if err := output.Try(filepath.Join(out, name)); err != nil {
			return err
		}
	}
	journal, err := batch.OpenJournal(filepath.Join(out, journalFile), plan.Settings)
	if err != nil {
		return exit.InputError(err)
	}
	m := progress.NewMessenger(c)
	progress := m.Jobs(0, len(plan.Instances)*len(plan.Examinations))
	plan.Begin = func(j batch.Job) { progress.Begin(j.Instance + " " + j.Examination) }
	plan.Tell = func(_, _ int, run *batch.Run) {
		progress.End(run.Instance + " " + run.Examination)
		switch {
		case run.Fault == batch.Absent && !namedExaminations(c): // left out
			m.Phase("%s %s: left out: %s", run.Instance, run.Examination, run.Ending())
		case run.Fault != batch.NoFault:
			m.Fail("%s %s: %s", run.Instance, run.Examination, run.Ending())
		case run.End != "":
			m.Phase("%s %s: %s", run.Instance, run.Examination, run.Ending())
		}
	}
	ran := batch.Execute(c.Context, plan, journal)
	progress.Close()
	removeUnfinished(filepath.Join(out, pagesName))
	summary := batch.Summarize(plan.Settings, journal.Runs(), oracle)
	// Closing the journal lets another batch in, which writes the same files.
	if err := errors.Join(writeResults(c, out, summary), journal.Close()); err != nil {
		return exit.InputError(err)
	}
	over, of := plan.Over(journal)
	if c.Context.Err() != nil {
		interrupt.NoteWayTold(c.Context)
		m.Say("interrupted: %d of %d runs are over, their answers are in %s; the same command goes on", len(over), of, out)
	} else if ran != nil {
		return exit.InputError(ran)
	}
	return batchOutcome(c, over, summary)
}

// batchOutcome is the exit code for the runs that are over.
func batchOutcome(c *cli.Context, over []*batch.Run, summary *batch.Summary) error {
	had := func(faults ...batch.Fault) bool {
		return slices.ContainsFunc(over, func(r *batch.Run) bool { return slices.Contains(faults, r.Fault) })
	}
	switch {
	case had(batch.Failed):
		return exit.With(exit.Internal, nil)
	case had(batch.Unread) || namedExaminations(c) && had(batch.Absent):
		return exit.With(exit.Input, nil)
	case summary.Total().Wrong > 0 || len(summary.Contradictions()) > 0:
		return exit.With(exit.Violated, nil)
	case c.Context.Err() != nil:
		return exit.With(exit.Unknown, nil)
	}
	return nil
}

// namedExaminations reports whether the user has named examinations, and not taken all.
func namedExaminations(c *cli.Context) bool { return c.String("examinations") != usage.AllExaminations }

// batchPlan is what flags and arguments ask to run.
func batchPlan(c *cli.Context) (plan batch.Plan, err error) {
	if !c.Args().Present() {
		return plan, exit.UsageError("expected folders or archives of contest instances")
	}
	seconds, err := limits.WholeSeconds(c, "time")
	if err != nil {
		return plan, err
	}
	if c.Int("jobs") < 1 {
		return plan, exit.UsageError("--jobs: expected a number from 1 on, found %d", c.Int("jobs"))
	}
	plan.Settings.Seconds, plan.Parallel = int(seconds), c.Int("jobs")
	if plan.Settings.MemoryBytes, err = limits.ParseSize(c.String("memory")); err != nil {
		return plan, exit.UsageError("--memory: %w", err)
	}
	if plan.Examinations, err = parseExaminations(c.String("examinations")); err != nil {
		return plan, exit.UsageError("--examinations: %w", err)
	}
	if plan.Instances, err = batch.Find(c.Args().Slice()); err != nil {
		return plan, exit.InputError(err)
	}
	program, err := os.Executable()
	if err != nil {
		return plan, err
	}
	plan.Command, plan.UnreadCode = []string{program, "mcc"}, exit.Input
	if c.Bool("pages") {
		pages, err := filepath.Abs(filepath.Join(c.String("out"), pagesName))
		if err != nil {
			return plan, err
		}
		plan.Command = append(plan.Command, "--trace", pages)
	}
	plan.Scratch, err = filepath.Abs(filepath.Join(c.String("out"), scratchName))
	return plan, err
}

// parseExaminations reads names with commas between them, or "all".
func parseExaminations(text string) ([]string, error) {
	if text == usage.AllExaminations {
		return mcc.Examinations(), nil
	}
	var list []string
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); !slices.Contains(mcc.Examinations(), name) {
			return nil, fmt.Errorf("unknown examination %q, expected all, or some of %s%s", name, strings.Join(mcc.Examinations(), ", "), suggest.DidYouMean(name, mcc.Examinations()))
		}
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list, nil
}

// removeUnfinished removes what processes that were killed left of pages.
func removeUnfinished(pages string) {
	parts, _ := filepath.Glob(filepath.Join(pages, "*.part")) // the pattern is right
	for _, part := range parts {
		_ = os.Remove(part) // it is in nobody's way
	}
}

// pagesIn finds the page of a run among those in the folder out, which is read once.
func pagesIn(out string) func(batch.Job) string {
	files, _ := os.ReadDir(filepath.Join(out, pagesName)) // there may be none
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[f.Name()] = true
	}
	return func(j batch.Job) string {
		page := contestPageName(j.Instance, j.Examination)
		if !there[page] {
			return ""
		}
		return pagesName + "/" + url.PathEscape(page)
	}
}

// writeResults writes tables and report into the folder out, each whole or not at all,
// and scores on standard output.
func writeResults(c *cli.Context, out string, s *batch.Summary) error {
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{answersFile, s.WriteAnswers},
		{runsFile, s.WriteRuns},
		{reportFile, func(w io.Writer) error { return s.WriteReport(w, time.Now(), pagesIn(out)) }},
	} {
		var text bytes.Buffer
		if err := file.write(&text); err != nil {
			return err
		}
		if err := output.Write(filepath.Join(out, file.name), text.Bytes()); err != nil {
			return err
		}
	}
	if err := s.WriteScores(c.App.Writer); err != nil {
		return err
	}
	for _, i := range s.Graded(batch.Wrong) {
		if _, err := fmt.Fprintf(c.App.Writer, "wrong: %s %s %s: expected %s, answered %s\n",
			i.Instance, i.Examination, i.Question, i.Expected, i.Value); err != nil {
			return err
		}
	}
	for _, d := range s.Contradictions() {
		if _, err := fmt.Fprintf(c.App.Writer, "contradiction: %s %s %s: answered %s, and then %s\n",
			d.Instance, d.Examination, d.First.Question, d.First.Value, d.Second.Value); err != nil {
			return err
		}
	}
	return nil
}
