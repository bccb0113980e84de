package main

import (
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/scheduler"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/mcc/batch/history"
)

const batchDescription = `Each argument is a folder with a model.pnml and property files, a folder of such
folders and archives, or an archive (.tgz) as the contest distributes them. Each examination
of each instance runs in a process of its own, as "pnmc mcc" does, and is killed at its limits
(at that of memory on Linux only; elsewhere the process minds it itself).

The folder of results gets ` + history.FileName + `, which has each answer from the moment it was
given, and in the end ` + batches.AnswersFile + `, ` + batches.RunsFile + ` and ` + batches.ReportFile + `, a page that needs no network.
The same command goes on with a batch that was interrupted, or writes its report again;
examinations and instances can be added then. Two batches at once need two folders of
results: the second in one is refused.

With --pages each run writes a page with its answers into the folder ` + batches.PagesName + ` there, when all
are given: the report links to them. A run that is killed leaves none.

Right answers, for --oracle, are files of answer lines below a line with instance and
examination, named *.out, in a folder; or a table of comma-separated values, with instance,
examination and the verdicts of all formulas, as the contest publishes its results.

With --slurm the runs that are missing are packed into tasks and submitted to Slurm, in arrays
of jobs; the folder of results must be on a file system that all nodes share. Each task writes
a journal of its own there, and reports merge them. The same command submits what is missing
then, as its node failed, its time was over or it was preempted, and nothing that waits or runs;
when all is over it writes the report. --emit-jobs writes a command for each task instead, for
GNU parallel, xargs, HTCondor, Snakemake or Kubernetes. --plan only tells what there is to run
and how long that takes. Times are expected from the journals of the folder and of --expect, or
by the size of nets. docs/cluster.md tells more.`

func batchFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "examinations", Value: usage.AllExaminations, Usage: "run these `NAMES`, with commas between them, or all that an instance has files for"},
		limits.DurationFlag("time", time.Minute, "give each run this `TIME`, such as 90s or 10m; a number is seconds"),
		limits.TotalTimeoutFlag("begin no further run, and end those that go on without what they have not answered yet,"),
		&cli.StringFlag{Name: "memory", Value: "4GB", Usage: "give each run this `SIZE` of memory, such as 800MB or 4G"},
		&cli.IntFlag{Name: "jobs", Value: 1, Usage: "run this `NUMBER` of processes side by side"},
		&cli.StringFlag{Name: "out", Value: "results", Usage: "write results into `FOLDER`, or go on with those it has", TakesFile: true},
		&cli.BoolFlag{Name: "pages", Usage: "write pages that play the runs which show answers, for a browser; the report links to them"},
		&cli.StringFlag{Name: "oracle", Usage: "compare with the right answers in `FOLDER|FILE`", TakesFile: true},
		&cli.BoolFlag{Name: "status", Usage: "tell how far the batch of a folder of results is"},
		&cli.BoolFlag{Name: "report", Usage: "write the report of what a folder of results has"},
		&cli.BoolFlag{Name: "cancel", Usage: "end all that Slurm runs for a folder of results, or would run"},
		&cli.StringFlag{Name: "emit-jobs", Usage: "write a command for each task of what is missing to `FILE`, for another engine to run", TakesFile: true},
		&cli.BoolFlag{Name: "plan", Usage: "tell what there is to run, in how many tasks, and how long that takes"},
		&cli.IntFlag{Name: "nodes", Value: 100, Usage: "for --plan, run tasks on this `NUMBER` of nodes"},
		&cli.IntFlag{Name: "tasks-per-node", Value: 1, Usage: "for --plan, run this `NUMBER` of tasks on each node at the same time"},
		&cli.StringSliceFlag{Name: "expect", Usage: "expect runs to take as long as those in this `FOLDER` of results did; may be repeated", TakesFile: true},
	}, append(scheduler.Flags("runs"), progress.Flags()...)...)
}
