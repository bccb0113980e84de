package hoa

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"pnmc/internal/longtoken"
)

// tokenKind says what a token is.
type tokenKind int8

const (
	tokenEnd        tokenKind = iota // the end of the input, or an error that ends it
	tokenHeader                      // identifier and colon, the colon included
	tokenIdentifier                  // t, Inf, trans-acc
	tokenString                      // with its quotes and escapes
	tokenInteger                     // its value is in scanner.value
	tokenAlias                       // @name
	tokenSymbol                      // one of ( ) [ ] { } & | !, in scanner.text[0]
	tokenBody                        // --BODY--
	tokenEndMark                     // --END--
	tokenAbort                       // --ABORT--
	tokenInvalid                     // anything else, reported
)

const (
	// readSize is how much is asked from the input at once. Text from a pipe is used at
	// once, however little it is.
	readSize = 64 << 10
	// largestInteger is the largest integer of the format.
	largestInteger = math.MaxInt32
)

// scanner cuts HOA text into tokens. It reads no further than the end of the
// token it delivers where the token says itself where it ends, as --END-- does. So a program that
// writes automata to a pipe and waits for answers gets the answer to one before it writes the next.
//
// It keeps one buffer. A token is a part of that, valid until the next one, so that most tokens
// allocate nothing. fill drops what is used before it reads more; offsets that must survive that are
// handed to it as pointers. Lines and columns begin with 1, and columns count bytes.
type scanner struct {
	marked Position // of a byte order mark that was passed and not told of; line 0 for none
	input  io.Reader
	buffer []byte // buffer[at:] is not yet used
	at     int
	err    error // of the input, io.EOF at its end; delivered after buffer is used up

	room longtoken.Room // for buffer
	long bool           // err says why the current token can't be read to its end: there is no room

	line      int // of buffer[at]
	lineStart int // offset in buffer of the line's first byte, negative once it was dropped

	kind     tokenKind
	text     []byte // of the token, valid until the next one
	value    int    // of a tokenInteger
	position Position
	problem  string // what is wrong with a tokenInvalid or a comment, or empty
}

func newScanner(input io.Reader) scanner { return scanner{input: input, line: 1} }

