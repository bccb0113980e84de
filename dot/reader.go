package dot

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"pnmc/automata"
	"pnmc/internal/located"
	"pnmc/internal/longtoken"
)

// Reader reads the testing automata that ltl2tgta drew one after the other.
type Reader struct {
	parser parser
	file   string
	first  int // line of the last graph
	sets   int // what AssumeSets said, or -1
	other  *automata.Automaton
	unsure *Error
	failed error // of the limit, of the input, or of reading on after a wrong drawing: what the next Read tells
}

// NewReader reads from r, whose name file stands in errors and may be empty.
func NewReader(r io.Reader, file string) *Reader {
	return &Reader{parser: parser{scanner: scanner{lines: bufio.NewReader(r)}}, file: file, sets: -1}
}

// LimitBy makes the reader ask for the bytes that long lines take, before they take them, for what is
// made of labels, as of few characters may come many valuations, and for all lines, as work. An error ends the stream, with that error.
func (r *Reader) LimitBy(limit func(bytes int) error) { r.parser.limit = limit }

// AssumeSets says that the automata have n acceptance sets, where their drawings
// don't say how many.
func (r *Reader) AssumeSets(n int) { r.sets = n }

// Line returns the line where the last graph that was read begins.
func (r *Reader) Line() int { return r.first }

// Unsure returns nil unless the last drawing can be read in two ways, that of Read and
// other: then it says so. One of the two accepts all words of the other, and words
// beyond that which change for ever.
func (r *Reader) Unsure() (other *automata.Automaton, reason *Error) { return r.other, r.unsure }

// Read reads the next automaton, and returns it as soon as the line with its
// closing brace was read. The error is io.EOF at the end of the stream, an *Error
// where the graph isn't a testing automaton, after which the next one can be
// read, or an error of the underlying reader.
//
// Drawings are understood as Spot 2 draws them. State 0 of the automaton is its only
// initial one, whose labels are the first valuations; the others follow in the order of
// their nodes. The propositions are those of the first valuations, in the order in
// which these name them. Each drawn edge is an edge of the automaton.
//
// A drawing is one of a TGTA if it has no boxes and no double borders, and some edge is for the
// empty changeset. Any other drawing is one of a TA or a GTA. Both become an automaton of the
// kind TA, whose states have loops for the empty changeset. It has the n acceptance sets of the
// drawing, or one if there are none. Behind them are set n, that of livelocks, and set n+1, that
// of changes.
//
// A drawing doesn't say how many acceptance sets there are: as many as it mentions.
// For a TGTA that is right. Of a TA or GTA that mentions none, see Unsure.
func (r *Reader) Read() (*automata.Automaton, error) {
	r.other, r.unsure = nil, nil
	if r.failed != nil {
		return nil, r.failed
	}
	r.parser.size = len(r.parser.line) - r.parser.at
	r.parser.behind = r.first > 0
	start, err := r.parser.peek()
	r.parser.behind = false
	if err == nil && start.kind == endOfInput {
		return nil, io.EOF
	}
	r.first = start.at.line
	d := newDrawn()
	if err == nil {
		err = d.gather(&r.parser)
	}
	if err != nil {
		var place *Error
		if !errors.As(err, &place) {
			r.failed = err
			return nil, err
		}
		place.File = r.file
		r.failed = r.parser.recover()
		return nil, err
	}
	d.limit = r.parser.limit
	a, err := r.build(d)
	if d.full != nil {
		r.failed = d.full
		return nil, d.full
	}
	var place *Error
	if errors.As(err, &place) {
		place.File = r.file
	}
	return a, err
}

// build makes the automaton of a drawing, and the other one that it may be meant
// to be.
func (r *Reader) build(d *drawn) (*automata.Automaton, error) {
	if err := d.resolve(); err != nil {
		return nil, err
	}
	if err := d.understand(); err != nil {
		return nil, err
	}
	f, err := d.form(r.sets)
	if err != nil {
		return nil, err
	}
	a, err := d.automaton(f)
	if err != nil || !f.unsure {
		return a, err
	}
	f.everyChange = !f.everyChange
	if r.other, err = d.automaton(f); err != nil {
		return nil, err
	}
	meaning := "taken as a TA or GTA that rejects words which change for ever"
	if !f.everyChange {
		meaning = "taken as a GTA without acceptance sets, which accepts words that change for ever"
	}
	r.unsure = &Error{
		File: r.file, Line: r.first, Column: 1,
		Message: "the drawing doesn't tell whether there are acceptance sets: " + meaning,
	}
	return a, nil
}

// Error says where a drawing isn't one of a testing automaton: File, Line, Column and Message.
type Error = located.Error

// problem returns an *Error at a position. The reader adds the file.
func problem(at position, format string, arguments ...any) error {
	return &Error{Line: at.line, Column: at.column, Message: longtoken.Shorten(fmt.Sprintf(format, arguments...))}
}
