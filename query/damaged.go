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

// damage is what is known of a document that is not XML to its end.
type damage struct {
	at    place    // where it stops being XML
	whole []byte   // a document of the elements that it has whole below its root, and no more; nil if there are none
	lost  []string // the ids that can be read in the rest
}

// damageOf looks at a damaged document, within the limit. Positions in what is whole are those in
// source.
//
// For example, take a file of 16 properties that was cut off within the tenth. What is whole has the
// first nine, with the end tag of the root behind them. The id of the tenth is lost, if that was
// written. So nine questions are answered, and the error says which one is not.
func (r *reader) damageOf(source []byte) (found damage, err error) {
	d := xml.NewDecoder(&charged{reader: r, rest: source})
	var root []byte // its name, with the prefix
	end := int64(-1)
	for depth := 0; ; {
		from := d.InputOffset()
		token, err := d.Token()
		if err != nil {
			line, column := d.InputPos()
			found.at = place{int32(line), int32(column)}
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
	if r.over != nil || end < 0 {
		return found, r.over
	}
	if err := r.charge(int(end)); err != nil {
		return found, err
	}
	found.whole = append(found.whole, source[:end]...)
	found.whole = append(append(append(found.whole, "</"...), root...), '>')
	found.lost, err = r.idsIn(source[end:])
	return found, err
}

// idsIn returns the ids in a text that need not be XML. It looks at each tag with what follows it up to
// the end of the next, so that the time is linear in the text.
func (r *reader) idsIn(text []byte) (ids []string, err error) {
	const tagBytes = 16 // that finding out about a tag counts for
	for at := nextTag(text, 0); at < len(text); {
		next := nextTag(text, at+1)
		end := nextTag(text, next+1)
		if err := r.charge(tagBytes + end - at); err != nil {
			return nil, err
		}
		if id := idElement.Get().FindSubmatch(text[at:end]); id != nil {
			ids = append(ids, inOneLine(string(id[1])))
		}
		at = next
	}
	return ids, nil
}

// nextTag returns where the first tag from a place on begins, or the length of the text.
func nextTag(text []byte, from int) int {
	if from < len(text) {
		if i := bytes.IndexByte(text[from:], '<'); i >= 0 {
			return from + i
		}
	}
	return len(text)
}

// idElement is an id as property files have them, without entities, at the beginning of a text.
var idElement = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`^<(?:[\w.-]+:)?id\s*>\s*([^\s<&][^<&]*)</(?:[\w.-]+:)?id\s*>`)
}}
