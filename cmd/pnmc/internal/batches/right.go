package batches

import (
	"slices"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/batches/grading"
	"pnmc/cmd/pnmc/internal/batches/tasks"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// oracleOf reads the right answers that --oracle names, if it does, to jobs for which of returns true. They
// are read within the time of the command.
func oracleOf(c *cli.Context, of func(history.Job) bool) (*grading.Oracle, error) {
	path := c.String("oracle")
	if path == "" {
		return nil, nil
	}
	oracle, err := grading.ReadOracle(c.Context, path, of)
	switch {
	case err == nil:
		return oracle, nil
	case c.Context.Err() != nil:
		return nil, exit.With(exit.Unknown, err)
	}
	return nil, exit.InputError(err)
}

// oracleFor reads the right answers to the runs of a plan, and to those that are known in its folder of
// results: an earlier batch there may have been of others, which the report has, too.
func oracleFor(c *cli.Context, plan *batch.Plan) (*grading.Oracle, error) {
	if c.String("oracle") == "" {
		return nil, nil
	}
	paths, err := tasks.Journals(c.String("out"))
	if err != nil {
		return nil, exit.InputError(err)
	}
	known, err := history.ReadEnds(paths)
	if err != nil {
		return nil, exit.InputError(err)
	}
	planned := make(map[string]bool, len(plan.Instances))
	for _, i := range plan.Instances {
		planned[i.Name] = true
	}
	return oracleOf(c, func(j history.Job) bool {
		return known[j] != nil || planned[j.Instance] && slices.Contains(plan.Examinations, j.Examination)
	})
}

// oracleOfRuns reads the right answers to runs.
func oracleOfRuns(c *cli.Context, runs []*history.Run) (*grading.Oracle, error) {
	known := make(map[history.Job]bool, len(runs))
	for _, r := range runs {
		known[r.Job] = true
	}
	return oracleOf(c, func(j history.Job) bool { return known[j] })
}
