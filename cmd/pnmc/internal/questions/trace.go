package questions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/page"
	"pnmc/cmd/pnmc/internal/told"
)

// traceFile collects runs as verdicts are found.
type traceFile struct {
	*output.File // nil: standard output
	out          io.Writer
	json         bool
	page         *page.File // or nil
}

// RunFormatFlag says how runs are written.
func RunFormatFlag() cli.Flag {
	return &cli.StringFlag{Name: "trace-format", DefaultText: "json or html if FILE ends so, otherwise text",
		Usage: "write runs as `text`, json, or html: a page that shows them"}
}

// traceFormat returns the format of the runs that --trace writes, by the flag or the file's name.
func traceFormat(c *cli.Context) (string, error) {
	path, format := c.String("trace"), c.String("trace-format")
	switch {
	case format != "" && !slices.Contains(told.RunFormats, format):
		return "", exit.UsageError("--trace-format: expected text, json or html, found %q", format)
	case format != "" && path == "":
		return "", exit.UsageError("--trace-format: --trace is missing: into which file?")
	case format == "" && strings.HasSuffix(path, ".json"):
		format = told.JSON
	case format == "" && (strings.HasSuffix(path, ".html") || strings.HasSuffix(path, ".htm")):
		format = told.HTML
	case format == "":
		format = told.Text
	}
	if format == told.HTML && c.String("etf") != "" {
		return "", exit.UsageError("--trace: pages show nets; expected --pnml, or runs as text or JSON")
	}
	return format, nil
}

// createTrace makes the file that --trace names. On standard output runs stand behind the
// lines of their verdicts; objects of JSON have them anyway. A page is alone there: verdicts
// go to standard error.
func (s *session) createTrace(path, format string) (*traceFile, error) {
	if path == "-" {
		t := &traceFile{out: s.c.App.Writer, json: format == told.JSON}
		switch {
		case format == told.HTML:
			t.page = page.New(s.c, s.c.App.Writer)
			s.c.App.Writer = s.c.App.ErrWriter
		case s.c.String("format") == "json":
			return nil, nil
		}
		return t, nil
	}
	o, err := output.Create(path)
	if err != nil {
		return nil, err
	}
	output.NoteUnfinished(s.c.Context, o, true)
	t := &traceFile{File: o, out: o, json: format == told.JSON}
	if format == told.HTML {
		t.page = page.New(s.c, o)
	}
	return t, nil
}

// shown returns what a page of the session is about.
func (s *session) shown() page.Subject {
	return page.Subject{Net: s.net, Coloured: s.coloured, Unfolded: s.settings.Approach != product.Auto}
}

// finishTrace ends the file and makes it appear.
func (s *session) finishTrace() error {
	if s.trace.page == nil {
		return s.trace.keep()
	}
	err := s.trace.page.Finish(s.shown())
	if !s.trace.page.Begun() && s.trace.File != nil { // there is no net to show
		s.trace.Discard()
		return err
	}
	return errors.Join(err, s.trace.keep())
}

// keep ends the file and makes it appear.
func (t *traceFile) keep() error {
	if t.File == nil {
		return nil
	}
	return t.File.Keep()
}

// add writes the counterexample that a named approach found.
func (t *traceFile) add(ctx context.Context, name string, named *told.Run) error {
	return t.write(ctx, told.Named{Name: name, Run: named}, "counterexample to "+name)
}

// addTold writes the run that shows an answer.
func (t *traceFile) addTold(ctx context.Context, r *told.Answer) error {
	title := "run that shows " + r.Name
	switch {
	case r.Verdict == told.Violated: // only what all markings or runs must be like has such a run
		title = "counterexample to " + r.Name
	case r.Verdict == told.Value:
		title = fmt.Sprintf("run to the value %v of %s", r.Value, r.Name)
	}
	return t.write(ctx, told.Named{Name: r.Name, Kind: r.Kind, Verdict: r.Verdict, Value: r.Value, Run: r.Trace}, title)
}

// write appends one trace: an object of JSON, or text below a title. It is there whole or, as
// limits.IsLeftOut says of the error, not at all.
func (t *traceFile) write(ctx context.Context, named told.Named, title string) error {
	write := named.WriteJSON
	if !t.json {
		write = func(w io.Writer) error { return told.WriteRun(w, title, named.Run) }
	}
	var err error
	if t.File != nil {
		err = limits.FilePart(ctx, t.File, write)
	} else {
		err = limits.WholeText(ctx, t.out, write)
	}
	if _, leftOut := limits.IsLeftOut(err); err != nil && !leftOut {
		return exit.InputError(err)
	}
	return err
}

// where says where runs are, or are not.
func (t *traceFile) where() string {
	if t.File == nil {
		return "on standard output"
	}
	return "in " + t.Path
}
