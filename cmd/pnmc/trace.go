package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// traceFile collects runs as verdicts are found.
type traceFile struct {
	*outputFile // nil: standard output
	out         io.Writer
	json        bool
}

// createTrace makes the file that --trace names. On standard output runs stand behind the
// lines of their verdicts; objects of JSON have them anyway.
func (s *session) createTrace(path string) (*traceFile, error) {
	if path == "-" {
		if s.c.String("format") == "json" {
			return nil, nil
		}
		return &traceFile{out: s.c.App.Writer}, nil
	}
	o, err := createOutput(path)
	if err != nil {
		return nil, err
	}
	noteUnfinished(s.c.Context, o, true)
	return &traceFile{o, o, strings.HasSuffix(path, ".json")}, nil
}

// keep ends the file and makes it appear.
func (t *traceFile) keep() error {
	if t.outputFile == nil {
		return nil
	}
	return t.outputFile.keep()
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
	case r.Verdict == verdictViolated && (r.Kind == kindLTL || r.Kind == kindAutomaton || r.Kind == kindInvariant || r.Kind == kindCTL):
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
		return inputError(err)
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
			part += fmt.Sprintf(", from part %d after %d firings", *b.From+1, *b.At)
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
	if len(cycle) == 0 {
		return fmt.Sprintf("%d steps", len(prefix))
	}
	return fmt.Sprintf("%d steps, then a cycle of %d", len(prefix), len(cycle))
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
				line += "  # " + oneLine(s.Name)
			}
			if _, err := fmt.Fprintf(w, "  %s\n", line); err != nil {
				return err
			}
		}
	}
	return nil
}
