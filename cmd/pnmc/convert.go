package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/exchange"
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/picture"
	"pnmc/pnml"
	"pnmc/symbolic"
	"pnmc/symbolic/etf"
	"pnmc/view"
)

const convertDescription = `A net is read as --net-format says, or by the ending of the file. What a format cannot say
of a node ends the conversion with its name.

A picture in SVG needs no other program. It shows a net where its document puts the
nodes, if it gives positions, and lays out what has none. A coloured net is drawn as
it is. A picture has one automaton: --number chooses it, if there are several.

Automata that can't be read or converted are told on standard error by where they begin,
the others are written. One whose limits are reached while it is written is told, too:
on standard output it ends with --ABORT-- in HOA, and lacks its last brace as a drawing;
of a file nothing is left.`

func convertFlags() []cli.Flag {
	flags := append(input.NetFlags(),
		input.ETFFlag("to be written as etf, or as a net of a place for each value as pnml, dot or svg"),
		input.AutomataFlag("automata"),
		input.TGTAFlag("testing automata"),
		input.SetsFlag(),
		input.StrictFlag(),
		&cli.StringFlag{Name: "to", Usage: "write `FORMAT`: pnml, pnml-2004 (before the standard), tina (.net), lola, gal, etf, hoa, dot or svg; or automata as tgba, ba, ta, gta or tgta, in HOA or what --format says", DefaultText: "that of the input"},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE` instead of standard output", TakesFile: true},
		approach.DistrustFlag(),
		automatonFormatFlag(),
		utf8Flag(),
		&cli.BoolFlag{Name: "one-line", Usage: "write each automaton on one line"},
		&cli.IntFlag{Name: "number", Usage: "convert only the `N`th automaton of the file", DefaultText: "all"},
		&cli.StringFlag{Name: "stats", Usage: statsUsage},
	)
	return slices.Concat(flags, limits.Flags(" (each automaton has it anew)"), progress.Flags())
}

// convertAction finds out what the input is, and converts it to standard output or into a file.
// The file is there only if it is whole, or if it lacks what was told on standard error: the
// automata of a stream that cannot be read or converted.
func convertAction(c *cli.Context) error {
	if c.Args().Present() {
		return usage.UnexpectedArgument(c.Args().First())
	}
	var inputs []string
	if err := input.CheckModelFlags(c); err != nil {
		return err
	}
	for _, flag := range []string{"pnml", "etf", "hoa", "tgta"} {
		if c.String(flag) != "" {
			inputs = append(inputs, flag)
		}
	}
	if len(inputs) != 1 {
		return exit.UsageError("expected one of --pnml, --etf, --hoa and --tgta")
	}
	var convert func(*cli.Context, io.Writer) error
	switch inputs[0] {
	case "pnml":
		convert = convertNet
	case "etf":
		convert = convertModel
	default:
		convert = func(c *cli.Context, out io.Writer) error { return convertAutomata(c, inputs[0], out) }
	}
	for _, flag := range []string{"stats", "number", "one-line", "utf8", "format", "sets", "strict", "distrust"} {
		if (inputs[0] == "pnml" || inputs[0] == "etf") && c.IsSet(flag) {
			return exit.UsageError("--%s is for automata", flag)
		}
	}
	cancel, err := limits.BoundMemory(c)
	if err != nil {
		return err
	}
	defer cancel()
	if !toFile(c) {
		return convert(c, c.App.Writer)
	}
	if err := output.Try(c.String("output")); err != nil {
		return err
	}
	file, err := output.Create(c.String("output"))
	if err != nil {
		return err
	}
	defer file.Discard() // unless it is kept
	output.NoteUnfinished(c.Context, file, false)
	out := &countingWriter{w: file}
	err = convert(c, out)
	var f *exit.Failure
	if err != nil && c.Context.Err() != nil {
		return exit.With(exit.Unknown, fmt.Errorf("%w: %s is not written", context.Cause(c.Context), c.String("output")))
	}
	if err != nil && (out.written == 0 || !(errors.As(err, &f) && f.Err == nil)) {
		return err // nothing is written
	}
	return errors.Join(err, file.Keep())
}

// countingWriter counts what is written.
type countingWriter struct {
	w       io.Writer
	written int
}

// Write counts the bytes that were written, also where that fails.
func (w *countingWriter) Write(text []byte) (int, error) {
	n, err := w.w.Write(text)
	w.written += n
	return n, err
}

// netWriters are the formats of a net that need nothing but the net.
var netWriters = map[string]func(io.Writer, *petri.Net) error{
	"":          pnml.Write,
	"pnml":      pnml.Write,
	"pnml-2004": pnml.Write2004,
	"tina":      exchange.WriteTina,
	"lola":      exchange.WriteLoLA,
	"gal":       exchange.WriteGAL,
	"dot":       exchange.WriteDOT,
}

// convertNet writes a net in the format of --to. It asks for the format first: a wrong name costs
// no reading of a long file.
func convertNet(c *cli.Context, out io.Writer) error {
	to := c.String("to")
	write := netWriters[to]
	switch {
	case to == "svg":
		return drawNet(c, out)
	case to == "etf":
		write = func(w io.Writer, net *petri.Net) error { return writeETF(c, w, net) }
	case write == nil:
		return exit.UsageError("--to: a net can be written as pnml, pnml-2004, tina, lola, gal, etf, dot or svg, not %q", to)
	}
	net, _, err := input.Net(c)
	if err != nil {
		return err
	}
	return limits.Write(c, input.Name(c.String("pnml")), out, func(w io.Writer) error { return write(w, net) })
}

// drawNet draws the net as it stands, a coloured one with its colours, where the document
// puts its nodes. The document is read a second time for that.
func drawNet(c *cli.Context, out io.Writer) error {
	path, again := c.String("pnml"), input.Twice(c)
	document, err := input.Document(c)
	if err != nil {
		return err
	}
	var drawing *petri.Drawing
	if format, err := input.NetFormat(c); err != nil || format != "pnml" {
		return errors.Join(err, writePicture(c, out, document.Net, nil, nil))
	}
	err = again(func(r io.Reader, file string) (err error) {
		drawing, err = pnml.Reader{Net: c.String("net"), Limit: input.LimitOf(r)}.ReadDrawing(r, file)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", input.Name(path), err)
	}
	return writePicture(c, out, document.Net, document.Symmetric, drawing)
}

// writePicture draws a net, with or without colours, within the limits.
func writePicture(c *cli.Context, out io.Writer, net *petri.Net, coloured *symmetric.Net, drawing *petri.Drawing) error {
	return limits.Write(c, input.Name(c.String("pnml")), out, func(w io.Writer) error {
		return picturedNet(c, w, net, coloured, drawing)
	})
}

// picturedNet draws a net within limits that hold already.
func picturedNet(c *cli.Context, w io.Writer, net *petri.Net, coloured *symmetric.Net, drawing *petri.Drawing) error {
	err := view.Picture(c.Context, w, net, coloured, drawing)
	switch {
	case errors.Is(err, picture.ErrTooLarge):
		return exit.With(exit.Unknown, err)
	case err != nil && account.Reason(c.Context) != nil:
		return exit.With(exit.Unknown, fmt.Errorf("the net is not drawn: %w", account.Reason(c.Context)))
	}
	return err
}

// convertModel writes a model in ETF in the same format, in one layout and with one
// order of sections, or as a net.
func convertModel(c *cli.Context, out io.Writer) error {
	var write func(io.Writer, *petri.Net) error
	switch to := c.String("to"); to {
	case "", "etf":
	case "pnml":
		write = pnml.Write
	case "dot":
		write = exchange.WriteDOT
	case "svg":
		write = func(w io.Writer, net *petri.Net) error { return picturedNet(c, w, net, nil, nil) }
	default:
		return exit.UsageError("--to: a model in ETF can be written as etf, pnml, dot or svg, not %q", to)
	}
	m, err := input.ETF(c)
	if err != nil {
		return err
	}
	name := input.Name(c.String("etf"))
	if write == nil {
		return limits.Write(c, name, out, m.Write)
	}
	return limits.Write(c, name, out, func(w io.Writer) error {
		net, err := m.Net(c.Context)
		if err != nil {
			return err
		}
		return write(w, net)
	})
}

// writeETF writes a net as a table of the steps that its reachable markings can
// take: they have to be explored.
//
// A variable of a table needs a range of values, and a place of a net has none that is written
// down: the largest number of tokens of each place is found by exploring. So that may take as
// long as a check, and an unbounded net has no table.
func writeETF(c *cli.Context, w io.Writer, net *petri.Net) error {
	budget, err := limits.Budget(c)
	if err != nil {
		return err
	}
	ctx := c.Context
	space, err := symbolic.Explore(ctx, net, approach.WithFree(symbolic.Options{}, budget))
	progress.NewMessenger(c).TellClaim(net)
	if err != nil {
		return exit.With(exit.Unknown, fmt.Errorf("the bounds of the places are not known: %w", err))
	}
	names := make([]string, net.Transitions())
	for t := range names {
		names[t] = net.TransitionLabel(petri.Transition(t)).ID
	}
	m, err := etf.FromStateSpace(ctx, space, names)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return exit.InputError(fmt.Errorf("%s: %w", input.Name(c.String("pnml")), err))
	}
	return m.Write(w)
}
