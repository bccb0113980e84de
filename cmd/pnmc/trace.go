package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/wording"
)

// traceFile collects runs as verdicts are found.
type traceFile struct {
	*output.File // nil: standard output
	out          io.Writer
	json         bool
	page         *pageFile // or nil
}

// The formats of runs.
const (
	traceText = "text"
	traceJSON = "json"
	traceHTML = "html"
)

var traceFormats = []string{traceText, traceJSON, traceHTML}

func traceFormatFlag() cli.Flag {
	return &cli.StringFlag{Name: "trace-format", DefaultText: "json or html if FILE ends so, otherwise text",
		Usage: "write runs as `text`, json, or html: a page that shows them"}
}

// traceFormat is the format of the runs that --trace writes, by the flag or the file's name.
func traceFormat(c *cli.Context) (string, error) {
	path, format := c.String("trace"), c.String("trace-format")
	switch {
	case format != "" && !slices.Contains(traceFormats, format):
		return "", exit.UsageError("--trace-format: expected text, json or html, found %q", format)
	case format != "" && path == "":
		return "", exit.UsageError("--trace-format: --trace is missing: into which file?")
	case format == "" && strings.HasSuffix(path, ".json"):
		format = traceJSON
	case format == "" && (strings.HasSuffix(path, ".html") || strings.HasSuffix(path, ".htm")):
		format = traceHTML
	case format == "":
		format = traceText
	}
	if format == traceHTML && c.String("etf") != "" {
		return "", exit.UsageError("--trace: pages show nets; expected --pnml, or runs as text or JSON")
	}
	return format, nil
}

// createTrace makes the file that --trace names. On standard output runs stand behind the
// lines of their verdicts; objects of JSON have them anyway. A page is alone there: verdicts
// go to standard error.
func (s *session) createTrace(path, format string) (*traceFile, error) {
	if path == "-" {
		t := &traceFile{out: s.c.App.Writer, json: format == traceJSON}
		switch {
		case format == traceHTML:
			t.page = newPageFile(s.c, s.c.App.Writer)
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
	t := &traceFile{File: o, out: o, json: format == traceJSON}
	if format == traceHTML {
		t.page = newPageFile(s.c, o)
	}
	return t, nil
}

// finishTrace ends the file and makes it appear.
func (s *session) finishTrace() error {
	if s.trace.page == nil {
		return s.trace.keep()
	}
	err := s.trace.page.finish(s)
	if s.trace.page.page == nil && s.trace.File != nil { // there is no net to show
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

// namedTrace is a run as --trace writes it in JSON, an object a line.
type namedTrace struct {
	Name    string `json:"name"`
	Kind    kind   `json:"kind,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	Value   any    `json:"value,omitempty"`
	*trace
}

// add writes the counterexample that a named approach found.
func (t *traceFile) add(name string, told *trace) error {
	return t.write(namedTrace{Name: name, trace: told}, "counterexample to "+name)
}

// addTold writes the run that shows an answer.
func (t *traceFile) addTold(r *answer) error {
	title := "run that shows " + r.Name
	switch {
	case r.Verdict == verdictViolated: // only what all markings or runs must be like has such a run
		title = "counterexample to " + r.Name
	case r.Verdict == verdictValue:
		title = fmt.Sprintf("run to the value %v of %s", r.Value, r.Name)
	}
	return t.write(namedTrace{r.Name, r.Kind, r.Verdict, r.Value, r.Trace}, title)
}

func (t *traceFile) write(told namedTrace, title string) error {
	var text bytes.Buffer
	var err error
	if t.json {
		err = encodeJSON(&text, told)
	} else {
		err = writeTrace(&text, title, told.trace)
	}
	if err == nil {
		_, err = t.out.Write(text.Bytes())
	}
	if err != nil {
		return exit.InputError(err)
	}
	return nil
}

// writeTrace writes a run as text: a comment, then a transition's identifier a line,
// indented within the sections prefix and cycle.
func writeTrace(w io.Writer, title string, t *trace) error {
	if len(t.Branches) == 0 {
		fmt.Fprintf(w, "# %s: %s\n", title, length(t.Prefix, t.Cycle))
		if err := writeRun(w, t.Prefix, t.Cycle); err != nil || t.Dead == "" {
			return err
		}
		_, err := fmt.Fprintf(w, "# then %s can never fire again\n", t.Dead)
		return err
	}
	for i, b := range t.Branches {
		part := ""
		if len(t.Branches) > 1 {
			part = fmt.Sprintf(", part %d of %d", i+1, len(t.Branches))
		}
		if b.From != nil {
			part += fmt.Sprintf(", from part %d after %s", *b.From+1, wording.Counted(*b.At, "firing", "firings"))
		}
		fmt.Fprintf(w, "# %s%s: %s\n", title, part, length(b.Prefix, b.Cycle))
		if err := writeRun(w, b.Prefix, b.Cycle); err != nil {
			return err
		}
	}
	return nil
}

// length is how long a run is, in words.
func length(prefix, cycle []traceStep) string {
	steps := wording.Counted(len(prefix), "step", "steps")
	if len(cycle) == 0 {
		return steps
	}
	return fmt.Sprintf("%s, then a cycle of %d", steps, len(cycle))
}

// writeRun writes the sections of a run; there is no cycle in a finite one.
func writeRun(w io.Writer, prefix, cycle []traceStep) error {
	for _, section := range []struct {
		title string
		steps []traceStep
	}{{"prefix", prefix}, {"cycle", cycle}} {
		if section.title == "cycle" && len(cycle) == 0 {
			continue
		}
		fmt.Fprintln(w, section.title)
		for _, s := range section.steps {
			line := s.Transition
			if s.Times > 1 {
				line += fmt.Sprintf("  *%d", s.Times)
			}
			if s.Deadlock {
				line = "# deadlock: nothing fires"
			} else if s.Name != "" {
				line += "  # " + wording.OneLine(s.Name)
			}
			if _, err := fmt.Fprintf(w, "  %s\n", line); err != nil {
				return err
			}
		}
	}
	return nil
}
