package main

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/automata/degeneralize"
	"pnmc/automata/reduce"
	"pnmc/automata/statistics"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/automata/translate"
	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/dot"
	"pnmc/hoa"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/picture"
)

const translateExamples = "pnmc translate 'G(a -> F b)' [options]\npnmc translate --ltl-file props.ltl --stats '%s %e %a'"

const translateDescription = `Prints an automaton for each formula, in the Hanoi Omega-Automata format, or drawn for
Graphviz: it accepts the runs that satisfy the formula. The kinds of automata are
   tgba   transition-based generalized Büchi automata
   ba     Büchi automata with state-based acceptance
   ta     testing automata, of stutter-invariant formulas only
   gta    generalized testing automata, which are TA with several acceptance sets
   tgta   transition-based generalized testing automata
of which the latter three have labels that tell which propositions change, and are drawn
as Spot's ltl2tgta draws them. In HOA an automaton is named after its formula, or as the
line of --ltl-file names it. Where its limits are reached while it is written, it ends with
--ABORT--, and lacks its last brace as a drawing.`

func translateFlags() []cli.Flag {
	return append(input.FormulaFlags(),
		&cli.StringFlag{Name: "to", Value: "tgba", Usage: "make this `KIND` of automaton: tgba, ba, ta, gta or tgta"},
		automatonFormatFlag(),
		utf8Flag(),
		&cli.BoolFlag{Name: "negate", Usage: "translate the negation of each formula"},
		&cli.StringFlag{Name: "stats", Usage: statsUsage},
		&cli.BoolFlag{Name: "one-line", Usage: "write each automaton on one line"},
		limits.DurationFlag("timeout", time.Minute, "give the translation of a formula up after this `TIME`"),
		limits.MemoryFlag(),
	)
}

// translateAction translates one formula after the other, and prints each automaton as soon as it
// is made. A formula that cannot be read, or reaches a limit, is reported, and the next one follows.
// In the end the exit code is Input if any was bad, else Unknown if any gave up.
func translateAction(c *cli.Context) error {
	texts := append(c.StringSlice("ltl"), c.Args().Slice()...)
	if len(texts) == 0 && c.String("ltl-file") == "" {
		return exit.UsageError("translate: expected a formula, or --ltl-file")
	}
	if err := checkAutomatonFormat(c); err != nil {
		return err
	}
	to, ok := kinds[c.String("to")]
	if !ok {
		return exit.UsageError("--to: expected tgba, ba, ta, gta or tgta, found %q", c.String("to"))
	}
	syntax, err := input.Syntax(c)
	if err != nil {
		return err
	}
	s := ltl.NewFormulas()
	list, err := input.Formulas(c, texts, ltl.Parser{Formulas: s, Syntax: syntax})
	if err != nil {
		return err
	}
	if c.String("format") == "svg" && len(list) > 1 {
		return exit.UsageError("--format svg: a picture has one automaton, there are %s", wording.Counted(len(list), "formula", "formulas"))
	}
	budget, err := limits.Budget(c)
	if err != nil {
		return err
	}
	m := progress.NewMessenger(c)
	var outcome error
	for i, f := range list {
		end := m.During(shortened(f.Name), "translating")
		a, err := translateFormula(c, s, f, to, budget)
		end()
		switch {
		case c.Context.Err() != nil:
			return exit.With(exit.Unknown, fmt.Errorf("%w: %s and what follows is not translated, %d of %s",
				context.Cause(c.Context), shortened(f.Name), len(list)-i, wording.Counted(len(list), "formula", "formulas")))
		case err == nil:
			if f.Named {
				called := *a
				called.Name = f.Name
				a = &called
			}
			err = printAutomaton(c, budget, a)
			var undrawn *dot.DrawingError
			if errors.Is(err, picture.ErrTooLarge) {
				undrawn = &dot.DrawingError{TooLarge: true, Message: err.Error()}
				err = undrawn
			}
			cut := errors.Is(err, errGaveUp)
			if !errors.As(err, &undrawn) && !cut {
				if err != nil {
					return err
				}
				continue
			}
			m.Fail("%s: %v", shortened(f.Name), err)
			if !cut && undrawn.TooLarge {
				err = fmt.Errorf("%w: %w", errGaveUp, err)
			}
		case f.Err != nil:
			m.Fail("%v", f.Err)
		default:
			m.Fail("%s: %v", shortened(f.Name), err)
		}
		if gaveUp := errors.Is(err, errGaveUp); !gaveUp || outcome == nil {
			outcome = exit.With(exit.Input, nil)
			if gaveUp {
				outcome = exit.With(exit.Unknown, nil)
			}
		}
	}
	return outcome
}

// longestQuotation is the number of characters of a formula that messages repeat.
const longestQuotation = 80

// shortened returns text with its middle left out if it is long.
//
// For example, of 200 characters it has the first 40 and the last 20, with three dots between
// them.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= longestQuotation {
		return text
	}
	begin, end := 0, len(text)
	for range longestQuotation / 2 {
		_, size := utf8.DecodeRuneInString(text[begin:])
		begin += size
	}
	for range longestQuotation / 4 {
		_, size := utf8.DecodeLastRuneInString(text[:end])
		end -= size
	}
	return text[:begin] + " … " + text[end:]
}

// errGaveUp means that a translation reached a limit.
var errGaveUp = errors.New("given up")

