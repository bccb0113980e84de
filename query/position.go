package query

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"sync"
)

// origin is where properties come from. The tree of a document keeps no positions, so that
// a correct file costs none; the first error scans the source again, once for all errors.
type origin struct {
	file   string
	source []byte
	scan   sync.Once
	starts []place // of the elements, in document order, and of the end
}

// place is where something begins in a text, counted from 1.
type place struct{ line, column int32 }

// String returns "line:column".
func (p place) String() string { return fmt.Sprintf("%d:%d", p.line, p.column) }

// position returns "file:line:column" of the start tag of the element with this number in
// document order, counted from 0; or of the end of the document. Safe for concurrent use.
func (o *origin) position(ordinal int) string { return fmt.Sprintf("%s:%v", o.file, o.place(ordinal)) }

// place returns the same without the file.
func (o *origin) place(ordinal int) place {
	o.scan.Do(o.findStarts)
	return o.starts[min(ordinal, len(o.starts)-1)]
}

// findStarts scans the source for start tags.
func (o *origin) findStarts() {
	d := xml.NewDecoder(bytes.NewReader(o.source))
	for {
		line, column := d.InputPos()
		token, err := d.RawToken()
		_, start := token.(xml.StartElement)
		if err != nil || start {
			o.starts = append(o.starts, place{int32(line), int32(column)})
		}
		if err != nil {
			return
		}
	}
}

// syntaxErrorPosition returns "line:column" of the place where source stops being
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
