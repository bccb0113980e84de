package input

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/internal/unpack"
)

// open opens a file. A pipe with a name opens once a program begins to write into it: that is
// waited for as long as --timeout says, if it is given, and the command may.
func open(c *cli.Context, path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return nil, exit.InputError(unpack.DirectoryError(path))
	}
	if err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		return openPipe(c, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, exit.InputError(err)
	}
	return f, nil
}

// openPipe opens a pipe with a name. To open one waits for a writer, and can't be broken off. So a
// goroutine does it, and may be left behind when the wait is over. If it gets the file after that,
// it closes it.
func openPipe(c *cli.Context, path string) (*os.File, error) {
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened)
	given := make(chan struct{})
	defer close(given)
	go func() {
		f, err := os.Open(path) // can't be broken off: it may outlive the wait
		select {
		case done <- opened{f, err}:
		case <-given:
			if err == nil {
				_ = f.Close()
			}
		}
	}()
	ctx := waiting(c)
	var late <-chan time.Time
	if d := c.Duration("timeout"); d > 0 && c.IsSet("timeout") {
		late = time.After(d)
	}
	var reason error
	select {
	case o := <-done:
		if o.err != nil {
			return nil, exit.InputError(o.err)
		}
		return o.file, nil
	case <-ctx.Done():
		reason = context.Cause(ctx)
	case <-late:
		reason = &readTimeError{c.Duration("timeout")}
	}
	return nil, exit.With(exit.Unknown, fmt.Errorf("%s: %w, and nobody writes into this pipe", path, reason))
}

// waiting returns what ends when nothing is to be waited for any more.
func waiting(c *cli.Context) context.Context {
	if reading := limits.AllowanceOf(c).Reading; reading != nil {
		return reading
	}
	return c.Context
}
