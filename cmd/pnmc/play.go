package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/play"
)

const playDescription = `Lists the places with their tokens and what is enabled. Arrows choose a transition,
Enter fires it, u takes it back; ? shows all keys. With a file of runs that --trace
wrote as JSON, the arrow to the right fires the next step of a run, the one to the left
takes it back. A coloured net is unfolded. Where the variable NO_COLOR is set there are no
colours. The command needs a terminal; pnmc view makes a page for a browser instead.`

func playFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "pnml", Usage: "take the net in `FILE`, not in an argument", TakesFile: true},
		&cli.StringFlag{Name: "net", Usage: "of several nets in the file, choose the one with this `ID`"},
	}, limits.Flags(" (reading and unfolding, not the game)")...)
}

// playAction reads the net and the runs before it looks for a terminal, so that what is wrong
// with files is reported in any case.
func playAction(c *cli.Context) error {
	files, err := netAndMore(c, "play", 1)
	if err != nil {
		return err
	}
	if slices.Contains(files, "-") || c.String("pnml") == "-" {
		return exit.UsageError("play reads keys from standard input, so that files need names")
	}
	runs := ""
	if len(files) > 0 {
		runs = files[0]
	}
	game, title, err := readGame(c, runs)
	if err != nil {
		return err
	}
	if !isTerminal(c.App.Reader) || !isTerminal(c.App.Writer) {
		return exit.UsageError("play needs a terminal; pnmc view writes a page for a browser instead")
	}
	screen, err := play.NewScreen()
	if err != nil {
		return exit.UsageError("play needs a terminal that it knows: %w", err)
	}
	defer screen.Fini()
	err = play.Play(c.Context, screen, game, play.Options{Title: title, Plain: os.Getenv("NO_COLOR") != ""})
	if err != nil {
		return exit.With(exit.Unknown, err)
	}
	return nil
}

// netAndMore takes the net from the first argument, or from --pnml as other commands do. It
// returns the arguments behind it; there are at most so many.
func netAndMore(c *cli.Context, command string, most int) ([]string, error) {
	rest := c.Args().Slice()
	if !c.IsSet("pnml") {
		if len(rest) == 0 {
			return nil, exit.UsageError("which net? expected pnmc %s net.pnml", command)
		}
		if err := c.Set("pnml", rest[0]); err != nil {
			return nil, err
		}
		rest = rest[1:]
	}
	if len(rest) > most {
		return nil, exit.UsageError("unexpected argument %q", rest[most])
	}
	return rest, nil
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	if w, ok := stream.(*output.WatchedWriter); ok {
		stream = w.Writer
	}
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// readGame reads the net, and the runs if path names a file of them.
func readGame(c *cli.Context, path string) (*play.Game, string, error) {
	document, err := input.Document(c)
	if err != nil {
		return nil, "", err
	}
	r := runReader{net: document.Net, coloured: document.Symmetric}
	if r.coloured != nil {
		unfolding, err := input.Unfold(c, r.coloured, symmetric.Options{KeepAll: true})
		if err != nil {
			return nil, "", err
		}
		r.net = unfolding.Net
	}
	var runs []play.Run
	if path != "" {
		err = input.WithText(c, path, func(in io.Reader, file string) error {
			text, err := io.ReadAll(in) // what is wrong with the file comes before what is with its text
			if err == nil {
				r.limit = input.LimitOf(in)
				runs, err = r.read(bytes.NewReader(text))
			}
			if err != nil {
				err = fmt.Errorf("%s: %w", file, err)
			}
			return err
		})
		if err != nil {
			return nil, "", err
		}
	}
	game, err := begunGame(c, r.net, path, runs)
	if err != nil {
		return nil, "", err
	}
	return game, input.NetName(c, r.net), nil
}

// begunGame returns a game whose runs, of the file at path, are fired, within the limits that reading has.
func begunGame(c *cli.Context, net *petri.Net, path string, runs []play.Run) (*play.Game, error) {
	budget, err := limits.Budget(c)
	if err != nil {
		return nil, err
	}
	timed, cancel := limits.WithTimeout(c)
	defer cancel()
	ctx, stop := account.Within(timed, budget)
	defer stop(nil)
	game, err := play.NewGame(ctx, net, runs)
	switch {
	case err == nil:
		return game, nil
	case ctx.Err() != nil:
		return nil, exit.With(exit.Unknown, fmt.Errorf("%s: %w while the runs were fired", path, context.Cause(ctx)))
	}
	return nil, exit.InputError(fmt.Errorf("%s: %w", path, err))
}
