package hoa

import (
	"errors"
	"fmt"
	"io"

	"pnmc/automata"
)

// Reader reads the automata of a stream one by one.
type Reader struct {
	scanner
	file string
	held bool // the current token begins the next automaton

	begin      Position // of the last automaton
	header     header
	base       Position // of the header item in hand
	itemTokens []itemToken
	itemText   []byte
	items      map[string]*headerItem
	labels     labelReader
	usage      usage
	body       body
	wordsBound int // bodyWords, or less in tests

	limit   func(bytes int) error // or nil
	asked   int                   // bytes of the body up to which there was room
	stopped error                 // what limit said

	strict   bool
	errors   []*Diagnostic
	omitted  int
	warnings []*Diagnostic
}

// NewReader reads from r, whose name file stands in diagnostics and may be
// empty. It reads as much as r gives at once, and no further than needed.
func NewReader(r io.Reader, file string) *Reader {
	return &Reader{scanner: newScanner(r), file: file, wordsBound: bodyWords}
}

// LimitBy makes the reader ask, before what it makes of the text takes so many bytes more
// than all that was asked before; of few characters may come many labels. It asks, too, before a
// string or name takes much, and for each part of the text when that was read, whatever becomes of it. An
// error ends the stream, with that error.
func (r *Reader) LimitBy(limit func(bytes int) error) {
	r.limit, r.labels.limit, r.scanner.room.Limit = limit, limit, limit
}

// BeStrict makes the reader refuse what it otherwise warns of: text that the format does not
// allow though its meaning is clear, and properties that are false.
func (r *Reader) BeStrict() { r.strict = true }

// room reports whether the limit leaves room. It asks when the automaton has become a
// quarter larger: there must be room to copy it where slices grow, and to lay it out in the
// end.
func (r *Reader) room() bool {
	if r.limit == nil {
		return true
	}
	b := &r.body
	bytes := wordBytes * (b.words + b.edges*(len(b.marks)+edgeWords))
	if bytes <= r.asked {
		return true
	}
	if err := r.limit(2*bytes + firstRoom); err != nil {
		r.stop(err)
		return false
	}
	r.asked = bytes + bytes/4 + firstRoom
	return true
}

// stop ends the stream with the error of the limit.
func (r *Reader) stop(err error) {
	r.stopped = err
	if r.file != "" {
		r.stopped = fmt.Errorf("%s: %w", r.file, err)
	}
}

// wordBytes and edgeWords are sizes in an automaton. Memory up to firstRoom is not
// asked for.
const (
	wordBytes = 8
	edgeWords = 4
	firstRoom = 1 << 20
)

// Warnings returns what was noteworthy, but no error, in the last Read.
func (r *Reader) Warnings() []*Diagnostic { return r.warnings }

// Position returns where the last automaton that was read begins.
func (r *Reader) Position() Position { return r.begin }

// PropositionPosition returns where the last automaton that was read has the name of
// its proposition i, or line 0 if there is no such proposition.
func (r *Reader) PropositionPosition(i int) Position {
	if i < 0 || i >= len(r.header.places) {
		return Position{}
	}
	return r.header.places[i]
}

