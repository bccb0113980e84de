package exchange

import (
	"io"
	"strconv"
	"strings"

	"pnmc/petri"
)

// LoLA's format lists the places, the marking, and the transitions with what each consumes and
// produces. (K. Wolf, "Petri Net Model Checking with LoLA 2", 2018; a place may be claimed SAFE,
// which is not believed.)
//
// For example:
//
//	PLACE p, q;
//	MARKING p: 2;
//	TRANSITION t CONSUME p: 2; PRODUCE q;

// ReadLoLA reads a net from LoLA's text; file is its name in messages. An error is an *Error, that
// of r, or the limit's.
func ReadLoLA(r io.Reader, file string, limit Limit) (*petri.Net, error) {
	l := newLolaReader(r, file, limit)
	if err := l.read(); err != nil {
		return nil, err
	}
	return l.build()
}

// A text is "PLACE" lolaPlaces+ ["MARKING" list] {"TRANSITION" word "CONSUME" list "PRODUCE" list},
// where a list is that of entries up to a semicolon. Pieces of it end with a comma or a semicolon;
// keywords are words.
type (
	lolaStart struct {
		Places part `parser:"@'PLACE'"`
	}
	// lolaDeclaration is a declaration up to the first item of its list.
	lolaDeclaration struct {
		Marking    *lolaMarking    `parser:"  @@"`
		Transition *lolaTransition `parser:"| @@"`
		Places     *lolaPlaces     `parser:"| @@"`
	}
	// lolaPlaces are places that have a claim in common, which is not believed, or none.
	lolaPlaces struct {
		Place *lolaPlace `parser:"( (?! 'SAFE' (',' | ';')) 'SAFE' Word? ':' )? @@"`
	}
	lolaPlace struct {
		Name part `parser:"@Word"`
		End  part `parser:"@(',' | ';')"`
	}
	lolaMarking struct {
		Begin part       `parser:"@'MARKING'"`
		List  *lolaFirst `parser:"@@"`
	}
	lolaTransition struct {
		Name     part       `parser:"'TRANSITION' @Word"`
		Fairness part       `parser:"( @('STRONG' | 'WEAK') 'FAIR' )? 'CONSUME'"`
		List     *lolaFirst `parser:"@@"`
	}
	lolaProduce struct {
		List *lolaFirst `parser:"'PRODUCE' @@"`
	}
	// lolaFirst is the first entry of a list, if it has any.
	lolaFirst struct {
		Empty part       `parser:"  @';'"`
		Entry *lolaEntry `parser:"| @@"`
	}
	lolaEntry struct {
		Place part `parser:"@Word"`
		Count part `parser:"( ':' @Word )?"`
		End   part `parser:"@(',' | ';')"`
	}
)

var (
	lolaStarts       = parser[lolaStart]{Make: makeParser[lolaStart]}
	lolaDeclarations = parser[lolaDeclaration]{Make: makeParser[lolaDeclaration]}
	lolaNextPlaces   = parser[lolaPlace]{Make: makeParser[lolaPlace]}
	lolaProduces     = parser[lolaProduce]{Make: makeParser[lolaProduce]}
	lolaEntries      = parser[lolaEntry]{Make: makeParser[lolaEntry]}
)

// lolaPiece is more tokens than a piece has.
const lolaPiece = 10

// lolaReader reads a text piece by piece.
type lolaReader struct {
	*window
	*assembly
	start       grammar[lolaStart]
	declaration grammar[lolaDeclaration]
	nextPlace   grammar[lolaPlace]
	produce     grammar[lolaProduce]
	entry       grammar[lolaEntry]
}

// newLolaReader returns a reader with a grammar for each piece of the format. Begin is what a
// message says is expected where the piece should begin.
func newLolaReader(r io.Reader, file string, limit Limit) *lolaReader {
	l := &lolaReader{
		assembly:    newAssembly(file, limit),
		start:       grammar[lolaStart]{parser: &lolaStarts, begin: `"PLACE"`, words: lolaKeywords},
		declaration: grammar[lolaDeclaration]{parser: &lolaDeclarations, begin: `a place, "MARKING" or "TRANSITION"`, words: lolaKeywords},
		nextPlace:   grammar[lolaPlace]{parser: &lolaNextPlaces, begin: "a place"},
		produce:     grammar[lolaProduce]{parser: &lolaProduces, begin: `"PRODUCE"`, words: lolaKeywords},
		entry:       grammar[lolaEntry]{parser: &lolaEntries, begin: "a place"},
	}
	l.window = &window{scanner: newScanner(r, file, limit), advance: l.advance, last: isLolaEnd}
	return l
}

// isLolaEnd reports whether a token is one that ends pieces.
func isLolaEnd(t token) bool { return t.kind == markToken && (t.text == "," || t.text == ";") }

// advance goes on to the next token: a word, or one of , ; and :.
func (l *lolaReader) advance() error {
	for {
		at := l.here()
		switch {
		case l.char == end:
			l.token = token{endToken, "", at}
			return l.failed
		case isSpace(l.char):
			l.next()
		case l.char == '{':
			for l.char != end && l.char != '}' {
				l.next()
			}
			if l.char == end {
				return l.wrong(at, "a comment without an end, expected }")
			}
			l.next()
		case strings.ContainsRune(",;:", l.char):
			l.token = token{markToken, string(l.char), at}
			l.next()
			return l.failed
		case isLolaWord(l.char):
			text, err := l.take(isLolaWord)
			if err != nil || !strings.HasPrefix(text, "//") {
				l.token = token{wordToken, text, at}
				return err
			}
			for l.char != end && l.char != '\n' { // a comment
				l.next()
			}
		default:
			return l.invalid("")
		}
	}
}

