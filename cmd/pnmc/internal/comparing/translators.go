package comparing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/cross"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// CrossExample is a command line of cross.
const CrossExample = "pnmc cross --formulas f.ltl -- 'ltl2tgba -H %f' 'ltl2tgta %f' 'pnmc translate %f' …"

// CrossDescription is the text of its help.
const CrossDescription = `Runs each translator on each formula and its negation, and compares the automata: no
word may be accepted for both, none for neither, and all translators must agree on
random state spaces and, with --pnml, on a net. A translator is a command that prints
an automaton in the Hanoi Omega-Automata format, or draws a testing automaton as Spot's
ltl2tgta does; no shell sees it. In it
   %f %s %l   stand for the formula in the syntax of Spot, SPIN, or LBT,
   %p         for the formula in a syntax that Spot, Owl and LTL3BA share,
   %F %S %L   for the name of a file with it,
   %O         for a file to write the automaton to, instead of standard output,
and {name}command gives it a name. A translator that crashes, takes too long, or
prints something else counts as a failure, and the others are compared.

Each difference is told with a word, with the translators that are wrong about it,
and with a smaller formula that shows a difference too.`

// CrossFlags returns the flags of cross.
func CrossFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringSliceFlag{Name: "formulas", Usage: "read formulas from `FILE`, one a line; - is standard input; may be repeated", TakesFile: true},
		&cli.StringSliceFlag{Name: "formula", Aliases: []string{"f"}, Usage: "take this `FORMULA`; may be repeated"},
		limits.DurationFlag("timeout", time.Minute, "give each single translation up after this `TIME`"),
		limits.DurationFlag("check-timeout", time.Minute, "give each single check up after this `TIME`"),
		limits.TotalTimeoutFlag("compare no further formula, and give up the present one,"),
		&cli.IntFlag{Name: "spaces", Value: 1, Usage: "compare on `N` random state spaces for each formula"},
		&cli.IntFlag{Name: "states", Value: 200, Usage: "of `N` states each"},
		&cli.Float64Flag{Name: "density", Value: 0.1, Usage: "with an edge between two states with this `PROBABILITY`"},
		&cli.Uint64Flag{Name: "seed", Usage: "take other state spaces, depending on `N`"},
		&cli.IntFlag{Name: "complement", Value: 2000, Usage: "complement nondeterministic automata of up to `N` states of complement; 0: none"},
		&cli.BoolFlag{Name: "no-shrink", Usage: "don't look for smaller formulas"},
		&cli.StringFlag{Name: "pnml", Usage: "compare on the net in `FILE` too; propositions are state predicates over it", TakesFile: true},
		&cli.StringFlag{Name: "net", Usage: "of several nets in the file, choose the one with this `ID`"},
		&cli.StringFlag{Name: "max-memory", Usage: "give a check up when the process comes close to this `SIZE`, such as 800MB or 4GB"},
		&cli.StringFlag{Name: "csv", Usage: "write the translations to `FILE` as comma-separated values", TakesFile: true},
		&cli.StringFlag{Name: "json", Usage: "write the report to `FILE` as JSON", TakesFile: true},
		told.FormatFlag(),
	}, progress.Flags()...)
}

// Cross checks the command line as a whole, compares all formulas, and writes the report.
// It exits with Violated if translators differ, else with Unknown if something failed or was not
// compared.
func Cross(c *cli.Context) error {
	defer limits.WithTotal(c)()
	if err := told.CheckFormat(c); err != nil {
		return err
	}
	var translators []cross.Translator
	for _, line := range c.Args().Slice() {
		t, err := cross.ParseCommand(line)
		if err != nil {
			return exit.UsageError("%w", err)
		}
		translators = append(translators, t)
	}
	cross.Distinguish(translators)
	if len(translators) == 0 {
		return exit.UsageError("cross: no translators (see pnmc cross --help)")
	}
	settings := cross.Settings{
		Timeout: c.Duration("timeout"), CheckLimit: c.Duration("check-timeout"),
		Spaces: c.Int("spaces"), States: c.Int("states"), Density: c.Float64("density"), Seed: c.Uint64("seed"),
		ComplementLimit: c.Int("complement"), Shrink: !c.Bool("no-shrink"),
	}
	if settings.Spaces < 0 || settings.Spaces > 0 && (settings.States < 1 || settings.States > maxSpaceStates) || settings.ComplementLimit < 0 {
		return exit.UsageError("cross: expected 1 to %d --states, and --spaces and --complement not negative", maxSpaceStates)
	}
	if !(settings.Density >= 0 && settings.Density <= 1) {
		return exit.UsageError("--density: expected a probability from 0 to 1, found %v", settings.Density)
	}
	within, err := withinMemory(c)
	if err != nil {
		return err
	}
	settings.Within = within
	if settings.Room, err = roomFor(c); err != nil {
		return err
	}
	if err := output.TryAll(c.String("csv"), c.String("json")); err != nil {
		return err
	}
	s := ltl.NewFormulas()
	formulas, err := crossFormulas(c, s)
	if err != nil {
		return err
	}
	m := progress.NewMessenger(c)
	if c.String("pnml") != "" {
		if settings.System, err = netSystem(c, m, s, formulas); err != nil {
			return err
		}
	}
	end := func() {}
	var translations atomic.Int64 // of the formula at hand
	settings.Progress = func(number, of int, formula string) {
		end()
		m.Phase("formula %d of %d: %s", number, of, formula)
		translations.Store(0)
		end = m.DuringParts(wording.OneLine(formula), func() []string {
			return crossParts(number, of, int(translations.Load()), 2*len(translators))
		})
	}
	settings.Translated = func(number, _ int) { translations.Store(int64(number)) }
	report, runErr := cross.Run(c.Context, s, formulas, translators, settings)
	end()
	if err := writeCross(c, report); err != nil {
		return err
	}
	why := interrupt.Reason(c.Context)
	var failed *cross.FileError
	if errors.As(runErr, &failed) {
		why = "a file for a translator can't be made"
	}
	if runErr != nil {
		m.Say("%s: %d of %s compared, the others are missing%s", why, report.Compared, wording.Counted(len(formulas), "formula is", "formulas are"), lackingFiles(c))
	}
	switch {
	case failed != nil:
		return exit.InputError(failed)
	case len(report.Differences) > 0:
		return exit.With(exit.Violated, nil)
	case runErr != nil || report.Failures() > 0 || report.Skipped > 0:
		return exit.With(exit.Unknown, nil)
	}
	return nil
}

