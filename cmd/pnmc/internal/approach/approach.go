// Package approach has the flags that say how questions are decided: by which kind of
// automaton, and how decision diagrams explore.
//
// In come flags, out go settings of pnmc/checker/product, pnmc/checker/diagram and
// pnmc/symbolic, and automata of the kind that was named. Next are the commands.
package approach

import (
	"context"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/complement"
	"pnmc/automata/degeneralize"
	"pnmc/automata/reduce"
	"pnmc/automata/testingautomata"
	"pnmc/checker/diagram"
	"pnmc/checker/inquiry"
	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/smtlib"
	"pnmc/symbolic"
)

// Flags returns the flags that say by which kind of automaton properties are checked.
func Flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "approach", Value: "auto", Usage: "decide by all engines at once, auto; or check linear temporal logic by this `KIND` of automaton alone: tgba, ba, ta or tgta; or on decision diagrams: sym-tgba, sym-tgta or sym-slap"},
		&cli.BoolFlag{Name: "distrust", Value: true, Usage: "find out whether an automaton that is not our own translation is stutter-invariant, whatever it claims; with --distrust=false, kinds of automata believe a claim unless a quick look refutes it"},
		StubbornFlag("on with --approach auto, else off"),
		WithoutFlag(),
		SolverFlag(),
		&cli.BoolFlag{Name: "built", Usage: "make testing automata as a whole and reduce them, not on the fly"},
		&cli.StringFlag{Name: "saturation", Value: "on", Usage: "on decision diagrams, turn saturation of products `on|off`"},
		&cli.StringFlag{Name: "state-variable", Value: symbolic.DefaultStateVariable.String(),
			Usage: "on decision diagrams, `PLACE` the automaton's state: log-top, top, log-bottom or bottom; log- for a variable a bit"},
	}
}

// StubbornFlag says whether firings are left out of state graphs.
func StubbornFlag(byDefault string) cli.Flag {
	return &cli.StringFlag{Name: "por", DefaultText: byDefault,
		Usage: "turn partial order reduction `on|off`: where state graphs are explored, leave out firings that stubborn sets tell are not needed for a deadlock, a goal, or linear time"}
}

// SolverFlag names a solver modulo theories.
func SolverFlag() cli.Flag {
	return &cli.StringFlag{Name: "smt-solver", DefaultText: "none", Usage: "ask `COMMAND` about reachable markings and invariants, too: z3, cvc5, yices, or another that reads SMT-LIB 2 from standard input; what it says is certified here, and runs are replayed"}
}

// CheckSolver returns an error of usage if there is no such program, or it would not be asked.
func CheckSolver(c *cli.Context) error {
	if !c.IsSet("smt-solver") {
		return nil
	}
	if kind := c.String("approach"); kind != "" && kind != product.Auto.String() {
		return exit.UsageError("--smt-solver is for --approach auto")
	}
	if _, err := smtlib.ParseCommand(c.String("smt-solver")); err != nil {
		return exit.UsageError("--smt-solver: %w", err)
	}
	return nil
}

// WithoutFlag names techniques to leave out, to see what they add.
func WithoutFlag() cli.Flag {
	return &cli.StringFlag{Name: "without", Usage: "leave out `TECHNIQUES`, with commas between: " + strings.Join(inquiry.Avoidable(), ", ") + "; what remains gives the same answers, or fewer"}
}

// Without returns the techniques that are left out, by --without and by settings.
func Without(c *cli.Context, s product.Settings) (left inquiry.Techniques, err error) {
	if c.IsSet("without") {
		if s.Approach != product.Auto {
			return 0, exit.UsageError("--without is for --approach auto")
		}
		if left, err = inquiry.ParseTechniques(c.String("without")); err != nil {
			return 0, exit.UsageError("--without: %w", err)
		}
	}
	if !s.Stubborn {
		left |= inquiry.StubbornSets
	}
	return left, nil
}

// Stubborn returns what --por says, or the default.
func Stubborn(c *cli.Context, byDefault bool) (bool, error) {
	switch c.String("por") {
	case "on":
		return true, nil
	case "off":
		return false, nil
	case "":
		if !c.IsSet("por") {
			return byDefault, nil
		}
	}
	return false, exit.UsageError("--por: expected on or off, found %q", c.String("por"))
}

// DistrustFlag says that no claim is believed.
func DistrustFlag() cli.Flag {
	return &cli.BoolFlag{Name: "distrust", Usage: "find out whether an automaton is stutter-invariant, whatever it claims; a claim is believed otherwise, unless a quick look refutes it"}
}