// Read reads the next automaton, and returns it as soon as its --END-- was read. The error is
// io.EOF at the end of the stream. It is an *AutomatonError or an *AbortedError if the automaton
// can't be used but the next can be read, and a *GarbageError for text between automata. Any
// other error is one of the underlying reader, after which there is nothing more.
//
// State-based acceptance and state labels are pushed to the outgoing edges;
// edges whose label is false are left out. The time is linear in the text but
// for labels that aren't sums of products.
//
// An automaton with errors is read to its end. So one Read reports all mistakes of its header, and
// the next Read begins with the next automaton. What the header says wrongly makes the body
// impossible to read; it is skipped then, as errors in it might only follow from the header.
func (r *Reader) Read() (*automata.Automaton, error) {
	r.errors, r.warnings, r.omitted, r.asked = nil, nil, 0, firstRoom
	if r.stopped != nil {
		return nil, r.stopped
	}
	if !r.held {
		r.next()
	}
	r.held = false
	switch {
	case r.kind == tokenEnd:
		return nil, r.endOfStream()
	case r.kind == tokenAbort:
		return nil, r.aborted(r.position)
	case r.kind != tokenHeader || string(r.text) != "HOA:":
		garbage := &GarbageError{Diagnostic{r.file, r.position,
			fmt.Sprintf("expected an automaton that begins with 'HOA:', found %s", r.describe())}}
		r.skipGarbage()
		if r.kind == tokenEnd && r.broken() {
			return nil, r.endOfStream()
		}
		return nil, garbage
	}
	r.begin = r.position
	if at := r.scanner.marked; at != (Position{}) {
		r.scanner.marked = Position{}
		r.doubt(at, "a byte order mark, which is not of the format: HOA: should be the first token")
	}
	good := r.readHeader()
	switch {
	case r.stopped != nil:
		return nil, r.stopped
	case r.kind == tokenAbort:
		return nil, r.aborted(r.begin)
	case !good:
		r.report(r.position, "expected another header or --BODY--, found %s", r.describe())
	}
	if len(r.errors) == 0 {
		r.next()
		r.readBody()
	} else {
		r.skipBody()
	}
	if r.stopped != nil {
		return nil, r.stopped
	}
	if r.kind == tokenAbort {
		return nil, r.aborted(r.begin)
	}
	if len(r.errors) > 0 {
		return nil, r.failure()
	}
	return r.finish()
}

// endOfStream returns the error that ends the stream.
func (r *Reader) endOfStream() error {
	r.held = true
	switch {
	case r.scanner.problem != "" && !r.broken(): // else that is why the comment has no end
		problem := r.scanner.problem
		r.scanner.problem = ""
		return &GarbageError{Diagnostic{r.file, r.position, problem}}
	case !r.broken() && r.scanner.err != errZero:
		return io.EOF
	case r.scanner.long:
		return &tokenError{Diagnostic{r.file, r.position, r.scanner.err.Error()}, r.scanner.err}
	case r.file == "":
		return r.scanner.err
	}
	return fmt.Errorf("%s: %w", r.file, r.scanner.err)
}

// aborted returns the error for an automaton that ends in --ABORT--.
func (r *Reader) aborted(begin Position) error {
	return &AbortedError{Diagnostic{r.file, begin, "the automaton was aborted by its producer"}}
}

// broken reports whether the input failed. It did not where a zero byte ends it: that is reported where it stands.
func (r *Reader) broken() bool {
	return r.scanner.err != nil && r.scanner.err != errZero && !errors.Is(r.scanner.err, io.EOF)
}

// failure returns the error for what was reported. The input may end early because
// it failed, which is then worth more than what is missing, or in a comment.
func (r *Reader) failure() error {
	if r.kind == tokenEnd {
		if r.broken() {
			return r.endOfStream()
		}
		if r.scanner.problem != "" {
			if last := len(r.errors) - 1; r.errors[last].Position != r.position {
				r.report(r.position, "%s", r.scanner.problem)
			}
			r.scanner.problem = ""
		}
	}
	return &AutomatonError{Name: r.header.name, Diagnostics: r.errors, Omitted: r.omitted}
}

// skipGarbage goes to the next "HOA:", and holds it.
func (r *Reader) skipGarbage() {
	for r.kind != tokenEnd && r.kind != tokenAbort && (r.kind != tokenHeader || string(r.text) != "HOA:") {
		r.next()
	}
	r.held = true
}

// skipBody goes past the end of an automaton with errors, or holds the
// beginning of the next one.
func (r *Reader) skipBody() {
	for {
		switch {
		case r.kind == tokenEndMark, r.kind == tokenAbort:
			return
		case r.kind == tokenEnd, r.kind == tokenHeader && string(r.text) == "HOA:":
			r.held = true
			return
		}
		r.next()
	}
}
