package dot

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"pnmc/internal/longtoken"
)

// graphSize bounds the text of one graph.
const graphSize = 64 << 20

// byteOrderMark is U+FEFF in UTF-8, which some shells and editors put at the start of files.
const byteOrderMark = "\xef\xbb\xbf"

// tokenKind is what a piece of Graphviz's language is. Punctuation stands for itself.
type tokenKind rune

const (
	endOfInput tokenKind = -iota - 1
	identifier           // a name or a number
	quotation            // a string, whose text is without quotes and escapes
	arrow                // ->
)

// position is a place in a file: line and column count from 1, the column in bytes.
type position struct{ line, column int }

// token is a token with its text and its place.
type token struct {
	kind tokenKind
	text string
	at   position
}

// scanner divides lines into tokens. It reads no further than the line with the
// token in hand, so that a graph can be had while a pipe stays open.
//
// The language of Graphviz is larger than what is read here. Not read are: strings over
// several lines, strings put together by a plus, edges without a direction, and HTML-like
// labels. None of that occurs in drawings of automata, and each is reported where it stands.
// Words with dots but without quotes do occur, against the language.
type scanner struct {
	lines  *bufio.Reader
	line   string
	at     int // offset into line
	number int // of line
	size   int // bytes of lines since the last reset of it
	// behind reports whether a graph has ended. Then a byte order mark may come: that
	// of another file put behind the first one.
	behind bool
	limit  func(bytes int) error // or nil
}

// lineCopies is how often a long line is there at most while it is read: the words of a label are
// found, which takes several times as much as the label, or a message quotes it.
const lineCopies = 12

// nextLine makes the next line the one in hand; ok is false at the end. It asks for room before a
// long line takes it.
func (s *scanner) nextLine() (ok bool, err error) {
	var line strings.Builder
	room := longtoken.Room{Limit: s.limit}
	for {
		part, err := s.lines.ReadSlice('\n')
		if reason := room.Grow(line.Len() + len(part)); reason != nil {
			if isLong(reason) {
				s.line, s.at = "", 0
				reason = &Error{Line: s.number + 1, Column: 1, Message: reason.Error(), Cause: reason}
			}
			return false, reason
		}
		if s.limit != nil && len(part) > 0 { // lines of which nothing is made are work, too
			if full := s.limit(len(part)); full != nil {
				return false, full
			}
		}
		line.Write(part)
		if s.size += len(part); s.size > graphSize {
			return false, problem(position{s.number + 1, 1}, "a graph of more than %d bytes", graphSize)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return false, err
		case line.Len() == 0:
			s.at = len(s.line)
			return false, nil
		}
		if err := room.Copy(lineCopies * line.Len()); err != nil {
			return false, err
		}
		s.line, s.at = escapeRawLabel(line.String()), 0
		if s.number == 0 && strings.HasPrefix(s.line, byteOrderMark) {
			s.at = len(byteOrderMark)
		}
		s.number++
		return true, nil
	}
}

// isLong reports whether an error is of a line that is too long.
func isLong(err error) bool { return errors.As(err, new(*longtoken.Error)) }

// position returns the place of the next character.
func (s *scanner) position() position { return position{max(s.number, 1), s.at + 1} }

// skipBlanks goes to the next character that is neither blank nor in a comment;
// ok is false at the end of the input.
func (s *scanner) skipBlanks() (ok bool, err error) {
	inside := position{} // where the comment begins that is being skipped
	for {
		rest := s.line[s.at:]
		switch {
		case rest == "":
			if ok, err := s.nextLine(); !ok || err != nil {
				if err == nil && inside.line > 0 {
					err = problem(inside, "a comment that isn't closed")
				}
				return false, err
			}
		case inside.line > 0:
			before, _, closed := strings.Cut(rest, "*/")
			if s.at += len(before); closed {
				s.at += len("*/")
				inside = position{}
			}
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			s.at++
		case s.behind && strings.HasPrefix(rest, byteOrderMark):
			s.at += len(byteOrderMark)
			s.behind = false
		case strings.HasPrefix(rest, "/*"):
			inside = s.position()
			s.at += len("/*")
		case strings.HasPrefix(rest, "//"), rest[0] == '#':
			s.at = len(s.line)
		default:
			return true, nil
		}
	}
}

// next returns the next token. An error that isn't a *Error is one of reading.
func (s *scanner) next() (token, error) {
	ok, err := s.skipBlanks()
	t := token{kind: endOfInput, at: s.position()}
	if !ok || err != nil {
		return t, err
	}
	rest := s.line[s.at:]
	switch c := rest[0]; {
	case strings.HasPrefix(rest, "->"):
		t.kind, t.text = arrow, "->"
		s.at += len(t.text)
	case c == '"':
		return s.quotation(t)
	case strings.IndexByte("[]{}=,;", c) >= 0:
		t.kind, t.text = tokenKind(c), rest[:1]
		s.at++
	default:
		length := numeral(rest)
		if length == 0 {
			length = word(rest)
		}
		if length == 0 {
			_, size := utf8.DecodeRuneInString(rest)
			return t, problem(t.at, "unexpected character %q", rest[:size])
		}
		t.kind, t.text = identifier, rest[:length]
		s.at += length
	}
	return t, nil
}

// quotation returns a string, which ends on its line. \n, \l and \r are line breaks.
func (s *scanner) quotation(t token) (token, error) {
	t.kind = quotation
	s.at++
	if end := strings.IndexAny(s.line[s.at:], "\"\\"); end >= 0 && s.line[s.at+end] == '"' {
		t.text = s.line[s.at : s.at+end] // without escapes, which is most of them
		s.at += end + 1
		return t, nil
	}
	var b strings.Builder
	for ; s.at < len(s.line) && s.line[s.at] != '\n'; s.at++ {
		switch c := s.line[s.at]; {
		case c == '"':
			s.at++
			t.text = b.String()
			return t, nil
		case c != '\\' || s.at+1 == len(s.line) || s.line[s.at+1] == '\n':
			b.WriteByte(c)
		default:
			s.at++
			if c = s.line[s.at]; c == 'n' || c == 'l' || c == 'r' {
				c = '\n'
			}
			b.WriteByte(c)
		}
	}
	return t, problem(t.at, "a string that isn't closed on its line")
}

// numeral returns the length of the number that text begins with: -1, 2, .5.
func numeral(text string) int {
	i, digits := 0, 0
	if strings.HasPrefix(text, "-") {
		i++
	}
	for point := false; i < len(text); i++ {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			digits++
		case c == '.' && !point:
			point = true
		case digits == 0:
			return 0
		default:
			return i
		}
	}
	if digits == 0 {
		return 0
	}
	return i
}

// word returns the length of the identifier that text begins with. Spot writes words with dots
// without quotes, too.
func word(text string) int {
	for i, c := range text {
		if c != '_' && c != '.' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsNumber(c)) {
			return i
		}
	}
	return len(text)
}
