package output

import (
	"bytes"
	"context"
	"io"

	"pnmc/internal/account"
)

// Lines is a writer of whole lines, as long as a context gives time and memory.
type Lines struct {
	ctx  context.Context
	w    io.Writer
	rest []byte // of a line that has not ended
}

// longestRest is from how many bytes on a line is written before it has ended.
const longestRest = 1 << 20

// NewLines returns a writer of whole lines to w. Flush writes a rest that does not end in one.
func NewLines(ctx context.Context, w io.Writer) *Lines { return &Lines{ctx: ctx, w: w} }

// Write writes all whole lines, and keeps the rest of the text for the next call. It fails with
// the reason of the context as soon as time or memory is over.
func (l *Lines) Write(text []byte) (int, error) {
	if err := account.Reason(l.ctx); err != nil {
		return 0, err
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	if whole > 0 || len(l.rest) > longestRest {
		if err := l.Flush(); err != nil {
			return 0, err
		}
	}
	if _, err := l.w.Write(text[:whole]); err != nil {
		return 0, err
	}
	l.rest = append(l.rest, text[whole:]...)
	return len(text), nil
}

// Flush writes what has not ended in a line.
func (l *Lines) Flush() error {
	_, err := l.w.Write(l.rest)
	l.rest = l.rest[:0]
	return err
}
