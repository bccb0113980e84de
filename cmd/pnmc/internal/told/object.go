package told

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"strconv"

	"pnmc/internal/jsontext"
)

// Runs are written step by step, and never held as text: the steps of a run share the names of their
// transitions, and its text repeats them. Everything else of an object is small, and is written by
// encoding/json, so that the keys are those of the types.

// Named is a run as --trace writes it in JSON, an object a line.
type Named struct {
	Name    string `json:"name"`
	Kind    Kind   `json:"kind,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	Value   any    `json:"value,omitempty"`
	Run     *Run   `json:"-"` // its keys follow
}

// WriteJSON writes the run on a line.
func (n *Named) WriteJSON(w io.Writer) error {
	var head bytes.Buffer
	if err := WriteJSON(&head, n); err != nil {
		return err
	}
	j := jsontext.New(w, false)
	j.Raw(string(bytes.TrimSuffix(head.Bytes(), []byte("}\n"))))
	j.Raw(",")
	n.Run.write(j)
	j.Raw("}\n")
	return j.Flush()
}

// WriteJSON writes the answer on a line.
func (r *Answer) WriteJSON(w io.Writer) error {
	plain := *r
	plain.Trace = nil
	return writeWithRun(w, &plain, r.Trace)
}

// WriteJSON writes the report on a line.
func (r *Report) WriteJSON(w io.Writer) error {
	plain := *r
	plain.Trace = nil
	return writeWithRun(w, &plain, r.Trace)
}

// writeWithRun writes an object on a line, whose last key is that of its run, which it lacks.
func writeWithRun(w io.Writer, plain any, run *Run) error {
	if run == nil {
		return WriteJSON(w, plain)
	}
	var head bytes.Buffer
	if err := WriteJSON(&head, plain); err != nil {
		return err
	}
	j := jsontext.New(w, false)
	j.Raw(string(bytes.TrimSuffix(head.Bytes(), []byte("null}\n"))))
	j.Raw("{")
	run.write(j)
	j.Raw("}}\n")
	return j.Flush()
}

// write writes the keys of a run.
func (t *Run) write(j *jsontext.Writer) {
	writeSteps(j, t.Prefix, t.Cycle)
	if t.Dead != "" {
		j.Raw(`,"dead":`)
		j.String(t.Dead)
	}
	for i := range t.Branches {
		b := &t.Branches[i]
		j.Raw(map[bool]string{true: `,"branches":[{`, false: `,{`}[i == 0])
		if b.From != nil {
			j.Raw(`"from":` + strconv.Itoa(*b.From) + ",")
		}
		if b.At != nil {
			j.Raw(`"at":` + strconv.Itoa(*b.At) + ",")
		}
		writeSteps(j, b.Prefix, b.Cycle)
		j.Raw("}")
	}
	if len(t.Branches) > 0 {
		j.Raw("]")
	}
}

// writeSteps writes the keys of the prefix and of the cycle, until the first error.
func writeSteps(j *jsontext.Writer, prefix, cycle []Step) {
	for _, section := range []struct {
		key   string
		steps []Step
	}{{`"prefix":`, prefix}, {`,"cycle":`, cycle}} {
		j.Raw(section.key)
		if section.steps == nil {
			j.Raw("null")
			continue
		}
		j.Raw("[")
		for i := range section.steps {
			if i > 0 {
				j.Raw(",")
			}
			if section.steps[i].write(j); j.Err() != nil {
				return
			}
		}
		j.Raw("]")
	}
}

// write writes the object of a step.
func (s *Step) write(j *jsontext.Writer) {
	before := "{"
	key := func(name string) {
		j.Raw(before + name)
		before = ","
	}
	if s.Transition != "" {
		key(`"transition":`)
		j.String(s.Transition)
	}
	if name := s.name(); name != "" {
		key(`"name":`)
		j.String(name)
	}
	if binding := s.binding(); len(binding) > 0 {
		key(`"binding":`)
		open := "{"
		for _, variable := range slices.Sorted(maps.Keys(binding)) {
			j.Raw(open)
			j.String(variable)
			j.Raw(":")
			j.String(binding[variable])
			open = ","
		}
		j.Raw("}")
	}
	if s.Times != 0 {
		key(`"times":` + strconv.FormatInt(s.Times, 10))
	}
	if s.Deadlock {
		key(`"deadlock":true`)
	}
	if before == "{" {
		j.Raw("{")
	}
	j.Raw("}")
}
