package limits

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
)

// Write writes what is made of an input within the limits. What is on standard output when
// they are reached are whole lines; a file is left as it was. An error that is not one of
// writing, such as what a format cannot say, begins with the name of the input.
func Write(c *cli.Context, input string, out io.Writer, write func(io.Writer) error) error {
	ctx, cancel := WithTimeout(c)
	defer cancel()
	before := c.Context
	c.Context = ctx // of what write does
	defer func() { c.Context = before }()
	lines := output.NewLines(ctx, out)
	watched := &watchedWriter{w: lines}
	err := write(watched)
	if err == nil {
		err = lines.Flush()
		watched.failed = err != nil
	}
	if err != nil && ctx.Err() != nil {
		return exit.With(exit.Unknown, fmt.Errorf("not written whole: %w", context.Cause(ctx)))
	}
	if err != nil && !watched.failed {
		err = fmt.Errorf("%s: %w", input, err)
	}
	var known *exit.Failure
	if err == nil || errors.As(err, &known) {
		return err
	}
	return exit.InputError(err)
}

// watchedWriter keeps whether writing has failed.
type watchedWriter struct {
	w      io.Writer
	failed bool
}

// Write writes on.
func (w *watchedWriter) Write(text []byte) (int, error) {
	n, err := w.w.Write(text)
	w.failed = w.failed || err != nil
	return n, err
}
