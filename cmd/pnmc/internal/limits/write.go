package limits

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
)

// Write writes a net or a model within the limits. What is on standard output when
// they are reached are whole lines; a file is left as it was.
func Write(c *cli.Context, out io.Writer, write func(io.Writer) error) error {
	ctx, cancel := WithTimeout(c)
	defer cancel()
	before := c.Context
	c.Context = ctx // of what write does
	defer func() { c.Context = before }()
	lines := output.NewLines(ctx, out)
	err := write(lines)
	if err == nil {
		err = lines.Flush()
	}
	if err != nil && ctx.Err() != nil {
		return exit.With(exit.Unknown, fmt.Errorf("not written whole: %w", context.Cause(ctx)))
	}
	return err
}
