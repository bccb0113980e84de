package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/automata/statistics"
	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/dot"
	"pnmc/hoa"
	"pnmc/picture"
)

// conversion converts automata one after the other.
type conversion struct {
	*progress.Messenger
	c     *cli.Context
	kind  string // to convert to, or empty
	out   *countingWriter
	write func(context.Context, *automata.Automaton) error

	written      int
	bad, limited bool // some automaton is not written: for what it is, or for a limit
	cut          bool // what is written of some automaton is not whole
}

// convertAutomata writes the automata that can be read of the file that a flag
// names; if there are others, the failure it returns has said so already.
func convertAutomata(c *cli.Context, flag string, out io.Writer) error {
	v := &conversion{c: c, out: &countingWriter{w: out}}
	if slices.Contains(approach.Kinds, c.String("to")) {
		v.kind = c.String("to")
	}
	if err := checkAutomatonFormat(c); err != nil {
		return err
	}
	if c.IsSet("number") && c.Int("number") < 1 {
		return exit.UsageError("--number: expected 1 or more, found %d", c.Int("number"))
	}
	var err error
	if v.write, err = automatonWriter(c, v.kind, v.out); err != nil {
		return err
	}
	v.Messenger = progress.NewMessenger(c)
	defer v.TellRepeated()
	err = input.WithFile(c, c.String(flag), func(r io.Reader, file string) error {
		return v.all(input.NewAutomatonReader(c, flag, r, file), file)
	})
	switch {
	case err != nil && c.Context.Err() != nil:
		return exit.With(exit.Unknown, fmt.Errorf("%w: %s written, the rest is missing", context.Cause(c.Context), wording.Counted(v.written, "automaton is", "automata are")))
	case err == nil && v.cut && toFile(c):
		return exit.With(exit.Unknown, fmt.Errorf("%s is not written", c.String("output")))
	case err == nil && v.bad:
		return exit.With(exit.Input, nil)
	case err == nil && v.limited:
		return exit.With(exit.Unknown, nil)
	}
	return err
}

// all converts the automata of a reader, or the one that --number chooses.
func (v *conversion) all(reader input.AutomatonReader, file string) error {
	only, found := v.c.Int("number"), 0
	for {
		if v.c.Context.Err() != nil {
			return context.Cause(v.c.Context)
		}
		a, err := reader.Read()
		input.WarnOf(v.Messenger, reader)
		switch {
		case err == io.EOF && only > found:
			return exit.InputError(fmt.Errorf("%s: --number %d: there are %s", file, only, wording.Counted(found, "automaton", "automata")))
		case err == io.EOF:
			return nil
		case err != nil && input.Skippable(err):
			v.bad = true
			v.Fail("%v", err)
			continue
		case err != nil:
			return err
		}
		if found++; only != 0 && found != only {
			continue
		}
		name := wording.OneLine(a.Name)
		err = v.one(a)
		var failed *conversionError
		if errors.As(err, &failed) {
			at := reader.Position()
			v.Fail("%s:%d:%d: %s%v", file, at.Line, at.Column, titled(name), err)
			v.limited = v.limited || failed.limit
			v.cut = v.cut || failed.cut
			v.bad = v.bad || !failed.limit
		} else if err != nil {
			return err
		}
	}
}

// one converts and writes an automaton, within the limits of one. Its error is a
// conversionError where only this automaton is not written.
func (v *conversion) one(a *automata.Automaton) error {
	ctx, cancel := limits.WithTimeout(v.c)
	defer cancel()
	var err error
	if v.kind != "" {
		if a, err = approach.Convert(ctx, a, v.kind, v.c.Bool("distrust")); err != nil {
			err = &conversionError{error: err, limit: approach.IsLimit(err)}
		}
	}
	before := v.out.written
	if err == nil {
		if err = v.write(ctx, a); err == nil {
			v.written++
		}
	}
	var undrawn *dot.DrawingError
	switch {
	case v.c.Context.Err() != nil:
		return context.Cause(v.c.Context)
	case err != nil && ctx.Err() != nil && v.out.written > before:
		return &conversionError{error: fmt.Errorf("not written whole: %w", context.Cause(ctx)), limit: true, cut: true}
	case err != nil && ctx.Err() != nil:
		return &conversionError{error: context.Cause(ctx), limit: true}
	case errors.Is(err, picture.ErrTooLarge):
		return &conversionError{error: err, limit: true}
	case errors.As(err, &undrawn):
		return &conversionError{error: err, limit: undrawn.TooLarge}
	}
	return err
}

// automatonWriter writes an automaton as the flags say; kind is that to which it was
// converted before, if any.
func automatonWriter(c *cli.Context, kind string, out io.Writer) (func(context.Context, *automata.Automaton) error, error) {
	switch to := c.String("to"); {
	case c.IsSet("stats"):
		return func(ctx context.Context, a *automata.Automaton) error {
			line, err := statistics.Format(ctx, c.String("stats"), a)
			if err != nil {
				return exit.UsageError("--stats: %w", err)
			}
			_, err = fmt.Fprintln(out, line)
			return err
		}, nil
	case to == "dot" || c.String("format") == "dot" && (to == "" || kind != ""):
		return func(ctx context.Context, a *automata.Automaton) error {
			return drawing(c).Write(ctx, out, a)
		}, nil
	case to == "svg" || c.String("format") == "svg" && (to == "" || kind != ""):
		drawn := false
		return func(ctx context.Context, a *automata.Automaton) error {
			if drawn {
				return &conversionError{error: errors.New("not drawn: a picture has one automaton; choose it by --number")}
			}
			drawn = true
			return drawing(c).Picture(ctx, out, a)
		}, nil
	case to == "" || to == "hoa" || kind != "":
		options := hoa.Options{OneLine: c.Bool("one-line")}
		return func(ctx context.Context, a *automata.Automaton) error { return hoa.Write(ctx, out, a, options) }, nil
	default:
		return nil, exit.UsageError("--to: an automaton can be written as hoa, dot, svg, tgba, ba, ta, gta or tgta, not %q", to)
	}
}

// conversionError says why one automaton is not written: a limit, or what it is; and whether a
// part of it is.
type conversionError struct {
	error
	limit, cut bool
}

// toFile reports whether --output names a file.
func toFile(c *cli.Context) bool { return c.String("output") != "" && c.String("output") != "-" }

// titled returns a name in front of a message about what has it.
func titled(name string) string {
	if name == "" {
		return ""
	}
	return name + ": "
}