// fill reads more, keeping buffer[*keep:], and reports whether there is more.
// *keep and s.at are moved along with the bytes.
func (s *scanner) fill(keep *int) bool {
	if s.err != nil {
		return false
	}
	if first := *keep; first > 0 { // keep may point to s.at
		n := copy(s.buffer, s.buffer[first:])
		s.buffer = s.buffer[:n]
		s.at -= first
		s.lineStart -= first
		*keep = 0
	}
	if s.err = s.room.Grow(len(s.buffer)); s.err != nil {
		s.long = true
		return false
	}
	if cap(s.buffer)-len(s.buffer) < readSize/2 {
		s.buffer = append(make([]byte, 0, 2*len(s.buffer)+readSize), s.buffer...)
	}
	for range 100 {
		n, err := s.input.Read(s.buffer[len(s.buffer):cap(s.buffer)])
		s.buffer = s.buffer[:len(s.buffer)+n]
		s.err = err
		if s.room.Limit != nil && n > 0 {
			// Text of which nothing is made is work, too, such as blanks that do not end.
			if full := s.room.Limit(min(n, readSize)); full != nil {
				s.buffer, s.err = s.buffer[:len(s.buffer)-n], full
				return false
			}
		}
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// peek returns the byte at s.at, reading more if needed while keeping the token that
// starts at *start.
//
// For example, a name of ten bytes begins six bytes before the end of the buffer. When the
// seventh is asked for, fill moves the six to the front and reads more behind them: *start is 0
// then, and s.at is 6.
func (s *scanner) peek(start *int) (byte, bool) {
	if s.at < len(s.buffer) || s.fill(start) {
		return s.buffer[s.at], true
	}
	return 0, false
}

// here returns the position of the next byte. Columns count bytes, from 1.
func (s *scanner) here() Position { return Position{s.line, s.at - s.lineStart + 1} }

// next makes the next token the current one.
func (s *scanner) next() {
	s.problem = ""
	if !s.skipBlanks() {
		return
	}
	start := s.at
	s.position = s.here()
	c := s.buffer[s.at]
	s.at++
	switch {
	case c >= '0' && c <= '9':
		s.integer(c, &start)
	case c == '(' || c == ')' || c == '[' || c == ']' || c == '{' || c == '}' || c == '&' || c == '|' || c == '!':
		s.kind = tokenSymbol
	case isNameStart(c):
		s.name(&start)
		s.kind = tokenIdentifier
		if c, ok := s.peek(&start); ok && c == ':' {
			s.at++
			s.kind = tokenHeader
		}
	case c == '@':
		s.name(&start)
		s.kind = tokenAlias
		if s.at == start+1 {
			s.kind, s.problem = tokenInvalid, "'@' without the name of an alias"
		}
	case c == '"':
		s.stringLiteral(&start)
	case c == '-':
		s.mark(&start)
	default:
		s.invalid(c)
		if c == 0 { // no text goes on behind that, but a device or a file with a hole does, for long
			s.buffer, s.err = s.buffer[:s.at], errZero
		}
	}
	s.text = s.buffer[start:s.at]
	if s.long { // nothing is made of the part that was read
		s.kind, s.text, s.problem = tokenEnd, nil, ""
	}
}

// errZero ends a text behind a zero byte that is in neither a string nor a comment.
var errZero = errors.New("nothing is read behind a zero byte")

// invalid describes the byte c that starts no token. There may be very many, which nothing keeps.
func (s *scanner) invalid(c byte) {
	s.kind = tokenInvalid
	if c < ' ' || c >= 0x7f {
		const digits = "0123456789abcdef"
		s.problem = "unexpected byte 0x" + string([]byte{digits[c>>4], digits[c&15]})
		return
	}
	s.problem = "unexpected character '" + string(rune(c)) + "'"
}

// isNameStart reports whether an identifier may begin with c.
func isNameStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

// name goes past letters, digits, '-', '_', and the '.' of version 1.1.
func (s *scanner) name(start *int) {
	for {
		c, ok := s.peek(start)
		if !ok || !isNameStart(c) && (c < '0' || c > '9') && c != '-' && c != '.' {
			return
		}
		s.at++
	}
}

// integer goes past the digits after the first one.
func (s *scanner) integer(first byte, start *int) {
	s.kind, s.value = tokenInteger, int(first-'0')
	digits := 1
	for {
		c, ok := s.peek(start)
		if !ok || c < '0' || c > '9' {
			break
		}
		s.at++
		digits++
		if s.value <= largestInteger {
			s.value = 10*s.value + int(c-'0')
		}
	}
	switch {
	case s.value > largestInteger:
		s.kind, s.problem = tokenInvalid, "integer above 2147483647"
	case digits > 1 && first == '0':
		s.kind, s.problem = tokenInvalid, "integer with a leading zero"
	}
}

// stringLiteral goes past a string whose opening quote was read.
func (s *scanner) stringLiteral(start *int) {
	s.kind = tokenString
	for escaped := false; ; {
		c, ok := s.peek(start)
		if !ok {
			s.kind, s.problem = tokenInvalid, "string without closing '\"'"
			return
		}
		s.at++
		switch {
		case c == '\n':
			s.line++
			s.lineStart = s.at
			escaped = false
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			return
		}
	}
}

// mark goes past --BODY--, --END-- or --ABORT--, whose first '-' was read.
func (s *scanner) mark(start *int) {
	s.kind = tokenInvalid
	for {
		switch string(s.buffer[*start:s.at]) {
		case "--BODY--":
			s.kind = tokenBody
			return
		case "--END--":
			s.kind = tokenEndMark
			return
		case "--ABORT--":
			s.kind = tokenAbort
			return
		}
		c, ok := s.peek(start)
		if !ok || c != '-' && (c < 'A' || c > 'Z') || s.at-*start >= len("--ABORT--") {
			s.problem = "a mark that is none of --BODY--, --END-- and --ABORT--"
			return
		}
		s.at++
	}
}

// skipBlanks goes past white space and comments. At the end of the input it makes that
// the current token and reports false.
func (s *scanner) skipBlanks() bool {
	for {
		if s.at == len(s.buffer) && !s.fill(&s.at) {
			return s.finish()
		}
		switch s.buffer[s.at] {
		case '\n':
			s.at++
			s.line++
			s.lineStart = s.at
		case ' ', '\t', '\r', '\v', '\f':
			s.at++
		case '/':
			at := s.here()
			start := s.at
			s.at++
			if c, ok := s.peek(&start); !ok || c != '*' {
				s.at = start
				return true // next finds '/' to be no token
			}
			s.at++
			if !s.comment() {
				s.finish()
				s.position, s.problem = at, "comment without closing '*/'"
				return false
			}
		case byteOrderMark[0]:
			at := s.here()
			first := s.line == 1 && s.at <= s.lineStart
			behind := (s.kind == tokenEndMark || s.kind == tokenAbort) && s.marked == Position{} // files put together
			if !first && !behind || !s.skipMark() {
				return true
			}
			s.marked = at
		default:
			return true
		}
	}
}

// byteOrderMark is U+FEFF in UTF-8, which some editors put at the start of files.
const byteOrderMark = "\xef\xbb\xbf"

// skipMark goes past a byte order mark, and reports whether one was next.
func (s *scanner) skipMark() bool {
	start := s.at
	for i := range len(byteOrderMark) {
		if c, ok := s.peek(&start); !ok || c != byteOrderMark[i] {
			s.at = start
			return false
		}
		s.at++
	}
	return true
}

// finish makes the end of the text the current token. It returns false.
func (s *scanner) finish() bool {
	s.kind, s.text, s.position = tokenEnd, nil, s.here()
	return false
}

// comment goes past a comment whose opening was read, and reports whether it was
// closed. Comments nest.
func (s *scanner) comment() bool {
	previous := byte(0)
	for depth := 1; depth > 0; {
		if s.at == len(s.buffer) && !s.fill(&s.at) {
			return false
		}
		c := s.buffer[s.at]
		s.at++
		switch {
		case c == '\n':
			s.line++
			s.lineStart = s.at
		case previous == '*' && c == '/':
			depth--
			c = 0
		case previous == '/' && c == '*':
			depth++
			c = 0
		}
		previous = c
	}
	return true
}

// describe names the current token in a message.
func (s *scanner) describe() string {
	const shown = 40
	switch s.kind {
	case tokenEnd:
		if s.problem != "" {
			return "a " + s.problem
		}
		return "the end of the file"
	case tokenString:
		if len(s.text) > shown {
			return string(s.text[:shown]) + `…"`
		}
		return string(s.text)
	}
	if len(s.text) > shown {
		return fmt.Sprintf("'%s…'", s.text[:shown])
	}
	return fmt.Sprintf("'%s'", s.text)
}

// unquote returns the value of a string literal: a backslash stands for the
// character after it. A literal without one is copied at most once, as it may be long.
func unquote[T string | []byte](literal T) string {
	inside := literal[1 : len(literal)-1]
	escaped := 0
	for i := 0; i < len(inside); i++ {
		if inside[i] == '\\' {
			escaped++
			i++
		}
	}
	if escaped == 0 {
		return string(inside)
	}
	var value strings.Builder
	value.Grow(len(inside) - escaped)
	for i := 0; i < len(inside); i++ {
		if inside[i] == '\\' {
			i++
		}
		value.WriteByte(inside[i])
	}
	return value.String()
}
