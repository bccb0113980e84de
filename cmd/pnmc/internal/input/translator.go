package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cross"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// TranslatorFlags returns flags that say who translates formulas.
func TranslatorFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "translator", Usage: "let `COMMAND` translate formulas: it gets one where {} stands, or at its end, and prints an automaton; %f instead is the formula in Spot's syntax, %s in SPIN's, %l in LBT's"},
		limits.DurationFlag("translation-timeout", time.Minute, "give the translation of a formula up after this `TIME`"),
	}
}

// Translator makes automata of formulas, by a program or by itself.
type Translator struct {
	limit    time.Duration // none if it is not positive
	External *cross.Command
	Plain    bool // the program gets plain names of propositions
	budget   petri.Budget
	Warn     func(before, text string)
}

// NewTranslator returns the translator that the flags name. It passes to warn what a
// program complains about.
func NewTranslator(c *cli.Context, budget petri.Budget, warn func(before, text string)) (*Translator, error) {
	t := &Translator{limit: c.Duration("translation-timeout"), budget: budget, Warn: warn}
	if !c.IsSet("translator") {
		return t, nil
	}
	line := c.String("translator")
	var err error
	if t.External, t.Plain, err = ExternalTranslator(line); err != nil {
		return nil, exit.UsageError("--translator: %w", err)
	}
	return t, nil
}

// ExternalTranslator reads a command line: {} in it is the place of the formula, as
// are %f and its like, which package cross describes. Only Spot's syntax is known to
// have names in quotes, so that formulas in any other get plain names.
//
// For example, "ltl2tgba -B" becomes ltl2tgba -B %p, whose formulas have plain names such as p0,
// and "ltl2tgba -f %f" stays as it is, with the names of the formula in quotes.
func ExternalTranslator(line string) (command *cross.Command, plain bool, err error) {
	rest := strings.ReplaceAll(line, "%%", "")
	has := func(letters string) bool {
		return slices.ContainsFunc(strings.Split(letters, ""), func(l string) bool { return strings.Contains(rest, "%"+l) })
	}
	plain = has("sSlLpP") || strings.Contains(line, "{}") || !has("fF")
	switch {
	case strings.TrimSpace(line) == "":
		return nil, false, errors.New("expected a command")
	case strings.Contains(line, "{}"):
		line = strings.ReplaceAll(line, "{}", "%p")
	case !has("fFsSlLpP"):
		line += " %p"
	}
	command, err = cross.ParseCommand(line)
	return command, plain, err
}

// Negation returns an automaton that accepts the runs that violate f, which formulas made.
func (t *Translator) Negation(ctx context.Context, formulas *ltl.Formulas, f *ltl.Formula, name string) (*automata.Automaton, error) {
	limited, cancel := limits.WithinMemory(ctx, t.budget)
	defer cancel()
	if t.limit > 0 {
		limited, cancel = context.WithTimeoutCause(limited, t.limit, fmt.Errorf("time limit of translation, %s, reached", t.limit))
		defer cancel()
	}
	var a *automata.Automaton
	var err error
	if t.External != nil {
		a, err = t.Run(limited, formulas, formulas.Not(f), name)
	} else {
		a, err = translate.ToAutomaton(limited, formulas, f, translate.Options{Negate: true})
	}
	if err != nil && limited.Err() != nil {
		err = context.Cause(limited)
	}
	if err != nil && t.External != nil && !IsOurs(err) {
		err = fmt.Errorf("translator: %w", err)
	}
	return a, err
}

// IsOurs reports whether err is no fault of a translator, but of this process: a file for it could not
// be made.
func IsOurs(err error) bool {
	var failed *cross.FileError
	return errors.As(err, &failed)
}

// Run lets the program translate f, shows what it complains about, and checks that the
// automaton has the propositions of f.
//
// For example, G "p1 >= 2" is given to the program as G p0. Its automaton speaks of p0, which
// becomes "p1 >= 2" again. One that speaks of p7 is refused: it is about something else.
func (t *Translator) Run(ctx context.Context, formulas *ltl.Formulas, f *ltl.Formula, name string) (*automata.Automaton, error) {
	if err := cross.Writable(f); err != nil {
		return nil, err
	}
	s := ltl.NewFormulas()
	f = s.Import(f, formulas)
	names := s.Propositions()
	if t.Plain {
		plain := ltl.NewFormulas()
		f = plain.ImportAs(f, s, func(name string) string { return fmt.Sprintf("p%d", slices.Index(names, name)) })
		s = plain
	}
	var complaints bytes.Buffer
	t.External.Complaints = &complaints
	a, err := t.External.Translate(ctx, s, f)
	for line := range strings.Lines(complaints.String()) {
		t.Warn(name+": ", "translator: "+strings.TrimSpace(line))
	}
	if err != nil {
		return nil, err
	}
	own := *a // with the formula's names
	own.Propositions = make([]string, len(a.Propositions))
	for i, p := range a.Propositions {
		k := slices.Index(s.Propositions(), p)
		if k < 0 {
			return nil, fmt.Errorf("its automaton has the proposition %q, which the formula has not", p)
		}
		own.Propositions[i] = names[k]
	}
	return &own, nil
}
