package main

import (
	"runtime"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/measure"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/scheduler"
)

func benchFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "pnml", Aliases: []string{"model"}, Usage: "read the net from `FILE`", TakesFile: true},
		&cli.StringFlag{Name: "net", Usage: "of several nets in the file, choose the one with this `ID`"},
		&cli.StringSliceFlag{Name: "formulas", Usage: "take the formulas, one a line, or if it ends in .hoa or .dot automata, in `FILE`; may be repeated", TakesFile: true},
		&cli.StringFlag{Name: "ltl-syntax", Value: "spot", Usage: "read formulas in this `SYNTAX`: spot, spin or lbt"},
		&cli.StringFlag{Name: "ap", Usage: "read from `FILE` what names of propositions mean", TakesFile: true},
		&cli.StringFlag{Name: "approaches", Value: "ba,tgba,ta,tgta", Usage: "compare these `KINDS` of automata"},
		approach.DistrustFlag(),
		input.StrictFlag(),
		&cli.BoolFlag{Name: "built", Usage: "make testing automata as a whole and reduce them, not on the fly, so that their whole sizes are measured"},
		&cli.StringFlag{Name: "lines", Usage: "of each file, take the formulas with these `NUMBERS` only, such as 1,4,10-20"},
		&cli.BoolFlag{Name: "graph-first", Usage: "explore the whole state graph before the first check, so that times are those of the products alone"},
		&cli.BoolFlag{Name: "full", Value: true, Usage: "also explore the whole product of violated properties, which may take much longer than to find them violated; --full=false does not"},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write measurements to `FILE`, or go on with those it has", TakesFile: true},
		&cli.BoolFlag{Name: "retry", Usage: "measure again what ended without a verdict, whatever the limits were"},
		&cli.StringFlag{Name: "plots", Usage: "draw scatter plots into `DIRECTORY`", TakesFile: true},
		&cli.StringFlag{Name: "report", Usage: "write the measurements as a page that sorts and filters, and beside it one that plays runs of violated properties, to `FILE.html`", TakesFile: true},
		&cli.IntFlag{Name: "jobs", Usage: "run this `NUMBER` of checks side by side, each in a process of its own with a share of the memory", Value: runtime.NumCPU(), DefaultText: "one a core"},
		&cli.BoolFlag{Name: "status", Usage: "tell how far measurements for the file of --output are that a scheduler makes"},
		&cli.BoolFlag{Name: "cancel", Usage: "end all that Slurm measures for the file of --output, or would measure"},
		&cli.StringFlag{Name: "emit-jobs", Usage: "write a command for each task of what is missing to `FILE`, for another engine to run", TakesFile: true},
		measure.TaskFlag(),
		limits.TotalTimeoutFlag("begin no further measurement, and leave out those that go on,"),
	}, append(append(append(append(measure.DiagramFlags(), measure.GrowthFlags()...), input.TranslatorFlags()...), limits.Flags(" (each check has it anew)")...), append(scheduler.Flags("measurements"), progress.Flags()...)...)...)
}

const benchDescription = `Checks each formula by each approach, and prints averages and maxima of states and
transitions of automata, whole products and emptiness checks, verified and violated
properties apart. A table has the properties that all approaches decided; those to which
some do not apply, as TA do to properties that are not stutter-invariant, have a table of
the others; who is left out, and why, is below each. Automata of ta and tgta are made on
the fly unless --built is given: their sizes are then those of the parts that checks met.
If --plots names a directory, what emptiness checks explored and what whole products have
is drawn, the last approach against each other one. Formulas are negated, automata in HOA
are of negations.

Each measurement is written to the file that --output names as soon as it is made: a line
of comma-separated values. Lines that are there are kept, and what they have is not
measured again, but where a limit of time or memory ended it that is larger now, or where
it lacks the whole product that is asked for now; then the last line with a verdict counts.
Lines for another net, another formula of the same number, or testing automata made
otherwise (--built, --distrust) are refused: they need another file. A last line that an
interruption cut off is cut away. The columns settings, time_limit (seconds), memory_limit
(bytes a job; 0 is none) and input (a fingerprint of net and property) tell what a
measurement was made for, host and processor where; files of earlier versions lack them, and
are taken as they are.

Without --output, measurements are written to a new file in the folder for temporary files,
which is told. --report writes a page with the table, each violated property leading to a
run that violates it, which all engines look for anew, for ten seconds at most.

If bench is interrupted, it says how many are missing, and the tables say that
they are partial: the same command with the same file goes on. A second bench that would
write to the same file at the same time is refused. Files and plots that can't be
written are told before anything is measured.

With more than one of --jobs each measures in a process of its own, so that neither the time
nor the memory of a check depends on its neighbours: of the memory 24 MB are for the process
that hands out measurements, the rest is divided between the others. As many run as can have
40 MB. A process that ends without its measurement leaves it without a verdict, and why.

With --slurm the measurements that are missing are packed into tasks and submitted to Slurm;
--emit-jobs lists a command for each task, for other schedulers. Both need --output,
--timeout and --max-memory, which each measurement has; --jobs of them run side by side in a
task, one unless it is given. Tasks write files of their own into the folder FILE.tasks beside
that of --output, which all nodes must see; the same command takes in what they have, submits
what is missing, and nothing that waits or runs, and prints the tables when all is there.
docs/cluster.md tells more.

Approaches on decision diagrams share the reachable states: they are explored once, before
the first check, within the time that a check has.

With --states FILE no properties are checked. Instead the state space of the net in FILE is
explored by each number of --threads, --runs times in turn, one exploration after the other,
each in a process of its own with all of the time and the memory. The table has medians;
--plots draws states-time.svg and states-memory.svg, by the number of states, and
states-threads.svg. Explorations that count differently are an internal error.

Formulas that are wrong are told and left out; the exit code is then 4.`
