// Package scheduler hands the work of a command to the scheduler of a cluster, and reports
// how that stands.
//
// In come flags, and jobs that need to be run. Out go arrays of jobs in Slurm, or a list of
// commands for another engine. Lines of text say what was handed out, how to look at it, and
// how to go on. How tasks are made and found again is in pnmc/internal/cluster. Next are the
// commands batch and bench.
package scheduler

import (
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/internal/cluster"
)

// Cores are those of a task unless a flag says otherwise: the contest gives a run as many.
const Cores = 4

// slurmFlags are those that only mean something with --slurm.
var slurmFlags = []string{"partition", "account", "at-once", "slurm-flag"}

// Flags returns the flags that hand the work of a command to a scheduler. things is what the
// work is made of, in the plural.
func Flags(things string) []cli.Flag {
	taskTime := limits.DurationFlag("task-time", 30*time.Minute, "pack short "+things+" into tasks that are expected to take this `TIME`")
	return []cli.Flag{
		&cli.BoolFlag{Name: "slurm", Usage: "submit what is missing to Slurm, as arrays of tasks with some " + things + " each"},
		&cli.StringFlag{Name: "partition", Usage: "of Slurm, use this `NAME`d partition"},
		&cli.StringFlag{Name: "account", Usage: "of Slurm, use this `NAME`d account"},
		&cli.IntFlag{Name: "cores", Usage: "give each task this `NUMBER` of cores", DefaultText: "4 with --slurm"},
		&cli.IntFlag{Name: "at-once", Usage: "let Slurm run at most this `NUMBER` of tasks of an array at the same time"},
		&cli.StringSliceFlag{Name: "slurm-flag", Usage: "give sbatch this `FLAG` too, such as --qos=long; may be repeated"},
		taskTime,
		&cli.BoolFlag{Name: "wait", Usage: "wait until Slurm has no task of it any more, and then report"},
	}
}

// Wishes returns what flags ask of Slurm.
func Wishes(c *cli.Context) (cluster.Wishes, error) {
	w := cluster.Wishes{
		Partition: c.String("partition"), Account: c.String("account"), Cores: c.Int("cores"),
		AtOnce: c.Int("at-once"), Extra: c.StringSlice("slurm-flag"),
	}
	for _, name := range []string{"cores", "at-once"} {
		if c.IsSet(name) && c.Int(name) < 1 {
			return w, exit.UsageError("--%s: expected a number from 1 on, found %d", name, c.Int(name))
		}
	}
	if !c.Bool("slurm") {
		for _, name := range slurmFlags {
			if c.IsSet(name) {
				return w, exit.UsageError("--%s: expected --slurm beside it", name)
			}
		}
		return w, nil
	}
	if slices.ContainsFunc(w.Extra, func(f string) bool { return len(f) < 2 || f[0] != '-' }) {
		return w, exit.UsageError("--slurm-flag: expected a flag of sbatch such as --qos=long, found %q", w.Extra)
	}
	if err := w.Check(); err != nil {
		return w, exit.UsageError("--slurm-flag: %w", err)
	}
	if w.Cores == 0 {
		w.Cores = Cores
	}
	return w, nil
}
