package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/questions"
)

const viewDescription = `The page is one file that needs no network. A click on an enabled transition fires
it; u takes that back. Places and transitions can be looked up; units and
invariants light up. Without a question it looks for a deadlock for ten seconds,
and the page plays the run to one.

Questions are those of pnmc --help, such as --ltl, --queries or --deadlock. Each is
answered as there, and the page has all answers with their runs. On standard
output, -o -, the page is alone: verdicts go to standard error.`

func viewFlags() []cli.Flag {
	left := []string{"pnml", "etf", "trace", "trace-format", "disk", "max-disk", "version"} // of the flags of a check
	flags := []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the page to `FILE`; - is standard output", DefaultText: "the net's file name, ending in .html, in the current directory", TakesFile: true},
		&cli.StringFlag{Name: "pnml", Usage: "take the net in `FILE`, not in an argument", TakesFile: true},
	}
	for _, f := range checkFlags() {
		if !slices.Contains(left, f.Names()[0]) {
			flags = append(flags, f)
		}
	}
	return flags
}

// viewAction writes a page about a net, with answers to what is asked.
func viewAction(c *cli.Context) error {
	if _, err := netAndMore(c, "view", 0); err != nil {
		return err
	}
	path := c.String("output")
	if path == "" {
		path = pageName(c.String("pnml"))
	}
	return questions.AnswerOnPage(c, path)
}

// pageName returns what a page about a net is called, if nobody says.
func pageName(net string) string {
	name := filepath.Base(input.Name(net))
	if net == "-" {
		name = "net"
	}
	for _, end := range []string{".gz", ".pnml", ".xml"} {
		name = strings.TrimSuffix(name, end)
	}
	return name + ".html"
}
