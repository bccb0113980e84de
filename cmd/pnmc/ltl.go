package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// formulaFlags say which formulas, and how they are written.
func formulaFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "ltl", Aliases: []string{"f"}, Usage: "take this `FORMULA` of linear temporal logic; may be repeated"},
		&cli.StringFlag{Name: "ltl-file", Usage: "take the formulas in `FILE`, one a line, after 'name:' or not, with # before comments; - is standard input", TakesFile: true},
		&cli.StringFlag{Name: "ltl-syntax", Value: "spot", Usage: "read formulas in this `SYNTAX`: spot, spin or lbt"},
	}
}

// formulaSyntax is the syntax that --ltl-syntax names.
func formulaSyntax(c *cli.Context) (ltl.Syntax, error) {
	switch name := c.String("ltl-syntax"); name {
	case "spot":
		return ltl.SpotSyntax, nil
	case "spin":
		return ltl.SPINSyntax, nil
	case "lbt":
		return ltl.LBTSyntax, nil
	default:
		return 0, exit.UsageError("--ltl-syntax: expected spot, spin or lbt, found %q", name)
	}
}

// inputFormula is a formula of the input, or what is wrong with it.
type inputFormula struct {
	name    string // given or, failing that, its text or what it is called in messages
	named   bool   // the name is given
	line    int    // in the file, from 1
	formula *ltl.Formula
	err     error
}

// inputFormulas are the formulas in texts, and in the file that --ltl-file names,
// in order. An error is one of reading: formulas that are wrong are in the list.
func inputFormulas(c *cli.Context, texts []string, parser ltl.Parser) ([]inputFormula, error) {
	var list []inputFormula
	for i, text := range texts {
		place := "formula"
		if len(texts) > 1 {
			place = fmt.Sprintf("formula %d", i+1)
		}
		list = append(list, inputFormula{name: cmp.Or(wording.OneLine(text), place)})
		added := &list[i]
		if wording.OneLine(text) == "" { // perhaps of a variable that is not set
			added.err = fmt.Errorf("%s: expected a formula, found none", place)
			continue
		}
		added.formula, added.err = parser.Parse(text)
		var wrong *logic.SyntaxError
		if errors.As(added.err, &wrong) {
			told := *wrong
			told.File = place
			added.err = &told
		}
	}
	path := c.String("ltl-file")
	if path == "" {
		return list, nil
	}
	err := withText(c, path, func(r io.Reader, file string) error {
		more, err := readFormulas(r, file, parser)
		list = append(list, more...)
		return err
	})
	return list, err
}

// readFormulas reads a file of formulas; those that are wrong are in their places.
// A file without formulas is bad input.
func readFormulas(r io.Reader, file string, parser ltl.Parser) ([]inputFormula, error) {
	parser.Limit = limitOf(r)
	found, err := ltl.Read(r, file, parser)
	var list []inputFormula
	for _, wrong := range parts(err) {
		var syntax *logic.SyntaxError
		if !errors.As(wrong, &syntax) {
			return nil, wrong
		}
		list = append(list, inputFormula{name: wording.OneLine(syntax.Formula), line: syntax.Line, err: syntax})
	}
	for _, f := range found {
		name := f.Name
		if name == "" {
			name = f.Text
		}
		list = append(list, inputFormula{name: wording.OneLine(name), named: f.Name != "", line: f.Line, formula: f.Formula})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: expected a formula, found none", file)
	}
	slices.SortStableFunc(list, func(f, g inputFormula) int { return f.line - g.line })
	return list, nil
}

// parts are the errors that errors.Join made one of.
func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// propositionCheck tells for a name what keeps it from being a state predicate.
func (s *session) propositionCheck(name string) error {
	if s.defined[name] != nil {
		return nil
	}
	_, err := logic.PredicateParser{Vocabulary: s.vocabulary, Limit: s.limit, Hidden: s.hide}.Parse(name)
	return err
}
