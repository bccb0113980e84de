package input

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

// FormulaFlags returns the flags that say which formulas, and how they are written.
func FormulaFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "ltl", Aliases: []string{"f"}, Usage: "take this `FORMULA` of linear temporal logic; may be repeated"},
		&cli.StringFlag{Name: "ltl-file", Usage: "take the formulas in `FILE`, one a line, after 'name:' or not, with # before comments; - is standard input", TakesFile: true},
		&cli.StringFlag{Name: "ltl-syntax", Value: "spot", Usage: "read formulas in this `SYNTAX`: spot, spin or lbt"},
	}
}

// Syntax returns the syntax that --ltl-syntax names.
func Syntax(c *cli.Context) (ltl.Syntax, error) {
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

// Formula is a formula of the input, or what is wrong with it.
type Formula struct {
	Name    string // given or, failing that, its text or what it is called in messages
	Named   bool   // the name is given
	Line    int    // in the file, from 1
	Formula *ltl.Formula
	Err     error // what is wrong with it
	Unknown error // why it is not known what it says, if nothing is wrong
}

// Formulas returns the formulas in texts, and in the file that --ltl-file names,
// in order. An error is one of reading: formulas that are wrong are in the list.
func Formulas(c *cli.Context, texts []string, parser ltl.Parser) ([]Formula, error) {
	var list []Formula
	for i, text := range texts {
		place := "formula"
		if len(texts) > 1 {
			place = fmt.Sprintf("formula %d", i+1)
		}
		list = append(list, Formula{Name: cmp.Or(wording.OneLine(text), place)})
		added := &list[i]
		if wording.OneLine(text) == "" { // perhaps of a variable that is not set
			added.Err = fmt.Errorf("%s: expected a formula, found none", place)
			continue
		}
		err := WithArgument(c, place, func(limit logic.Limit) (err error) {
			parser.Limit = limit
			added.Formula, err = parser.Parse(text)
			return err
		})
		var failed *exit.Failure
		if errors.As(err, &failed) {
			return nil, failed
		}
		added.Err = err
		var wrong *logic.SyntaxError
		if errors.As(err, &wrong) {
			told := *wrong
			told.File = place
			added.Err = &told
		}
	}
	path := c.String("ltl-file")
	if path == "" {
		return list, nil
	}
	err := WithText(c, path, func(r io.Reader, file string) error {
		more, err := ReadFormulas(r, file, parser)
		list = append(list, more...)
		return err
	})
	return list, err
}

// ReadFormulas reads a file of formulas; those that are wrong are in their places, and so are those
// for which there is no memory.
// A file without formulas is bad input.
func ReadFormulas(r io.Reader, file string, parser ltl.Parser) ([]Formula, error) {
	parser.Limit = LimitOf(r)
	parser.LineLimit = func() logic.Limit { return OnePart(r) }
	found, err := ltl.Read(r, file, parser)
	var list []Formula
	for _, wrong := range Parts(err) {
		var large *logic.TooLargeError
		if errors.As(wrong, &large) {
			list = append(list, Formula{Name: wording.OneLine(large.Formula), Line: large.Line, Unknown: large.Err})
			continue
		}
		var syntax *logic.SyntaxError
		if !errors.As(wrong, &syntax) {
			return nil, wrong
		}
		list = append(list, Formula{Name: wording.OneLine(syntax.Formula), Line: syntax.Line, Err: syntax})
	}
	for _, f := range found {
		name := f.Name
		if name == "" {
			name = f.Text
		}
		list = append(list, Formula{Name: wording.OneLine(name), Named: f.Name != "", Line: f.Line, Formula: f.Formula})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: expected a formula, found none", file)
	}
	slices.SortStableFunc(list, func(f, g Formula) int { return f.Line - g.Line })
	return list, nil
}

// Parts returns the errors that errors.Join made one of.
func Parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