// isSpace reports whether LoLA takes c for white space. A vertical tab is none.
func isSpace(c rune) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\v' }

// isLolaWord reports whether c may be part of a word.
func isLolaWord(c rune) bool { return !isSpace(c) && !strings.ContainsRune(",;:(){}", c) }

// read reads the text. Places come first, of which there are some, and the marking is before
// transitions.
//
// For example, a net with two places, in which t moves two tokens:
//
//	PLACE p, q;
//	MARKING p: 2;
//	TRANSITION t
//	CONSUME p: 2;
//	PRODUCE q: 2;
//
// The whole is not parsed at once: the tree of a net with millions of arcs takes many times the
// memory of the net. A declaration is parsed up to its first entry, and further entries one by
// one, each up to the comma or semicolon that says whether another follows.
func (l *lolaReader) read() error {
	if _, err := l.start.parse(l.window, 1); err != nil {
		return err
	}
	for expected := "a place"; ; {
		next, err := l.peek()
		if err != nil || next.kind == endToken && len(l.places) > 0 {
			return err
		}
		d, err := l.declaration.parse(l.window, lolaPiece)
		switch {
		case err != nil:
			return err
		case d.Places != nil && expected != transitionExpected:
			err, expected = l.readPlaces(d.Places.Place), ""
		case d.Marking != nil && expected == "":
			err, expected = l.readList(d.Marking.List, l.mark), transitionExpected
		case d.Transition != nil && expected != "a place":
			err, expected = l.readTransition(d.Transition), transitionExpected
		default:
			return l.unexpected(next, expected)
		}
		if err != nil {
			return err
		}
	}
}

// transitionExpected is what is expected where places and the marking are over.
const transitionExpected = `"TRANSITION"`

// readPlaces reads places up to a semicolon. The first one is parsed already.
func (l *lolaReader) readPlaces(p *lolaPlace) error {
	for {
		name, end := l.at(p.Name), l.at(p.End)
		if _, known := l.placeOf[name.text]; known {
			return l.wrong(name.at, "second place %q, expected another identifier", name.text)
		}
		l.place(name.text, name.at)
		if end.text == ";" {
			return nil
		}
		var err error
		if p, err = l.nextPlace.parse(l.window, lolaPiece); err != nil {
			return err
		}
	}
}

// readList reads entries up to a semicolon. The first one, if there is any, is parsed
// already.
func (l *lolaReader) readList(first *lolaFirst, use func(place int, count int64, name token) error) error {
	for e := first.Entry; e != nil; {
		end := l.at(e.End)
		if err := l.readEntry(e, use); err != nil || end.text == ";" {
			return err
		}
		var err error
		if e, err = l.entry.parse(l.window, lolaPiece); err != nil {
			return err
		}
	}
	return nil
}

// readEntry reads a known place with a count, which is 1 if there is none.
func (l *lolaReader) readEntry(e *lolaEntry, use func(place int, count int64, name token) error) error {
	name, count := l.at(e.Place), int64(1)
	place, known := l.placeOf[name.text]
	if !known {
		return l.wrong(name.at, "%q is no place, expected one of the list", name.text)
	}
	if given(e.Count) {
		var err error
		if count, err = strconv.ParseInt(l.at(e.Count).text, 10, 64); err != nil || count < 0 {
			return l.wrong(name.at, "%q behind %q, expected a number below 2^63", l.at(e.Count).text, name.text)
		}
	}
	return use(place, count, name)
}

// mark adds tokens to a place.
func (l *lolaReader) mark(place int, count int64, name token) error {
	p := &l.assembly.places[place]
	if p.tokens += count; p.tokens < 0 {
		return l.wrong(name.at, "marking of %q, expected less than 2^63", name.text)
	}
	return nil
}

// readTransition reads a transition, which is parsed up to the first of what it consumes.
func (l *lolaReader) readTransition(t *lolaTransition) error {
	name := l.at(t.Name)
	if _, known := l.transitOf[name.text]; known {
		return l.wrong(name.at, "second transition %q, expected another identifier", name.text)
	}
	if given(t.Fairness) {
		return l.wrong(name.at, "transition %q is %s FAIR, expected neither: fairness cannot be honoured", name.text, l.at(t.Fairness).text)
	}
	number := l.assembly.transition(name.text, name.at)
	arcs := func(sort arcSort) func(int, int64, token) error {
		return func(place int, weight int64, name token) error {
			if weight == 0 {
				return nil // it moves nothing
			}
			return l.arc(assembledArc{weight, int32(place), int32(number), name.at, sort})
		}
	}
	if err := l.readList(t.List, arcs(consumes)); err != nil {
		return err
	}
	produced, err := l.produce.parse(l.window, lolaPiece)
	if err != nil {
		return err
	}
	return l.readList(produced.List, arcs(produces))
}
