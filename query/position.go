package query

import (
	"bytes"
	"encoding/xml"
	"fmt"
)

// origin is where properties come from.
type origin struct {
	file   string
	source []byte
}

// position is "file:line:column" of an element by its number.
func (o *origin) position(ordinal int) string {
	return o.file + ":" + elementPosition(o.source, ordinal)
}

// elementPosition is "line:column" of the start tag of the element with this
// number in document order, counted from 0. The tree of a document keeps no
// positions, so that a correct file costs none; an error scans the source again,
// which is linear in its length.
func elementPosition(source []byte, ordinal int) string {
	d := xml.NewDecoder(bytes.NewReader(source))
	for {
		line, column := d.InputPos()
		token, err := d.RawToken()
		if err != nil {
			return fmt.Sprintf("%d:%d", line, column)
		}
		if _, ok := token.(xml.StartElement); ok {
			if ordinal == 0 {
				return fmt.Sprintf("%d:%d", line, column)
			}
			ordinal--
		}
	}
}

// syntaxErrorPosition is "line:column" of the place where source stops being
// XML, or of its end.
func syntaxErrorPosition(source []byte) string {
	d := xml.NewDecoder(bytes.NewReader(source))
	for {
		if _, err := d.Token(); err != nil {
			line, column := d.InputPos()
			return fmt.Sprintf("%d:%d", line, column)
		}
	}
}
