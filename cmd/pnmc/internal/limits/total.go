package limits

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
)

// totalTimeout is the flag that limits the time of a whole command.
const totalTimeout = "total-timeout"

// TotalTimeoutFlag limits the time of all that a command does; there is no limit without it. What says what
// ends then.
func TotalTimeoutFlag(what string) cli.Flag {
	f := DurationFlag(totalTimeout, 0, what+" `TIME` after the start")
	f.DefaultText = "none"
	f.Action = func(c *cli.Context, _ any) error {
		if d := c.Duration(totalTimeout); d <= 0 {
			return wrongDuration(totalTimeout, d)
		}
		return nil
	}
	return f
}

// RefuseTotal refuses --total-timeout beside flags, of which there may be none, whose work is not done here.
func RefuseTotal(c *cli.Context, flags ...string) error {
	if c.IsSet(totalTimeout) && len(flags) > 0 {
		return exit.UsageError("--%s limits what runs here; expected it without %s", totalTimeout, flags[0])
	}
	return nil
}

// WithTotal ends the command's context when --total-timeout is over, which counts from the start of the
// process. The cause says so. The caller must call cancel.
func WithTotal(c *cli.Context) (cancel context.CancelFunc) {
	d := c.Duration(totalTimeout)
	if d <= 0 {
		return func() {}
	}
	end, why := Begun().Add(d), fmt.Errorf("total time limit of %s reached", d)
	output.NoteLimit(c.Context, end, why) // until the process ends: what is known is written after the end
	c.Context, cancel = context.WithDeadlineCause(c.Context, end, why)
	return cancel
}
