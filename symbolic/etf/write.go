package etf

import (
	"bufio"
	"io"
	"strconv"
)

// Write writes m such that Read gives it back. An error reports a name with an end of
// line in it, or two variables of one name.
func (m *Model) Write(w io.Writer) error {
	if err := checkNames(m); err != nil {
		return err
	}
	out := &writer{bufio.NewWriter(w), len(m.Variables)}
	out.typedSection("state", m.Variables)
	out.typedSection("edge", m.EdgeLabels)
	out.line("begin init")
	for i, x := range m.Initial {
		if i > 0 {
			out.WriteByte(' ')
		}
		out.number(x)
	}
	out.line("")
	out.line("end init")
	for _, g := range m.Groups {
		out.line("begin trans")
		for _, r := range g {
			if out.row(r.Entries, r.Labels, true); out.failed() {
				return out.Flush()
			}
		}
		out.line("end trans")
	}
	for _, x := range m.Maps {
		out.line("begin map " + formatName(x.Name) + ":" + formatName(x.Sort))
		for _, r := range x.Rows {
			if out.row(r.Entries, []int32{r.Result}, false); out.failed() {
				return out.Flush()
			}
		}
		out.line("end map")
	}
	for _, s := range m.Sorts {
		out.line("begin sort " + formatName(s.Name))
		for _, v := range s.Values {
			out.line(strconv.Quote(v))
		}
		out.line("end sort")
	}
	return out.Flush()
}

// A writer prints lines. Errors wait for Flush, but after an error no more rows are
// printed, as each has an entry for each variable. Sections come in the order in which Read
// wants them: names before the rows that use them.
type writer struct {
	*bufio.Writer
	variables int
}

// failed reports whether an error waits.
func (w *writer) failed() bool {
	_, err := w.Write(nil)
	return err != nil
}

func (w *writer) line(s string) { w.WriteString(s + "\n") }

func (w *writer) number(x int32) { w.WriteString(strconv.Itoa(int(x))) }

// typedSection prints a section of names with sorts, all in one line as LTSmin does.
func (w *writer) typedSection(name string, list []Typed) {
	w.line("begin " + name)
	for i, t := range list {
		if i > 0 {
			w.WriteByte(' ')
		}
		w.WriteString(formatName(t.Name) + ":" + formatName(t.Sort))
	}
	w.line("")
	w.line("end " + name)
}

// row prints the entries, with values after if changes is set, and the numbers.
func (w *writer) row(entries []Entry, numbers []int32, changes bool) {
	for v := range w.variables {
		if len(entries) == 0 || entries[0].Variable != v {
			w.WriteString("* ")
			continue
		}
		w.number(entries[0].Before)
		if changes {
			w.WriteByte('/')
			w.number(entries[0].After)
		}
		w.WriteByte(' ')
		entries = entries[1:]
	}
	for i, n := range numbers {
		if i > 0 {
			w.WriteByte(' ')
		}
		w.number(n)
	}
	w.line("")
}
