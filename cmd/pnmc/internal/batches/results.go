package batches

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/batches/grading"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/internal/cluster"
	"pnmc/mcc/batch/history"
)

// batchOutcome returns the exit code for the runs that are over, by the worst that happened. The
// worst is a run that crashed; then input that could not be read; then answers that are wrong or
// contradict each other; then an interruption. named says that their examinations were asked for by
// name, so that files for them are expected.
func batchOutcome(c *cli.Context, over []*history.Run, summary *grading.Summary, named bool) error {
	had := func(faults ...history.Fault) bool {
		return slices.ContainsFunc(over, func(r *history.Run) bool { return slices.Contains(faults, r.Fault) })
	}
	switch {
	case had(history.Failed, history.Killed):
		return exit.With(exit.Internal, nil)
	case had(history.Unread) || named && had(history.Absent):
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

// removeUnfinished removes what processes that were killed left of pages.
func removeUnfinished(pages string) {
	parts, _ := filepath.Glob(cluster.Pattern(pages, "*.part")) // the pattern is right
	for _, part := range parts {
		_ = os.Remove(part) // it is in nobody's way
	}
}

// pagesIn finds the page of a run among those in the folder out, which is read once.
func pagesIn(out string) func(history.Job) string {
	files, _ := os.ReadDir(filepath.Join(out, PagesName)) // there may be none
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[f.Name()] = true
	}
	return func(j history.Job) string {
		page := j.PageName()
		if !there[page] {
			return ""
		}
		return PagesName + "/" + url.PathEscape(page)
	}
}

// writeResults writes tables and report into the folder out, each whole or not at all,
// and scores on standard output.
func writeResults(c *cli.Context, out string, s *grading.Summary) error {
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{AnswersFile, s.WriteAnswers},
		{RunsFile, s.WriteRuns},
		{ReportFile, func(w io.Writer) error { return s.WriteReport(w, time.Now(), pagesIn(out)) }},
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
	for _, i := range s.Graded(grading.Wrong) {
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