// translateFormula returns the automaton of a formula of the input, of the wanted kind.
// Any error other than a limit says that there is no automaton.
//
// The exit code depends on whether it is a limit. A formula that is not stutter-invariant has no
// TA however long one waits, and is bad input; one whose automaton has too many states may have
// one.
func translateFormula(c *cli.Context, s *ltl.Formulas, f input.Formula, to translation, budget petri.Budget) (*automata.Automaton, error) {
	if f.Err != nil {
		return nil, f.Err
	}
	if f.Unknown != nil {
		return nil, fmt.Errorf("%w: %w", errGaveUp, f.Unknown)
	}
	timed, cancel := limits.WithTimeout(c)
	defer cancel()
	ctx, cancel := limits.WithinMemory(timed, budget)
	defer cancel()
	a, err := to(ctx, s, f.Formula, translate.Options{Negate: c.Bool("negate")})
	switch {
	case err != nil && ctx.Err() != nil:
		err = fmt.Errorf("%w: %w", errGaveUp, context.Cause(ctx))
	case errors.Is(err, translate.ErrLimit), errors.Is(err, reduce.ErrTooManySets), approach.IsLimit(err):
		err = fmt.Errorf("%w: %w", errGaveUp, err)
	}
	return a, err
}

// translation makes an automaton of a formula that s made.
type translation func(ctx context.Context, s *ltl.Formulas, f *ltl.Formula, o translate.Options) (*automata.Automaton, error)

// kinds are the automata that --to names.
var kinds = map[string]translation{
	"tgba": translate.ToAutomaton,
	"ba":   toBuchi,
	"ta":   toLivelocks(testingautomata.NewTA),
	"gta":  toLivelocks(testingautomata.NewGTA),
	"tgta": func(ctx context.Context, s *ltl.Formulas, f *ltl.Formula, o translate.Options) (*automata.Automaton, error) {
		return translate.ToTGTA(ctx, s, f, o, translate.Smaller)
	},
}

// toBuchi makes a Büchi automaton, with what is known of it.
func toBuchi(ctx context.Context, s *ltl.Formulas, f *ltl.Formula, o translate.Options) (*automata.Automaton, error) {
	a, err := translate.ToAutomaton(ctx, s, f, o)
	if err != nil {
		return nil, err
	}
	b, err := degeneralize.Degeneralize(ctx, a)
	if err != nil {
		return nil, err
	}
	claimed := *b
	claimed.Claims = automata.DetectClaims(ctx, b) | a.Claims&automata.ClaimStutterInvariant
	return &claimed, nil
}

// toLivelocks makes a testing automaton with livelock acceptance by one of the
// constructions for that.
func toLivelocks(make func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error)) translation {
	return func(ctx context.Context, s *ltl.Formulas, f *ltl.Formula, o translate.Options) (*automata.Automaton, error) {
		a, err := translate.ToAutomaton(ctx, s, f, o)
		if err != nil {
			return nil, err
		}
		pruned, v, err := product.PrepareTesting(ctx, a, false) // claims of ToAutomaton are true
		if err != nil {
			return nil, err
		}
		return make(ctx, pruned, v)
	}
}

// statsUsage describes --stats, with all sequences that statistics.Format knows.
const statsUsage = "print `TEXT` for each automaton instead, with %s for its states, %e edges, %t transitions (an edge " +
	"for each valuation), %a acceptance sets, %g acceptance condition, %c strongly connected components, " +
	"%i initial states, %x atomic propositions, %k kind (plain, tgta or ta), %d 1 if deterministic, %p 1 if complete, " +
	"each else 0, %m or %f name, %% percent"

// automatonFormatFlag says in which format automata are written.
func automatonFormatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: "hoa", Usage: "write automata as hoa, as svg: a picture, or as `dot`: drawn for Graphviz, testing automata as Spot's ltl2tgta draws them"}
}

func utf8Flag() cli.Flag {
	return &cli.BoolFlag{Name: "utf8", Aliases: []string{"8"}, Usage: "draw testing automata with mathematical symbols"}
}

func drawing(c *cli.Context) dot.Style {
	return dot.Style{UTF8: c.Bool("utf8"), Generalized: c.String("to") == "gta"}
}

func checkAutomatonFormat(c *cli.Context) error {
	if f := c.String("format"); f != "hoa" && f != "dot" && f != "svg" {
		return exit.UsageError("--format: expected hoa, dot or svg, found %q", f)
	}
	return nil
}

// printAutomaton prints a, or figures of it, within the limits of a formula.
func printAutomaton(c *cli.Context, budget petri.Budget, a *automata.Automaton) error {
	timed, cancel := limits.WithTimeout(c)
	defer cancel()
	ctx, cancel := limits.WithinMemory(timed, budget)
	defer cancel()
	err := writeAutomaton(ctx, c, a)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w: not written whole: %w", errGaveUp, context.Cause(ctx))
	}
	return err
}

// writeAutomaton prints as printAutomaton does, within a context.
func writeAutomaton(ctx context.Context, c *cli.Context, a *automata.Automaton) error {
	switch {
	case c.IsSet("stats"):
	case c.String("format") == "dot":
		return drawing(c).Write(ctx, c.App.Writer, a)
	case c.String("format") == "svg":
		return drawing(c).Picture(ctx, c.App.Writer, a)
	default:
		return hoa.Write(ctx, c.App.Writer, a, hoa.Options{OneLine: c.Bool("one-line")})
	}
	line, err := statistics.Format(ctx, c.String("stats"), a)
	if err != nil && ctx.Err() == nil {
		return exit.UsageError("--stats: %w", err)
	}
	if err == nil {
		_, err = fmt.Fprintln(c.App.Writer, line)
	}
	return err
}