// Settings returns what the flags say.
func Settings(c *cli.Context) (product.Settings, error) {
	s := product.Settings{Distrust: c.Bool("distrust"), Built: c.Bool("built")}
	var err error
	if s.Approach, err = product.ParseApproach(c.String("approach")); err != nil {
		return s, exit.UsageError("--approach: %w", err)
	}
	if s.Approach == product.Auto && c.String("etf") != "" {
		s.Approach = product.BySymbolicTGTA
	}
	if s.Stubborn, err = Stubborn(c, s.Approach == product.Auto); err != nil {
		return s, err
	}
	if c.String("por") == "on" && s.Approach.Symbolic() {
		return s, exit.UsageError("--por is for state graphs, not for decision diagrams")
	}
	if c.Bool("built") && s.Approach == product.Auto {
		return s, exit.UsageError("--built is for the approaches ta, tgta and sym-tgta")
	}
	if c.IsSet("saturation") && !s.Approach.Symbolic() {
		return s, exit.UsageError("--saturation is for the approaches sym-tgba, sym-tgta and sym-slap")
	}
	if c.IsSet("state-variable") && s.Approach != product.BySymbolicTGBA && s.Approach != product.BySymbolicTGTA {
		return s, exit.UsageError("--state-variable is for the approaches sym-tgba and sym-tgta")
	}
	if !s.Approach.Symbolic() && c.String("etf") != "" {
		return s, exit.UsageError("--approach: models in ETF are checked by sym-tgba, sym-tgta or sym-slap, not by %v", s.Approach)
	}
	return s, nil
}

// DiagramSettings returns what the flags say to approaches on decision diagrams.
func DiagramSettings(c *cli.Context, a product.Settings) (diagram.Settings, error) {
	s := diagram.Settings{Approach: a.Approach, Distrust: a.Distrust, Built: a.Built}
	switch c.String("saturation") {
	case "on":
	case "off":
		s.NoSaturation = true
	default:
		return s, exit.UsageError("--saturation: expected on or off, found %q", c.String("saturation"))
	}
	var err error
	if s.StateVariable, err = symbolic.ParseStateVariable(c.String("state-variable")); err != nil {
		return s, exit.UsageError("--state-variable: %w", err)
	}
	return s, nil
}

// Kinds are what --to can turn automata into.
var Kinds = []string{"tgba", "ba", "ta", "gta", "tgta"}

// IsLimit reports whether err says that a conversion takes too much, rather
// than that there is none.
func IsLimit(err error) bool {
	for _, limit := range []error{
		testingautomata.ErrTooLarge, bdd.ErrTooLarge, complement.ErrConditionTooLarge,
		complement.ErrBuchiTooLarge, testingautomata.ErrStutterUnknown, automata.ErrTooManyChanges,
	} {
		if errors.Is(err, limit) {
			return true
		}
	}
	return false
}

// isOfKind reports whether a testing automaton is one of the kind that --to names. A TA has
// one acceptance set beside those of livelocks and changes, a GTA any number.
func isOfKind(a *automata.Automaton, to string) bool {
	switch a.Kind {
	case automata.TGTA:
		return to == "tgta"
	case automata.TA:
		n, ok := a.Acceptance.LivelockSets()
		return to == "gta" || to == "ta" && (n == 1 || !ok)
	}
	return false
}

// Convert turns an automaton into another kind, a testing automaton by way of the
// plain one that it stands for.
//
// An automaton that is of the kind already is returned as it is, and not made smaller. Any other
// testing automaton becomes one that reads valuations first. Of a TA it is then known that its
// language is stutter-invariant, as each state stutters. For tgba and ba it gets generalized
// Büchi acceptance, and for ba it is degeneralized. For testing automata it is found out what is
// known of its stuttering, which their construction needs.
func Convert(ctx context.Context, a *automata.Automaton, to string, distrust bool) (*automata.Automaton, error) {
	if isOfKind(a, to) {
		return a, nil
	}
	stutters := a.Kind == automata.TA // in each state, whatever it accepts
	a, err := automata.ReadingValuations(ctx, a)
	if err != nil {
		return nil, err
	}
	if stutters {
		a.Claims |= automata.ClaimStutterInvariant
	}
	if to == "ba" || to == "tgba" {
		b, err := complement.WithGeneralizedBuchi(ctx, a)
		if err != nil {
			return nil, err
		}
		change := reduce.Prune
		if to == "ba" {
			change = degeneralize.Degeneralize
		}
		if b, err = change(ctx, b); err == nil {
			b.Name = a.Name
		}
		return b, err
	}
	a, v, err := product.PrepareTesting(ctx, a, distrust)
	if err != nil {
		return nil, err
	}
	switch to {
	case "ta":
		return testingautomata.NewTA(ctx, a, v)
	case "gta":
		return testingautomata.NewGTA(ctx, a, v)
	}
	return testingautomata.NewTGTA(ctx, a, v)
}
