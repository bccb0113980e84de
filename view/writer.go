package view

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"pnmc/internal/account"
)

// writer makes a part of a page as a whole, which is then written at once. Text in JSON is made in
// one go, and takes several times its length while it is made. So what makes a block of data notes
// how long its texts will be, and data asks for all of that before.
type writer struct {
	bytes.Buffer
	texts
	size int // of the JSON that is to be made, in bytes
}

// newWriter returns a writer of a part of a page that is made within a context.
func newWriter(ctx context.Context) *writer {
	return &writer{texts: texts{Meter: account.Meter{Account: account.Of(ctx)}}}
}

// bytes notes so many bytes of a block, which is charged with them. It reports whether to go on.
func (w *writer) bytes(n int) bool {
	w.size += n
	return w.Asked(n)
}

// json notes a text of a block, as bytes does.
func (w *writer) json(text string) bool {
	n := len(text) + entryBytes
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ' || c == '<' || c == '>' || c == '&' || c == 0x7f:
			n += 5 // such as \u003c
		case c == '"' || c == '\\':
			n++
		}
	}
	return w.bytes(n)
}

// entryBytes is about what a text takes in a list, beside its characters.
const entryBytes = 24

// timesAtOnce is how often there is a text in JSON while it is made: once in a buffer of twice its
// length that grew out of half of that, once as it is returned, and once in the page.
const timesAtOnce = 5

// data adds a block of data that the page's script reads. JSON is written such that
// nothing in it ends the block.
func (w *writer) data(kind string, block any) error {
	if w.End == nil {
		w.End = w.Reserve(timesAtOnce * w.size)
	}
	if w.End != nil {
		return w.End
	}
	text, err := json.Marshal(block)
	if err != nil {
		return err
	}
	w.Grow(len(text) + 2*entryBytes + len(kind) + len("application/json"))
	fmt.Fprintf(w, "<script type=\"application/json\" class=\"%s\">%s</script>\n", kind, text)
	w.size = 0
	return nil
}
