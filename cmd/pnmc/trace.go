package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"pnmc/checker"
	"pnmc/petri"
)

// traceFile collects counterexamples as they are found.
type traceFile struct {
	*outputFile
	label func(petri.Transition) petri.Label
	json  bool
}

func createTrace(ctx context.Context, path string, label func(petri.Transition) petri.Label) (*traceFile, error) {
	if path == "-" {
		return nil, usageError("--trace: standard output is for verdicts; expected a file")
	}
	o, err := createOutput(path)
	if err != nil {
		return nil, err
	}
	noteUnfinished(ctx, o, true)
	return &traceFile{o, label, strings.HasSuffix(path, ".json")}, nil
}

// namedTrace is a counterexample as --trace writes it in JSON, an object a line.
type namedTrace struct {
	Name string `json:"name"`
	*trace
}

func (t *traceFile) add(name string, c *checker.Counterexample) error {
	told := newTrace(t.label, c)
	var text bytes.Buffer
	var err error
	if t.json {
		err = encodeJSON(&text, namedTrace{name, told})
	} else {
		err = writeTrace(&text, name, told)
	}
	if err == nil {
		_, err = t.Write(text.Bytes())
	}
	if err != nil {
		return inputError(err)
	}
	return nil
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
