package page_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/page"
	"pnmc/internal/account"
	"pnmc/petri"
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

// TestPageWhoseNetIsNotReadAgain: where a limit ends the second reading of the net, as memory may be short that sufficed before the
// answer, the command says that no page is written and why. A net that has become bad meanwhile is bad input.
func TestPageWhoseNetIsNotReadAgain(t *testing.T) {
	full := fmt.Errorf("net.pnml: %w while it was read", &account.MemoryError{Limit: 186 << 20})
	for _, x := range []struct {
		reading error
		code    int
		message string
	}{
		{exit.With(exit.Unknown, full), exit.Unknown, "no page is written: net.pnml: memory limit of 186 MB reached, with 9 MB in reserve while it was read"},
		{exit.InputError(errors.New("net.pnml: no net")), exit.Input, "net.pnml: no net"},
	} {
		flags := flag.NewFlagSet("", flag.ContinueOnError)
		flags.String("pnml", "net.pnml", "")
		app := cli.NewApp()
		app.Metadata = map[string]any{limits.AllowanceKey: &limits.Allowance{}}
		var out strings.Builder
		f := page.Of(cli.NewContext(app, flags, nil), &out, "net.pnml", func(func(io.Reader, string) error) error { return x.reading })
		err := f.Finish(page.Subject{Net: new(petri.Net), Unfolded: true})
		var told *exit.Failure
		if !errors.As(err, &told) || told.Code != x.code || err.Error() != x.message || out.Len() > 0 {
			t.Errorf("%v: %v", x.reading, err)
		}
	}
}
