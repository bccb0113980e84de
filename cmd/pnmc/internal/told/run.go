package told

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/petri/symmetric"
)

// Run is a run in terms of the document: after Prefix, Cycle repeats for ever, unless
// it is empty.
type Run struct {
	Prefix   []Step   `json:"prefix"`
	Cycle    []Step   `json:"cycle"`
	Dead     string   `json:"dead,omitempty"` // a transition that never fires again then
	Branches []Branch `json:"branches,omitempty"`
}

// Branch is one of the runs that show a formula of CTL. It begins where the one numbered
// From is after At firings, or in the initial marking if there is no From.
type Branch struct {
	From   *int   `json:"from,omitempty"`
	At     *int   `json:"at,omitempty"`
	Prefix []Step `json:"prefix"`
	Cycle  []Step `json:"cycle"`
}

// Step fires a transition, told by identifier and, if that is another, name,
// perhaps several times in a row; or stays in a deadlock.
type Step struct {
	Transition string            `json:"transition,omitempty"`
	Name       string            `json:"name,omitempty"`
	Binding    map[string]string `json:"binding,omitempty"` // colours by variable
	Times      int64             `json:"times,omitempty"`   // if not once
	Deadlock   bool              `json:"deadlock,omitempty"`

	// The firing that is told, of a coloured net; nil where Name and Binding say it. Its name is as
	// long as those of its transition and colours, and so is made only when it is written.
	of     *symmetric.Transition
	firing *symmetric.Firing
}

// name returns the name of the transition, or "" if that is its identifier.
func (s *Step) name() string {
	if s.of == nil || len(s.of.Variables) == 0 {
		return s.Name
	}
	return s.of.ID + "[" + s.of.Binding(s.firing.Binding) + "]"
}

// binding returns the colours of the firing by variable.
func (s *Step) binding() map[string]string {
	if s.of == nil || len(s.of.Variables) == 0 {
		return s.Binding
	}
	colours := make(map[string]string, len(s.of.Variables))
	for k, v := range s.of.Variables {
		colours[v.Name] = v.Class.Colour(s.firing.Binding[k])
	}
	return colours
}

// words returns a run of a few steps, or where a longer one is.
func (t *Run) words(file string) string {
	steps := len(t.Prefix) + len(t.Cycle)
	for _, b := range t.Branches {
		steps += len(b.Prefix) + len(b.Cycle)
	}
	switch {
	case steps > shortRun && file == "-":
		return fmt.Sprintf("a run of %d steps is on standard output", steps)
	case steps > shortRun && file == "":
		return fmt.Sprintf("a run of %d steps, which --trace FILE writes", steps)
	case steps > shortRun:
		return fmt.Sprintf("a run of %d steps is in %s", steps, file)
	}
	parts := []string{inWords(t.Prefix, t.Cycle, "the initial marking shows it")}
	if len(t.Branches) > 0 {
		parts = nil
	}
	for i, b := range t.Branches {
		switch {
		case len(t.Branches) == 1:
			parts = append(parts, inWords(b.Prefix, b.Cycle, "the initial marking shows it"))
		case b.From == nil:
			parts = append(parts, fmt.Sprintf("part %d: %s", i+1, inWords(b.Prefix, b.Cycle, "no step")))
		default:
			parts = append(parts, fmt.Sprintf("part %d, %s: %s", i+1, b.from(), inWords(b.Prefix, b.Cycle, "no step")))
		}
	}
	if t.Dead != "" {
		parts = append(parts, "then "+t.Dead+" can never fire again")
	}
	return strings.Join(parts, "; ")
}

// inWords returns a run of a few steps, and for one without any what is given.
func inWords(prefix, cycle []Step, none string) string {
	switch {
	case len(prefix) == 0 && len(cycle) == 0:
		return none
	case len(cycle) == 0:
		return joinSteps(prefix)
	case len(prefix) == 0:
		return "again and again " + joinSteps(cycle)
	}
	return joinSteps(prefix) + "; again and again " + joinSteps(cycle)
}

// from returns where a branch begins that does not in the initial marking.
func (b *Branch) from() string {
	return fmt.Sprintf("from part %d after %s", *b.From+1, wording.Counted(*b.At, "firing", "firings"))
}

// shortRun is how many steps of a run are printed in words.
const shortRun = 10

// joinSteps returns steps as text, such as "t1, t2 3 times, deadlock". A step has its name rather
// than its identifier.
func joinSteps(steps []Step) string {
	words := make([]string, len(steps))
	for i, s := range steps {
		switch words[i] = s.Transition; {
		case s.Deadlock:
			words[i] = "deadlock"
		default:
			words[i] = cmp.Or(s.name(), s.Transition)
		}
		if s.Times > 1 {
			words[i] += fmt.Sprintf(" %d times", s.Times)
		}
	}
	return strings.Join(words, ", ")
}

// WriteRun writes a run as text: a comment, then a transition's identifier a line,
// indented within the sections prefix and cycle.
//
// For example, a run that fires t1, and then t2 three times and t3 for ever, is
//
//	# counterexample to G p <= 2: 1 step, then a cycle of 2
//	prefix
//	  t1
//	cycle
//	  t2  *3
//	  t3
func WriteRun(w io.Writer, title string, t *Run) error {
	text := bufio.NewWriterSize(w, textBuffer)
	if len(t.Branches) == 0 {
		fmt.Fprintf(text, "# %s: %s\n", title, length(t.Prefix, t.Cycle))
		writeSections(text, t.Prefix, t.Cycle)
		if t.Dead != "" {
			fmt.Fprintf(text, "# then %s can never fire again\n", t.Dead)
		}
		return text.Flush() // has the first error
	}
	for i, b := range t.Branches {
		part := ""
		if len(t.Branches) > 1 {
			part = fmt.Sprintf(", part %d of %d", i+1, len(t.Branches))
		}
		if b.From != nil {
			part += ", " + b.from()
		}
		fmt.Fprintf(text, "# %s%s: %s\n", title, part, length(b.Prefix, b.Cycle))
		writeSections(text, b.Prefix, b.Cycle)
	}
	return text.Flush()
}

// textBuffer is how much text of a run is held before it is written.
const textBuffer = 1 << 16

// length returns how long a run is, in words.
func length(prefix, cycle []Step) string {
	steps := wording.Counted(len(prefix), "step", "steps")
	if len(cycle) == 0 {
		return steps
	}
	return fmt.Sprintf("%s, then a cycle of %d", steps, len(cycle))
}

// writeSections writes the sections of a run until the first error; there is no cycle in a finite one.
func writeSections(w *bufio.Writer, prefix, cycle []Step) {
	for _, section := range []struct {
		title string
		steps []Step
	}{{"prefix", prefix}, {"cycle", cycle}} {
		if section.title == "cycle" && len(cycle) == 0 {
			continue
		}
		fmt.Fprintln(w, section.title)
		for i := range section.steps {
			if err := writeStep(w, &section.steps[i]); err != nil {
				return
			}
		}
	}
}

// writeStep writes a step on a line. The names are not copied, as they may be long.
func writeStep(w *bufio.Writer, s *Step) error {
	if s.Deadlock {
		_, err := w.WriteString("  # deadlock: nothing fires\n")
		return err
	}
	w.WriteString("  ")
	w.WriteString(s.Transition)
	if s.Times > 1 {
		fmt.Fprintf(w, "  *%d", s.Times)
	}
	if name := s.name(); name != "" {
		w.WriteString("  # ")
		w.WriteString(wording.OneLine(name))
	}
	return w.WriteByte('\n')
}
