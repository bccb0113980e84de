package query

import (
	"bytes"
	"encoding/xml"
	"regexp"

	"pnmc/internal/lazy"
)

// UnreadError says which part of a property file could not be used. Other properties of
// it can.
type UnreadError struct {
	// IDs are those of the properties that could not be used, as far as they are
	// known.
	IDs []string
	// Err has positions.
	Err error
}

func (e *UnreadError) Error() string { return e.Err.Error() }

// Unwrap returns the error with positions.
func (e *UnreadError) Unwrap() error { return e.Err }

// beforeDamage returns a document of the elements that a damaged one has whole below its
// root, and no more; nil if there are none. Positions in it are those in source. lost
// are the ids that can be read in the rest.
//
// For example, take a file of 16 properties that was cut off within the tenth. The document has the
// first nine, with the end tag of the root behind them. lost has the id of the tenth, if that was
// written. So nine questions are answered, and the error says which one is not.
func beforeDamage(source []byte) (whole []byte, lost []string) {
	d := xml.NewDecoder(bytes.NewReader(source))
	var root []byte // its name, with the prefix
	end := int64(-1)
	for depth := 0; ; {
		from := d.InputOffset()
		token, err := d.Token()
		if err != nil {
			break
		}
		switch token.(type) {
		case xml.StartElement:
			if depth++; depth == 1 {
				name := source[from+1:]
				root = name[:bytes.IndexAny(name, " \t\r\n/>")]
			}
		case xml.EndElement:
			if depth--; depth == 1 {
				end = d.InputOffset()
			}
		}
	}
	if end < 0 {
		return nil, nil
	}
	for _, id := range idElement.Get().FindAllSubmatch(source[end:], -1) {
		lost = append(lost, inOneLine(string(id[1])))
	}
	whole = append(whole, source[:end]...)
	whole = append(append(append(whole, "</"...), root...), '>')
	return whole, lost
}

// idElement is an id as property files have them, without entities.
var idElement = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`<(?:[\w.-]+:)?id\s*>\s*([^\s<&][^<&]*)</(?:[\w.-]+:)?id\s*>`)
}}
