package etf

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unsafe"

	"pnmc/internal/located"
	"pnmc/internal/longtoken"
)

// The problem. A table may have millions of rows, written by a program or by hand, and an error in
// one of them must be found: with line and column, and what was expected there.
//
// The idea. The format has no nesting, so that a reader needs no tree of words. A line is split into
// fields with their columns. A section is a line begin, lines of one form, and a line end. Its kind
// chooses the function that reads each of its lines (section). Each row goes to the model at once.
//
// For example, after a section "begin state / x:int y:bool / end state" the section
//
//	begin trans
//	0/1 * 5
//	end trans
//
// begins a group and gives its line to row. Without edge labels a row has two fields, one for each
// variable. This one has three, so that the error is at line 5, column 1: "expected 2 entries and 0
// values, found 3 fields".
//
// Why it is right. How many fields a row has depends on the variables and edge labels alone. So no
// edge section may come after the transitions, and there is one state section only. What is known
// only at the end is checked there: that there is a state section, and as many initial values as
// variables. Numbers have 32 bits, as in the tool that the format is from.
//
// What it costs. Time is linear in the text. Beside the model only one line is in memory, with its
// fields, and none may be longer than longestLine. A line of single digits takes twelve times its length
// as fields, so that the limit is asked for them, and for what is made of them.
//
// The source is the manual page etf(5) of LTSmin (Blom, van de Pol, Weber, "LTSmin: distributed and
// symbolic reachability", 2010).

// An Error says what was expected at a place of the text: File, Line, Column and Message, with the
// Cause behind it, if any.
type Error = located.Error

// longestLine bounds a line, in bytes.
const longestLine = 16 << 20

// A Reader reads models.
type Reader struct {
	// Limit, unless nil, is asked for the bytes that a line takes and what is made of it, before they are
	// taken. Its error ends the reading.
	Limit func(bytes int) error
}

// A reader goes through a file line by line.
type reader struct {
	limit  func(bytes int) error
	room   longtoken.Room // of the line
	lines  *bufio.Scanner
	file   string
	line   int
	text   string
	fields []field
	model  *Model
	names  map[string]bool // of variables
}

// A field is a word of a line, or a quoted string, with its column.
type field struct {
	text   string
	column int
}

// What is asked for: a field, a name that is made of one, and an entry or a number that is.
const (
	fieldBytes  = int(unsafe.Sizeof(field{}))
	nameBytes   = 200
	numberBytes = 2 * entryBytes
)

// Read reads a model without a limit; see Reader.Read.
func Read(in io.Reader, file string) (*Model, error) { return Reader{}.Read(in, file) }

// Read reads a model; file is its name for errors. Sections come in any order,
// but those that name variables and edge labels before the rows that use them.
func (reader Reader) Read(in io.Reader, file string) (*Model, error) {
	r := newReader(in, file, reader.Limit)
	for {
		more, err := r.next()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		if err := r.section(); err != nil {
			return nil, err
		}
	}
	m := r.model
	switch {
	case m.Variables == nil:
		return nil, r.errorAt(1, "expected a section \"state\" before the end of the file")
	case len(m.Initial) != len(m.Variables):
		return nil, r.errorAt(1, "expected a section \"init\" with %d values before the end of the file", len(m.Variables))
	}
	return m, nil
}

// newReader returns a reader at the beginning of a text.
func newReader(in io.Reader, file string, limit func(bytes int) error) *reader {
	if limit == nil {
		limit = func(int) error { return nil }
	}
	r := &reader{limit: limit, lines: bufio.NewScanner(in), file: file, model: &Model{}, names: map[string]bool{}}
	r.room.Limit = limit
	r.lines.Buffer(nil, longestLine)
	r.lines.Split(r.splitLines)
	return r
}

// splitLines finds the next line, and asks for room where the line goes on beyond what was read of it.
func (r *reader) splitLines(data []byte, end bool) (advance int, line []byte, err error) {
	advance, line, err = bufio.ScanLines(data, end)
	if advance == 0 && !end && err == nil && len(data) < longtoken.Most {
		err = r.room.Grow(len(data))
	}
	return advance, line, err
}

// errorAt returns an error in the present line, or in the first one if no line was read yet.
func (r *reader) errorAt(column int, format string, arguments ...any) error {
	return &Error{File: r.file, Line: max(1, r.line), Column: column, Message: fmt.Sprintf(format, arguments...)}
}

