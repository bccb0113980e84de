package pnml

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/beevik/etree"

	"pnmc/internal/longtoken"
)

// maxDepth bounds how deep elements nest. With it the recursion of all functions over elements is
// bounded.
const maxDepth = 2000

// maxAttributes bounds the attributes of an element. They are compared with each other, which takes
// the square of their number.
const maxAttributes = 200

// maxTag bounds the name of an element: messages name elements.
const maxTag = 1 << 10

// scanner turns text into elements, each with its position. It goes over the document once, and
// never keeps all of it. The caller goes into an element by child, takes it whole by subtree, or
// passes it by skip. For <net><place id="p"><name>…</name></place></net> the parser enters net by
// child, gets the start of place by child, and takes the place whole by subtree: at no time is
// there more than one place in memory.
//
// Documents may be hostile. How deep elements nest and how many attributes one has is bounded.
// Entities that a document declares are not expanded: the decoder reports them as errors. How long
// a token may be, source says (length.go).
type scanner struct {
	file      string
	source    *source
	decoder   *xml.Decoder
	depth     int
	positions map[*etree.Element]position
}

// newScanner returns a scanner of r at its beginning. file is the name for messages. limit, unless
// nil, is asked for the memory that long tokens take.
func newScanner(r io.Reader, file string, limit func(bytes int) error) *scanner {
	source := &source{text: bufio.NewReaderSize(utf8Text(r), 1<<16), line: 1}
	source.token.room.Limit = limit
	decoder := xml.NewDecoder(source)
	decoder.CharsetReader = func(charset string, input io.Reader) (io.Reader, error) {
		text, err := charsetReader(charset, input)
		if err != nil || text == input {
			return text, err
		}
		return &convertedText{bufio.NewReader(text), source}, nil
	}
	return &scanner{file: file, source: source, decoder: decoder, positions: make(map[*etree.Element]position)}
}

// here returns the position after the last token, which is the start of the next.
func (s *scanner) here() position { return s.source.position(s.decoder) }

// token returns the next token and where it starts. An error is io.EOF after the
// root element, and an *Error otherwise.
func (s *scanner) token() (xml.Token, position, error) {
	at := s.here()
	s.source.start(s.source.given(s.decoder))
	token, err := s.decoder.Token()
	switch failed := s.source.token.failed; failed {
	case nil:
	case errZero:
		return nil, at, s.fail(s.here(), failed, "%v", failed)
	default:
		return nil, at, s.fail(at, failed, "%v", failed)
	}
	switch token := token.(type) {
	case xml.StartElement:
		if s.depth++; s.depth > maxDepth {
			return nil, at, s.fail(at, nil, "elements nest deeper than expected: the limit is %d", maxDepth)
		}
		if len(token.Name.Local) > maxTag {
			return nil, at, s.fail(at, nil, "element %s, whose name is longer than %d bytes, expected one of PNML", quote(token.Name.Local), maxTag)
		}
	case xml.EndElement:
		s.depth--
	}
	if err == nil || err == io.EOF {
		return token, at, err
	}
	message := err.Error()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		message = syntax.Msg
	}
	return nil, at, s.fail(s.here(), err, "%s; expected well-formed XML", longtoken.Shorten(message))
}

// fail returns an *Error at a position. It ends the reading: nothing behind it can be relied on.
func (s *scanner) fail(at position, cause error, format string, arguments ...any) error {
	return &Error{
		File: s.file, Line: int(at.line), Column: int(at.column),
		Message: fmt.Sprintf(format, arguments...), Cause: cause,
	}
}

// child returns the next child element of the element that was entered last; after
// it comes child again, to enter it, or subtree or skip, to pass it. It is nil
// at the end of the element, or of the document if none is open.
func (s *scanner) child() (*xml.StartElement, position, error) {
	for {
		token, at, err := s.token()
		if err == io.EOF {
			return nil, at, nil
		}
		if err != nil {
			return nil, at, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			return &token, at, nil
		case xml.EndElement:
			return nil, at, nil
		case xml.CharData:
			if text := bytes.TrimSpace(token); len(text) > 0 {
				return nil, at, s.fail(at, nil, "text %s where an element was expected", quote(string(text[:min(len(text), maxTag)])))
			}
		}
	}
}

// skip passes the rest of the element that was entered last.
func (s *scanner) skip() error {
	for depth := 1; depth > 0; {
		token, _, err := s.token()
		if err != nil {
			return err
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return nil
}

// subtree returns the element that start opens, with all in it but comments, graphics
// and tool-specific parts. start itself may be such a part.
func (s *scanner) subtree(start *xml.StartElement, at position) (*etree.Element, error) {
	root, err := s.element(start, at)
	if err != nil {
		return nil, err
	}
	for top := root; top != nil; {
		token, at, err := s.token()
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "graphics" || token.Name.Local == "toolspecific" {
				if err := s.skip(); err != nil {
					return nil, err
				}
				continue
			}
			child, err := s.element(&token, at)
			if err != nil {
				return nil, err
			}
			top.AddChild(child)
			top = child
		case xml.EndElement:
			top = top.Parent()
		case xml.CharData:
			if len(bytes.TrimSpace(token)) == 0 {
				continue
			}
			if err := s.addText(top, token, at); err != nil {
				return nil, err
			}
		}
	}
	return root, nil
}

// addText adds characters to an element.
func (s *scanner) addText(to *etree.Element, text []byte, at position) error {
	if err := s.source.token.room.Copy(len(text)); err != nil {
		return s.fail(at, err, "%v", err)
	}
	to.CreateText(string(text))
	return nil
}

// element makes an element without content. Its tag has no namespace prefix:
// exporters disagree on namespaces, and no two meanings share a local name.
func (s *scanner) element(start *xml.StartElement, at position) (*etree.Element, error) {
	if len(start.Attr) > maxAttributes {
		return nil, s.fail(at, nil, "<%s> has %d attributes, expected at most %d",
			start.Name.Local, len(start.Attr), maxAttributes)
	}
	e := etree.NewElement(start.Name.Local)
	s.positions[e] = at
	for i, a := range start.Attr {
		for _, b := range start.Attr[:i] {
			if a.Name == b.Name {
				return nil, s.fail(at, nil, "<%s> has attribute %s twice, expected it once", e.Tag, quote(a.Name.Local))
			}
		}
		if a.Name.Space == "" {
			e.CreateAttr(a.Name.Local, a.Value)
		}
	}
	return e, nil
}

// forget drops the positions of elements that are read and done with.
func (s *scanner) forget() { clear(s.positions) }

// attribute returns the value of an attribute without the white space around it,
// which XML does not count in identifiers and numbers.
func attribute(start *xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}
