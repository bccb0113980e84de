package exchange

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// A scanner reads the tokens of a text one after the other, keeps none, and asks the limit as it
// goes. Texts may be long, and so may their lines, lists, words and comments. It looks at one
// character ahead. At an error of the reader or the limit the text ends, as if it were whole.
// Whoever finds the end unexpected returns that error (wrong). So it is never taken for bad syntax.
type scanner struct {
	r            *bufio.Reader
	name         string // of the file
	asked        Limit
	unasked      int  // bytes read since the limit was asked
	char         rune // that comes next, or end
	raw          byte // of a char that is no UTF-8
	line, column int  // of char, from 1
	token        token
	failed       error // of the reader or the limit
}

// token is a word, a name in quotes, or punctuation; at the end of what is read its kind is
// endToken.
type token struct {
	kind tokenKind
	text string
	at   position
}

// tokenKind is what a token is.
type tokenKind uint8

const (
	endToken   tokenKind = iota // of the text, or of the line where lines end descriptions
	wordToken                   // a word
	quoteToken                  // a name in quotes, which are taken away
	markToken                   // punctuation
)

// position is a place in the text, from 1.
type position struct{ line, column int32 }

// end is the character behind the last.
const end rune = -1

const (
	// lookEvery is how many bytes are read between two looks, and textWork about what each
	// comes to in a net.
	lookEvery = 1 << 13
	textWork  = 64
	// longestWord bounds words and names, in bytes.
	longestWord = 1 << 20
)

// newScanner returns a scanner that stands before the first character.
func newScanner(r io.Reader, file string, limit Limit) *scanner {
	s := &scanner{r: bufio.NewReaderSize(r, 1<<16), name: file, asked: limit, unasked: lookEvery, line: 1}
	s.next()
	return s
}

// next goes on to the next character; at an error of the reader or the limit the text ends.
func (s *scanner) next() {
	if s.failed != nil {
		return
	}
	if s.char == '\n' {
		s.line, s.column = s.line+1, 0
	}
	if s.char != end {
		s.column++
	}
	if s.unasked >= lookEvery {
		s.failed = s.asked.ask(s.unasked * textWork)
		s.unasked = 0
	}
	size, err := 0, s.failed
	if err == nil {
		s.char, size, err = s.r.ReadRune()
	}
	if err != nil {
		s.char = end
		if !errors.Is(err, io.EOF) && s.failed == nil {
			s.failed = err
		}
		return
	}
	if s.unasked += size; s.char == utf8.RuneError && size == 1 {
		_ = s.r.UnreadRune() // which was just read
		s.raw, _ = s.r.ReadByte()
	}
}

// here returns where char stands.
func (s *scanner) here() position { return position{int32(s.line), int32(s.column)} }

// take returns the text of characters that belong to a word, from the next on.
func (s *scanner) take(belongs func(rune) bool) (string, error) {
	var b strings.Builder
	at := s.here()
	for s.char != end && belongs(s.char) {
		if b.Len() >= longestWord {
			return "", s.wrong(at, "a word of more than %d bytes, expected a shorter one", longestWord)
		}
		s.write(&b)
	}
	return b.String(), s.failed
}

// write adds char to a word as it stands in the text, and goes on.
func (s *scanner) write(b *strings.Builder) {
	if s.char == utf8.RuneError && s.raw != 0 {
		b.WriteByte(s.raw)
		s.raw = 0
	} else {
		b.WriteRune(s.char)
	}
	s.next()
}

// wrong returns an error at a position.
func (s *scanner) wrong(at position, format string, arguments ...any) error {
	if s.failed != nil {
		return s.failed
	}
	return errorAt(s.name, at, nil, format, arguments...)
}

// invalid returns an error about what stands here and belongs to no token.
func (s *scanner) invalid(begin string) error {
	at, b := s.here(), &strings.Builder{}
	at.column -= int32(utf8.RuneCountInString(begin))
	b.WriteString(begin)
	for range shownOfInvalid {
		if s.char == end || s.char == '\n' {
			break
		}
		s.write(b)
	}
	return s.wrong(at, "invalid input text %q", b.String())
}

// shownOfInvalid is how many characters are shown of what cannot be read.
const shownOfInvalid = 16