// next goes to the next line that is not empty. It reports false at the end.
func (r *reader) next() (bool, error) {
	for r.lines.Scan() {
		r.line++
		if err := r.limit(len(r.lines.Bytes())); err != nil {
			return false, r.cause(err)
		}
		r.text = r.lines.Text()
		if err := r.split(); err != nil {
			return false, err
		}
		if len(r.fields) > 0 {
			return true, nil
		}
	}
	if err := r.lines.Err(); err != nil {
		r.line++
		return false, r.cause(err)
	}
	return false, nil
}

// cause returns the error of a line that can't be read.
func (r *reader) cause(err error) error {
	return &Error{File: r.file, Line: r.line, Column: 1, Message: fmt.Sprintf("cannot read the line: %v", err), Cause: err}
}

// add adds a field to those of the line.
func (r *reader) add(text string, column int) error {
	if len(r.fields) == cap(r.fields) {
		if err := r.limit((len(r.fields) + len(r.fields)/4 + 1) * fieldBytes); err != nil {
			return r.cause(err)
		}
	}
	r.fields = append(r.fields, field{text, column})
	return nil
}

// split finds the fields of the line. A quoted string is one field, quotes
// included; a backslash takes what follows into the field.
func (r *reader) split() error {
	r.fields = r.fields[:0]
	for i := 0; i < len(r.text); {
		switch c := r.text[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '"':
			quoted, err := strconv.QuotedPrefix(r.text[i:])
			if err != nil {
				return r.errorAt(i+1, "expected a closing quote")
			}
			if err := r.add(quoted, i+1); err != nil {
				return err
			}
			i += len(quoted)
		default:
			end := i
			for end < len(r.text) && !strings.ContainsRune(" \t\r", rune(r.text[end])) {
				if r.text[end] == '\\' && end+1 < len(r.text) {
					end++
				}
				end++
			}
			if err := r.add(r.text[i:end], i+1); err != nil {
				return err
			}
			i = end
		}
	}
	return nil
}

// section reads from a line begin … to the matching line end ….
func (r *reader) section() error {
	if r.fields[0].text != "begin" || len(r.fields) < 2 {
		return r.errorAt(r.fields[0].column, "expected \"begin\" and the name of a section, found %q", r.fields[0].text)
	}
	kind := r.fields[1]
	m := r.model
	var line func() error
	switch kind.text {
	case "state":
		if m.Variables != nil {
			return r.errorAt(kind.column, "expected one section \"state\" only")
		}
		m.Variables = []Typed{}
		line = r.variables
	case "edge":
		if m.EdgeLabels != nil || m.Groups != nil {
			return r.errorAt(kind.column, "expected one section \"edge\", before the transitions")
		}
		line = func() error { return r.typedList(&m.EdgeLabels) }
	case "init":
		line = r.initialState
	case "trans":
		m.Groups = append(m.Groups, nil)
		line = r.row
	case "map":
		if len(r.fields) < 3 {
			return r.errorAt(kind.column, "expected the name of the map and its sort")
		}
		t, err := r.typed(r.fields[2])
		if err != nil {
			return err
		}
		m.Maps = append(m.Maps, Map{Typed: t})
		line = r.mapRow
	case "sort":
		if len(r.fields) < 3 {
			return r.errorAt(kind.column, "expected the name of the sort")
		}
		name, ok := parseName(r.fields[2].text)
		if !ok {
			return r.errorAt(r.fields[2].column, "expected the name of the sort, found %q", r.fields[2].text)
		}
		m.Sorts = append(m.Sorts, Sort{Name: name})
		line = r.sortValue
	default:
		return r.errorAt(kind.column, "expected state, edge, init, trans, map or sort, found %q", kind.text)
	}
	// Lines of a section are read by the function chosen above until its end; a line
	// that begins with the word end can't be a row, which has numbers and stars.
	for {
		more, err := r.next()
		if err != nil {
			return err
		}
		if !more {
			return r.errorAt(1, "expected \"end %s\" before the end of the file", kind.text)
		}
		if r.fields[0].text == "end" {
			if len(r.fields) < 2 || r.fields[1].text != kind.text {
				return r.errorAt(r.fields[0].column, "expected \"end %s\"", kind.text)
			}
			return nil
		}
		if err := line(); err != nil {
			return err
		}
	}
}

// typedList reads a line of names with sorts. A list may go on over several lines.
func (r *reader) typedList(to *[]Typed) error {
	for _, f := range r.fields {
		t, err := r.typed(f)
		if err != nil {
			return err
		}
		*to = append(*to, t)
	}
	return nil
}

