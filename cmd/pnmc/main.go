// Command pnmc answers questions about Petri nets.
//
// In come flags and files, out go verdicts and exit codes. Flags, files, signals
// and progress are dealt with here; whatever decides lies in the packages, most
// of all in checker.
//
// The files:
//
//	main, commands, exit_texts, way_on, version,
//	man, completion                     the program as a whole, its help, its end
//	check, mcc, mcc_page, batch         questions: the main command, those of the contest, a whole contest
//	states, states_symbolic, disk       state spaces
//	reduce, reduce_map, unfold          nets: smaller, unfolded
//	convert, view                       nets in another format, drawn
//	play, play_runs                     nets played, along runs of a file
//	translate, convert_automata         formulas and automata; those that compare them are in
//	                                    internal/comparing
//	bench                               approaches compared
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	_ "pnmc/cmd/pnmc/internal/start"
	_ "pnmc/cmd/pnmc/internal/start/halfway"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/process"
)

func main() {
	// Packages that are linked in have set up their variables, all over the program. This command uses few of
	// them, and would add what it uses to all these pages. Package start has done this in the middle of it.
	process.ForgetProgram()
	ctx, cancel := context.WithCancelCause(context.Background())
	ctx, files := output.WithUnfinished(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // a terminal that is closed interrupts, unless nohup was asked to see to it
		signal.Notify(signals, syscall.SIGHUP)
	}
	// Who reads the output may end first: writing then fails, which the command tells,
	// instead of the process being killed with files half done.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	// A standard output that is closed (>&-) loses what is written, and the exit code does not tell. Before
	// the first line of a program, Go's runtime opens the null device in the place of descriptors 0 to 2
	// that are closed, for reading and writing. Who starts a daemon, or a process that is to be silent,
	// does the same on purpose, so that the two look alike: a guess would make these fail.
	command := func() int { return run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr) }
	os.Exit(interrupt.Supervise(command, signals, func() { cancel(interrupt.ErrInterrupted) }, files, wayOn(os.Args), os.Stderr))
}

// run returns the command without its process: the exit code for these arguments.
//
// First come requests of shells for candidates, which nothing may disturb. Then the arguments are
// checked and sorted, as the library would misunderstand some, and the command runs. Whatever it
// returns, output that could not be written is the first thing to tell: who reads half a file
// must not see the exit code of a whole one. A panic is an internal error, with its stack.
func run(ctx context.Context, arguments []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if defect := recover(); defect != nil {
			fmt.Fprintf(stderr, "pnmc: internal error: %v\n%s", defect, debug.Stack())
			code = exit.Internal
		}
	}()
	out := output.Watch(ctx, "standard output", stdout)
	stderr = output.WatchPipe(ctx, "standard error", stderr)
	app := newApp(stdin, out, stderr)
	process.ForgetProgram() // what describes all commands with their flags, of which one is wanted
	ctx, told := interrupt.WithTold(ctx)
	defer func() {
		if interrupt.WasInterrupted(ctx) && !told.Way.Load() && wayOn(arguments) != "" {
			fmt.Fprint(stderr, wording.Complaint(wayOn(arguments)))
		}
	}()
	if usage.OfferValues(app, arguments) {
		return exit.Holds
	}
	err := usage.Check(app, arguments)
	if err == nil {
		arguments = usage.FlagsFirst(app, usage.WithoutEmptyWord(arguments))
		app.Metadata[usage.ArgumentsKey] = arguments
		err = app.RunContext(ctx, arguments)
	}
	if out.Err != nil {
		fmt.Fprintf(stderr, "pnmc: standard output: %v\n", out.Err)
		return exit.Input
	}
	if err == nil {
		return exit.Holds
	}
	var f *exit.Failure
	if !errors.As(err, &f) {
		f = exit.With(exit.Usage, err)
	}
	if errors.Is(err, interrupt.ErrInterrupted) { // whatever was being done
		f.Code = exit.Unknown
	}
	if text := f.Error(); text != "" {
		fmt.Fprint(stderr, wording.Complaint(text))
	}
	return f.Code
}

