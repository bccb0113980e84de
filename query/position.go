package query

import (
	"encoding/xml"
	"fmt"
	"sync"
)

// origin is where properties come from. The tree of a document keeps no positions, so that
// a correct file costs none; the first error scans the source again, once for all errors. The
// scan takes as long as the reading did, and asks the same limit.
type origin struct {
	file   string
	source []byte
	reader *reader // that asks the limit, or nil
	scan   sync.Once
	starts []place // of the elements, in document order, and of the end
	over   bool    // the limit has ended the scan: some are missing
}

// place is where something begins in a text, counted from 1.
type place struct{ line, column int32 }

// String returns "line:column".
func (p place) String() string { return fmt.Sprintf("%d:%d", p.line, p.column) }

// position returns "file:line:column" of the start tag of the element with this number in
// document order, counted from 0; or of the end of the document. It is the file alone where the limit
// has ended the search. Safe for concurrent use.
func (o *origin) position(ordinal int) string {
	if p := o.place(ordinal); p.line > 0 {
		return fmt.Sprintf("%s:%v", o.file, p)
	}
	return o.file
}

// place returns the same without the file; line 0 says that the limit has ended the search.
func (o *origin) place(ordinal int) place {
	o.scan.Do(o.findStarts)
	if o.over && ordinal >= len(o.starts) {
		return place{}
	}
	return o.starts[min(ordinal, len(o.starts)-1)]
}

// findStarts scans the source for start tags.
func (o *origin) findStarts() {
	text := &charged{reader: o.reader, rest: o.source}
	d := xml.NewDecoder(text)
	for {
		line, column := d.InputPos()
		token, err := d.RawToken()
		_, start := token.(xml.StartElement)
		if o.over = text.ended; o.over {
			return
		}
		if err != nil || start {
			o.starts = append(o.starts, place{int32(line), int32(column)})
		}
		if err != nil {
			return
		}
	}
}