// typed reads name:sort.
func (r *reader) typed(f field) (Typed, error) {
	name, sort, ok := cutTyped(f.text)
	var t Typed
	if ok {
		t.Name, ok = parseName(name)
	}
	if ok {
		t.Sort, ok = parseName(sort)
	}
	if !ok {
		return Typed{}, r.errorAt(f.column, "expected name:sort, found %q", f.text)
	}
	if err := r.limit(nameBytes); err != nil {
		return Typed{}, r.cause(err)
	}
	return t, nil
}

// variables reads a line of the state vector. A formula must know which variable a name
// means, so that no two have one.
func (r *reader) variables() error {
	for _, f := range r.fields {
		t, err := r.typed(f)
		if err != nil {
			return err
		}
		if t.Name != "" && r.names[t.Name] {
			return r.errorAt(f.column, "expected another name than %q, which a variable before has", t.Name)
		}
		r.names[t.Name] = true
		r.model.Variables = append(r.model.Variables, t)
	}
	return nil
}

// number reads the text, a part of the field f or all of it. Values are those of 32-bit
// integers in LTSmin, whose files these are, so that negative ones occur.
func (r *reader) number(f field, text string) (int32, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, r.errorAt(f.column, "expected a number of 32 bits, found %q", f.text)
	}
	if err := r.limit(numberBytes); err != nil {
		return 0, r.cause(err)
	}
	return int32(n), nil
}

// initialState reads values of the initial state, in the order of the variables; whether
// there are enough shows at the end of the file only.
func (r *reader) initialState() error {
	for _, f := range r.fields {
		n, err := r.number(f, f.text)
		if err != nil {
			return err
		}
		r.model.Initial = append(r.model.Initial, n)
	}
	if len(r.model.Initial) > len(r.model.Variables) {
		return r.errorAt(r.fields[0].column, "expected %d values, found more", len(r.model.Variables))
	}
	return nil
}

// entries reads the fields of a row that stand for variables, and checks that as many fields follow as
// more says. In the row "3/4 * 2" of three variables, the first one has to be 3 and becomes 4, the
// second one does not matter, and the third one has to be 2 and stays so.
func (r *reader) entries(more int) ([]Entry, []field, error) {
	variables := len(r.model.Variables)
	if len(r.fields) != variables+more {
		return nil, nil, r.errorAt(r.fields[0].column, "expected %d entries and %d values, found %d fields",
			variables, more, len(r.fields))
	}
	var entries []Entry
	for v, f := range r.fields[:variables] {
		if f.text == "*" {
			continue
		}
		before, after, changes := strings.Cut(f.text, "/")
		if !changes {
			after = before
		}
		b, err := r.number(f, before)
		if err != nil {
			return nil, nil, err
		}
		a, err := r.number(f, after)
		if err != nil {
			return nil, nil, err
		}
		entries = append(entries, Entry{v, b, a})
	}
	return entries, r.fields[variables:], nil
}

// row reads a row of the last group: entries, then a value for each edge label.
func (r *reader) row() error {
	entries, rest, err := r.entries(len(r.model.EdgeLabels))
	if err != nil {
		return err
	}
	row := Row{Entries: entries}
	for _, f := range rest {
		n, err := r.number(f, f.text)
		if err != nil {
			return err
		}
		row.Labels = append(row.Labels, n)
	}
	group := &r.model.Groups[len(r.model.Groups)-1]
	*group = append(*group, row)
	return nil
}

// mapRow reads a row of the last map: entries that ask for a value, and the result. A map
// says nothing of what follows, so that an entry from/to in one is an error.
func (r *reader) mapRow() error {
	entries, rest, err := r.entries(1)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if e.Before != e.After {
			return r.errorAt(r.fields[entries[i].Variable].column, "expected a value or a star in a map")
		}
	}
	n, err := r.number(rest[0], rest[0].text)
	if err != nil {
		return err
	}
	rows := &r.model.Maps[len(r.model.Maps)-1].Rows
	*rows = append(*rows, MapRow{entries, n})
	return nil
}

// sortValue reads names of values of the last sort, which are numbered from 0 on.
func (r *reader) sortValue() error {
	values := &r.model.Sorts[len(r.model.Sorts)-1].Values
	for _, f := range r.fields {
		value := f.text
		if value[0] == '"' {
			var err error
			if value, err = strconv.Unquote(value); err != nil {
				return r.errorAt(f.column, "expected a string in quotes, found %s", f.text)
			}
		}
		*values = append(*values, value)
	}
	return nil
}
