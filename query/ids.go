package query

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"pnmc/internal/longtoken"
	"pnmc/logic"
)

const (
	// mostIDs is how many bytes of ids ReadIDs keeps: those of tens of thousands of properties.
	mostIDs = 4 << 20
	// mostEquals bounds the signs = in a token: the decoder makes an attribute of five bytes one of more than fifty.
	mostEquals = 1 << 16
	// mostNested is how deep elements nest, of each of which the decoder keeps a hundred bytes.
	mostNested = 100_000
)

// What is in no file that was written in earnest.
var (
	errIDs    = fmt.Errorf("the ids of its properties take more than %d MB, expected fewer properties", mostIDs>>20)
	errEquals = fmt.Errorf("a name, text or comment with more than %d signs =, expected fewer", mostEquals)
	errNested = fmt.Errorf("elements nest deeper than expected: the limit is %d", mostNested)
)

// ReadIDs reads what the properties of a file are called, each id once, in the order of the file. It asks
// limit for the work of decoding each part of the text before it does so, and its error is a *logic.LimitError.
//
// Whoever only hands a file on needs to know what it asks, and no formula. So the text is read as it comes,
// and nothing is kept but the ids, of 4 MB at most. They are those of ReadContest, together with those
// of its UnreadError: ids of properties whose formulas are wrong, and ids that several have. Of a damaged
// file they are those before the damage. It is an error if there are none, if they or a token are too long, or
// if elements nest too deep.
func ReadIDs(file string, r io.Reader, limit logic.Limit) ([]string, error) {
	x := &idReader{file: file, text: &tokenText{r: r, limit: limit, left: longtoken.Most, equals: mostEquals}, seen: make(map[string]bool)}
	x.decoder = xml.NewDecoder(x.text)
	x.decoder.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil } // as the tree of Read
	err := x.read()
	switch {
	case x.text.over != nil:
		return nil, &logic.LimitError{Err: x.text.over}
	case err != nil && (len(x.ids) == 0 || errors.Is(err, errIDs) || errors.Is(err, errEquals) || errors.As(err, new(*longtoken.Error)) || errors.Is(err, errNested)):
		return nil, err
	case len(x.ids) == 0:
		return nil, fmt.Errorf("%s: no property with an id, expected some", file)
	}
	return x.ids, nil
}

// idReader reads ids off the tokens of a document.
type idReader struct {
	file    string
	text    *tokenText
	decoder *xml.Decoder
	ids     []string
	seen    map[string]bool
	bytes   int // of ids, with what keeping one takes
}

// idBytes is what keeping an id takes beside its text: it is in a list and in a map.
const idBytes = 64

// The depths of elements.
const (
	rootDepth = iota + 1
	propertyDepth
	idDepth
)

// read reads to the end of the document, or to its first mistake, which is the error.
func (x *idReader) read() error {
	var id strings.Builder
	depth, within, reading, known := 0, false, false, false
	root := x.here()
	for properties := 0; ; {
		at := x.here()
		token, err := x.decoder.Token()
		x.text.left, x.text.equals = longtoken.Most, mostEquals
		switch {
		case err == io.EOF && depth == 0 && properties > 0:
			return nil
		case err == io.EOF:
			return x.errorf(root, "no root element, expected property-set")
		case err != nil:
			return x.errorf(x.here(), "%w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
			reading = false // what follows an element is not the text of the one around it
			switch {
			case depth > mostNested:
				return x.errorf(at, "%w", errNested)
			case depth == rootDepth && t.Name.Local != "property-set":
				return x.errorf(at, "element %s, expected property-set", longtoken.Shorten(t.Name.Local))
			case depth == rootDepth:
				root = at
			case depth == propertyDepth:
				properties++
				within, known = t.Name.Local == "property", false
			case depth == idDepth && within && !known && t.Name.Local == "id":
				reading, known = true, true
				id.Reset()
			}
		case xml.CharData:
			if reading && id.Len()+len(t) > mostIDs { // it may come in parts
				return fmt.Errorf("%s: %w", x.file, errIDs)
			} else if reading {
				id.Write(t)
			}
		case xml.ProcInst:
			reading = false
		case xml.EndElement:
			if depth == idDepth && within && known && id.Len() > 0 {
				if err := x.take(inOneLine(id.String())); err != nil {
					return err
				}
				id.Reset()
			}
			depth--
			reading = false
			if depth == 0 && properties == 0 {
				return x.errorf(root, "no property, expected some")
			}
		}
	}
}

// take keeps an id, unless it is empty or there already.
func (x *idReader) take(id string) error {
	if id == "" || x.seen[id] {
		return nil
	}
	if x.bytes += len(id) + idBytes; x.bytes > mostIDs {
		return fmt.Errorf("%s: %w", x.file, errIDs)
	}
	x.seen[id] = true
	x.ids = append(x.ids, id)
	return nil
}

// here returns the place after the last token, which is where the next begins.
func (x *idReader) here() place {
	line, column := x.decoder.InputPos()
	return place{int32(line), int32(column)}
}

// errorf returns an error with its place.
func (x *idReader) errorf(at place, format string, arguments ...any) error {
	return fmt.Errorf("%s:%v: %w", x.file, at, fmt.Errorf(format, arguments...))
}

// tokenText is a text for the decoding of its tokens, which ends with a limit, or when a token is too long.
type tokenText struct {
	r      io.Reader
	limit  logic.Limit // or nil
	over   error       // that of the limit
	left   int         // bytes that may be read before the token that is decoded now is whole
	equals int         // and signs = among them
}

// decodeWork is about what it takes to decode a byte, in nanoseconds.
const decodeWork = 60

// Read reads at most 16 KiB at once, and asks for their work first.
func (t *tokenText) Read(p []byte) (int, error) {
	switch {
	case t.left <= 0:
		return 0, &longtoken.Error{}
	case t.equals <= 0:
		return 0, errEquals
	}
	p = p[:min(len(p), 1<<14)]
	if t.over == nil && t.limit != nil {
		t.over = t.limit(len(p) * decodeWork)
	}
	if t.over != nil {
		return 0, t.over
	}
	n, err := t.r.Read(p)
	t.left -= n
	t.equals -= bytes.Count(p[:n], []byte{'='})
	return n, err
}