// newApp returns the command line of the program with all its commands.
func newApp(stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	flags := checkFlags()
	process.ForgetProgram() // what describes them, and then the commands, of which one is wanted
	return &cli.App{
		Name:  "pnmc",
		Usage: "check a Petri net against temporal formulas or ω-automata",
		UsageText: "pnmc --pnml net.pnml --ltl 'G(\"p1>=2\" -> F fireable(t3))'\n" +
			"pnmc --pnml net.pnml --ctl 'AG EF p1 >= 2' --deadlock --bound 'p1 + p2'\n" +
			"pnmc --pnml net.pnml --hoa prop.hoa\n" +
			"ltl2tgba -f '!(G F \"p1>=2\")' | pnmc --pnml net.pnml --hoa -\n" +
			"ltl2tgta --tgta -f '!(G F \"p1>=2\")' | pnmc --pnml net.pnml --tgta -\n" +
			"pnmc COMMAND [options]",
		Description: rootDescription + "\n\n" + exitCodesOf("pnmc"),
		Reader:      stdin, Writer: stdout, ErrWriter: stderr,
		Flags:                flags,
		Action:               checkAction,
		Commands:             commands(),
		EnableBashCompletion: true,
		HideVersion:          true,
		Metadata:             map[string]any{limits.AllowanceKey: &limits.Allowance{}},
		ExitErrHandler:       func(*cli.Context, error) {},
		OnUsageError:         usage.OnError,
		Before:               usage.CheckFlags("", flags),
		// Formulas have commas in them.
		DisableSliceFlagSeparator: true,
	}
}

const rootDescription = `Questions are asked by flags, any number of them, and are answered in their order:
   --ltl, --ltl-file          whether all runs satisfy a formula of linear temporal logic
   --hoa, --tgta              whether no run is accepted by an automaton: that of the negated
                              property, in HOA, or a testing automaton (TGTA, TA or
                              GTA) that ltl2tgta drew
   --ctl, --ctl-file          whether the initial marking satisfies a formula of CTL
   --reachable, --invariant   whether some, or each, reachable marking satisfies a predicate
   --bound                    the largest value that a sum or product of places gets
   --deadlock --live --quasi-live --safe --stable
   --queries                  what files of the Model Checking Contest or of TAPAAL ask
State predicates are such as
   p1>=2   tokens(p,q) < 3   is-fireable("t1")   t1?   deadlock   p1<=p2 & !p3
with places and transitions by identifier or, failing that, by name; --ap gives opaque
names a meaning. In linear temporal logic they stand in double quotes where they are not
plain, and a deadlock repeats its last marking for ever. In CTL a deadlock ends the path.
Files may be compressed by gzip.

All engines race for the answers, on nets with and without colours: decision diagrams,
state graphs, random walks, the state equation, and reductions of the net. --smt-solver
z3 has another program asked about reachability, too, with its answers certified. With
--disk what they can't decide in memory of reachability and deadlocks goes on on disk.
--approach names one kind of automaton for linear temporal logic instead. What an
automaton claims of itself is not believed.

Formulas of linear temporal logic are written as Spot does, with ! & | -> <-> xor X F G
U R W M, or as SPIN or LBT; those of CTL as TAPAAL does: 'AG EF p1 >= 2', 'A(p U q)',
'AG(fireable(t) -> AF deadlock)'.
pnmc translates the former itself, unless --translator names a program that does, such as
   --translator 'ltl2tgba -H -f {}'
No shell sees it. Instead of {} it can have %s or %l, for the formula in SPIN's or LBT's
syntax with plain names of propositions, and %F, %S or %L, for the name of a file with
the formula, and %O, for that of a file to write the automaton to. A translation that
fails makes the verdict unknown.

Each question gets one line on standard output, once its files could be read within the limits,
   FORMULA <name> TRUE|FALSE TECHNIQUES ...      TRUE: the property holds
   FORMULA <name> <number>|+inf TECHNIQUES ...   of --bound
   FORMULA <name> CANNOT_COMPUTE                 the reason is on standard error
or, with --format json, one object. The name may contain spaces. Where standard error is
a terminal, a sentence there tells each verdict in words. --trace writes the runs that
show verdicts; each was replayed on the net. --trace run.html is a page that plays them
in a browser.`
