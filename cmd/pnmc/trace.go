package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"pnmc/checker"
	"pnmc/petri"
)

// traceFile collects counterexamples; it becomes a file when it is closed, so
// that there is never half a file.
type traceFile struct {
	path   string
	net    *petri.Net
	buffer bytes.Buffer
}

// namedTrace is a counterexample as --trace writes it in JSON, an object a line.
type namedTrace struct {
	Name string `json:"name"`
	*trace
}

func (t *traceFile) add(name string, c *checker.Counterexample) error {
	told := newTrace(t.net, c)
	if strings.HasSuffix(t.path, ".json") {
		return json.NewEncoder(&t.buffer).Encode(namedTrace{name, told})
	}
	return writeTrace(&t.buffer, name, told)
}

// writeTrace writes a counterexample as text: a comment, then a transition's
// identifier a line, indented within the sections prefix and cycle.
func writeTrace(w io.Writer, name string, t *trace) error {
	if _, err := fmt.Fprintf(w, "# counterexample to %s: %d steps, then a cycle of %d\n", name, len(t.Prefix), len(t.Cycle)); err != nil {
		return err
	}
	for _, section := range []struct {
		title string
		steps []traceStep
	}{{"prefix", t.Prefix}, {"cycle", t.Cycle}} {
		fmt.Fprintln(w, section.title)
		for _, s := range section.steps {
			line := s.Transition
			if s.Deadlock {
				line = "# deadlock: nothing fires"
			} else if s.Name != "" {
				line += "  # " + strings.Join(strings.Fields(s.Name), " ")
			}
			if _, err := fmt.Fprintf(w, "  %s\n", line); err != nil {
				return err
			}
		}
	}
	return nil
}

// close makes the file appear, with what it got; empty if that is nothing.
func (t *traceFile) close() error { return writeFile(t.path, t.buffer.Bytes()) }