// withinMemory makes contexts of checks that end where --max-memory does; nil without it.
func withinMemory(c *cli.Context) (func(context.Context) (context.Context, context.CancelFunc), error) {
	if !c.IsSet("max-memory") {
		return nil, nil
	}
	budget, err := limits.Budget(c)
	return func(ctx context.Context) (context.Context, context.CancelFunc) {
		return limits.WithinMemory(ctx, budget)
	}, err
}

// crossParts returns how far a comparison is.
func crossParts(number, of, translated, translations int) []string {
	parts := []string{fmt.Sprintf("formula %s of %s", wording.Grouped(int64(number)), wording.Grouped(int64(of)))}
	if translated < translations {
		return append(parts, fmt.Sprintf("%d of %d translations", translated, translations))
	}
	return append(parts, "comparing")
}

// lackingFiles names the files that lack the formulas which were not compared.
func lackingFiles(c *cli.Context) string {
	var files []string
	for _, flag := range []string{"csv", "json"} {
		if path := c.String(flag); path != "" {
			files = append(files, path)
		}
	}
	if len(files) == 0 {
		return ""
	}
	return ", in " + strings.Join(files, " and ") + " too"
}

// maxSpaceStates bounds random state spaces, which have about its square of edges.
const maxSpaceStates = 10000

// crossFormulas returns those of the flags.
func crossFormulas(c *cli.Context, s *ltl.Formulas) ([]cross.Formula, error) {
	var all []cross.Formula
	for _, text := range c.StringSlice("formula") {
		var f *ltl.Formula
		err := input.WithArgument(c, "--formula", func(limit logic.Limit) (err error) {
			f, err = ltl.Parser{Formulas: s, Limit: limit}.Parse(text)
			return err
		})
		var failed *exit.Failure
		if errors.As(err, &failed) {
			return nil, failed
		}
		if wording.OneLine(text) == "" {
			err = errors.New("expected a formula, found none")
		}
		if err != nil {
			return nil, exit.InputError(fmt.Errorf("--formula: %w", err))
		}
		all = append(all, cross.Formula{Formula: f})
	}
	for _, path := range c.StringSlice("formulas") {
		err := input.WithText(c, path, func(r io.Reader, file string) error {
			named, err := ltl.Read(r, file, ltl.Parser{Formulas: s, Limit: input.LimitOf(r)})
			for _, f := range named {
				all = append(all, cross.Formula{Name: f.Name, Formula: f.Formula})
			}
			if err == nil && len(named) == 0 {
				err = fmt.Errorf("%s: expected a formula, found none", file)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, exit.UsageError("cross: no formulas: give --formulas or --formula")
	}
	return all, nil
}

// roomFor returns a function that asks whether the memory limit has room for so many bytes.
func roomFor(c *cli.Context) (func(bytes int64) error, error) {
	budget, err := limits.Budget(c)
	return func(bytes int64) error {
		if budget.MemoryBytes > 0 && bytes > budget.MemoryBytes {
			return fmt.Errorf("copies of its text may take %d MB, for which the memory limit has no room", bytes>>20)
		}
		return nil
	}, err
}

// writeCross writes the report wherever it is wanted: what can't be written in one place is
// there in the others. Words and runs that are too long for the limits of a check are left out.
func writeCross(c *cli.Context, report *cross.Report) error {
	if err := leaveOut(c, report); err != nil {
		return err
	}
	var failed error
	for _, x := range []struct {
		flag  string
		write func(io.Writer) error
	}{{"csv", report.WriteCSV}, {"json", report.WriteJSON}} {
		if path := c.String(x.flag); path != "" {
			failed = errors.Join(failed, output.WriteBy(c.Context, path, x.write))
		}
	}
	if strings.EqualFold(c.String("format"), "json") {
		return errors.Join(failed, report.WriteJSON(c.App.Writer))
	}
	return errors.Join(failed, report.WriteText(c.App.Writer))
}

// leaveOut leaves out words and runs whose text is too long for what --max-memory gives, or takes longer
// than a check may.
func leaveOut(c *cli.Context, report *cross.Report) error {
	var budget petri.Budget
	if c.IsSet("max-memory") {
		var err error
		if budget, err = limits.Budget(c); err != nil {
			return err
		}
	}
	ctx, stop := account.Within(c.Context, budget)
	defer stop(nil)
	limit := c.Duration("check-timeout")
	report.LeaveOut(func(write func(io.Writer) error) error {
		if limit <= 0 {
			return limits.Fits(ctx, write)
		}
		timed, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("time limit of %s reached", limit))
		defer cancel()
		return limits.Fits(timed, write)
	})
	return nil
}
