package page_test

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/page"
	"pnmc/pnml"
)

// TestPageKeepsToTheMemoryOfItsCommand: where the memory of a command is not that of --max-memory, a page keeps to it, too.
func TestPageKeepsToTheMemoryOfItsCommand(t *testing.T) {
	const file = "../../testdata/token.pnml"
	document, err := pnml.Reader{}.ReadDocumentFile(file)
	if err != nil {
		t.Fatal(err)
	}
	open := func(use func(r io.Reader, file string) error) error { return use(strings.NewReader(""), file) }
	for memory, written := range map[int64]bool{1: false, 1 << 40: true, 0: true} {
		app := cli.NewApp()
		app.Metadata = map[string]any{limits.AllowanceKey: &limits.Allowance{Memory: memory}}
		c := cli.NewContext(app, flag.NewFlagSet("", flag.ContinueOnError), nil)
		var out strings.Builder
		f := page.Of(c, &out, file, open)
		err := f.Finish(page.Subject{Coloured: document.Symmetric})
		var told *exit.Failure
		if full := errors.As(err, &told) && told.Code == exit.Unknown; full == written || out.Len() > 0 != written {
			t.Errorf("with %d bytes: %d bytes are written, %v", memory, out.Len(), err)
		}
	}
}

// TestPageEndsWithItsQuestion: once the time of a question is over by more than a moment, a page is
// begun no more: neither is the net unfolded, nor anything written. Before that, it is whole.
func TestPageEndsWithItsQuestion(t *testing.T) {
	const file = "../../testdata/token.pnml"
	document, err := pnml.Reader{}.ReadDocumentFile(file)
	if err != nil {
		t.Fatal(err)
	}
	open := func(use func(r io.Reader, file string) error) error {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		return use(f, file)
	}
	for left, written := range map[time.Duration]bool{-time.Hour: false, time.Hour: true} {
		for name, of := range map[string]page.Subject{"coloured": {Coloured: document.Symmetric}, "read again": {Unfolded: true, Coloured: document.Symmetric}} {
			answer, cancel := context.WithDeadline(t.Context(), time.Now().Add(left))
			defer cancel()
			app := cli.NewApp()
			app.Metadata = map[string]any{limits.AllowanceKey: &limits.Allowance{Answer: answer}}
			c := cli.NewContext(app, flag.NewFlagSet("", flag.ContinueOnError), nil)
			var out strings.Builder
			f := page.Of(c, &out, file, open)
			err := f.Finish(of)
			var told *exit.Failure
			if late := errors.As(err, &told) && told.Code == exit.Unknown; late == written || f.Begun() != written || out.Len() > 0 != written {
				t.Errorf("%s, with %v left: %d bytes, %v", name, left, out.Len(), err)
			}
		}
	}
}
