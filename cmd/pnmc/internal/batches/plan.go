package batches

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/internal/suggest"
	"pnmc/mcc"
	"pnmc/mcc/batch"
)

// batchPlan returns what flags and arguments ask to run.
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
	plan.Command, plan.UnreadCode, plan.LimitCode = []string{program, "mcc"}, exit.Input, exit.Unknown
	if c.Bool("pages") {
		pages, err := filepath.Abs(filepath.Join(c.String("out"), PagesName))
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
