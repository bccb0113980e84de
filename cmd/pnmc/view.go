package main

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/told"
)

func viewCommand() *cli.Command {
	left := []string{"pnml", "etf", "trace", "trace-format", "version"} // of the flags of a check
	flags := []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the page to `FILE`; - is standard output", DefaultText: "the net's file name, ending in .html, in the current directory", TakesFile: true},
		&cli.StringFlag{Name: "pnml", Usage: "take the net in `FILE`, not in an argument", TakesFile: true},
	}
	for _, f := range checkFlags() {
		if !slices.Contains(left, f.Names()[0]) {
			flags = append(flags, f)
		}
	}
	return &cli.Command{
		Name:      "view",
		Usage:     "write a page that draws a net, to be played by hand in a browser",
		ArgsUsage: "net.pnml",
		Description: "The page is one file that needs no network. A click on an enabled transition fires\n" +
			"it; u takes that back. Places and transitions can be looked up; units and\n" +
			"invariants light up. Without a question it looks for a deadlock for ten seconds,\n" +
			"and the page plays the run to one.\n\n" +
			"Questions are those of pnmc --help, such as --ltl, --queries or --deadlock. Each is\n" +
			"answered as there, and the page has all answers with their runs. On standard\n" +
			"output, -o -, the page is alone: verdicts go to standard error.",
		Flags:  flags,
		Action: viewAction,
	}
}

// deadlockTime is how long a deadlock is looked for that nobody has asked for.
const deadlockTime = 10 * time.Second

// viewAction writes a page about a net, with answers to what is asked.
func viewAction(c *cli.Context) error {
	if _, err := netAndMore(c, "view", 0); err != nil {
		return err
	}
	path := c.String("output")
	if path == "" {
		path = pageName(c.String("pnml"))
	}
	s := &session{c: c, Messenger: progress.NewMessenger(c)}
	defer s.TellRepeated()
	list, err := s.readFlags()
	if err != nil {
		return err
	}
	unasked := len(list) == 0
	if unasked && !c.IsSet("total-timeout") {
		if err := c.Set("total-timeout", deadlockTime.String()); err != nil {
			return err
		}
	}
	if path != "-" {
		if err := output.Try(path); err != nil {
			return err
		}
	}
	if s.trace, err = s.createTrace(path, told.HTML); err != nil {
		return err
	}
	if unasked {
		// Nobody waits for a verdict: the page tells it.
		list, s.trace.page.byHand = []asked{{"deadlock", ""}}, true
		s.settings.Approach, s.Quiet = product.Auto, true
		c.App.Writer = io.Discard
	}
	err = s.answerAll(list)
	var told *exit.Failure
	if unasked && c.Context.Err() == nil && errors.As(err, &told) && (told.Code == exit.Violated || told.Code == exit.Unknown) {
		return nil
	}
	return err
}

// pageName is what a page about a net is called, if nobody says.
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
