package limits

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"pnmc/cmd/pnmc/internal/output"
	"pnmc/internal/account"
)

// LeftOut reports that a text is not written, since it is too long for what is left of the limits.
// Nothing of it has been written then. What else is told of the question stands without it.
type LeftOut struct{ Reason error }

// Error says why.
func (l *LeftOut) Error() string { return l.Reason.Error() }

// Unwrap returns the reason.
func (l *LeftOut) Unwrap() error { return l.Reason }

// IsLeftOut reports whether err says that a text is left out, and why.
func IsLeftOut(err error) (reason error, leftOut bool) {
	var l *LeftOut
	if !errors.As(err, &l) {
		return nil, false
	}
	return l.Reason, true
}

// shortText is the length up to which a text is written whatever is left of the limits: an answer that
// comes at the last moment is told with its run.
const shortText = 1 << 20

// textShare is the part of the memory limit that a text may be as long as which can't be taken back
// once it is begun. It is not held here, but whoever reads it mostly holds it.
const textShare = 8

// errSlow is why a text is left out that would not be finished in time.
var errSlow = errors.New("there is too little time left to write it")

// meter lets a text pass as long as a context gives time and memory.
type meter struct {
	account.Meter
	w      io.Writer // or nil: it is only measured
	length int64
	most   int64 // the length that is allowed, or 0
}

// newMeter returns a meter within what ctx carries, with enough memory to tell what was found.
func newMeter(ctx context.Context, w io.Writer) *meter {
	m := &meter{Meter: account.Meter{Account: account.Of(ctx)}, w: w}
	m.Tell(ctx)
	return m
}

// Write lets text pass, or fails with the reason to stop. A short text passes in any case.
func (m *meter) Write(text []byte) (int, error) {
	m.length += int64(len(text))
	switch {
	case m.length <= shortText:
	case m.most > 0 && m.length > m.most:
		return 0, &LeftOut{fmt.Errorf("its text is longer than %d MB, an eighth of the memory limit", m.most>>20)}
	case !m.Asked(len(text)):
		return 0, &LeftOut{m.End}
	}
	if m.w == nil {
		return len(text), nil
	}
	return m.w.Write(text)
}

// holding keeps what it gets as long as that is short.
type holding struct {
	text []byte
	long bool
}

// Write keeps text, and drops all of it once it is not short.
func (h *holding) Write(text []byte) (int, error) {
	if h.long = h.long || len(h.text)+len(text) > shortText; h.long {
		h.text = nil
	} else {
		h.text = append(h.text, text...)
	}
	return len(text), nil
}

// Fits reports by nil that a text may be written that can't be taken back once it is begun, such as a
// line on standard output, and else why it is left out. It makes the text without keeping it. So it
// knows how long it is, and how long the same takes once more.
func Fits(ctx context.Context, write func(io.Writer) error) error {
	_, err := fits(ctx, nil, write)
	return err
}

// fits does what Fits says, and returns the length. What it makes goes to w unless that is nil.
func fits(ctx context.Context, w io.Writer, write func(io.Writer) error) (int64, error) {
	m := newMeter(ctx, w)
	m.most = m.Budget().MemoryBytes / textShare
	begun := time.Now()
	if err := write(m); err != nil {
		return 0, err
	}
	if end, limited := ctx.Deadline(); limited && m.length > shortText && time.Until(end) < time.Since(begun) {
		return 0, &LeftOut{errSlow}
	}
	return m.length, nil
}

// WholeText writes a text to w, all of it or nothing: an error that IsLeftOut knows says why it is left
// out. Nothing ends it once it is begun. A text that is not short is made twice.
func WholeText(ctx context.Context, w io.Writer, write func(io.Writer) error) error {
	var held holding
	length, err := fits(ctx, &held, write)
	if err != nil {
		return err
	}
	if length <= shortText {
		_, err := w.Write(held.text)
		return err
	}
	return write(w)
}

// FilePart appends a text to a file, all of it or nothing, as WholeText does, within what ctx gives. Where the
// file allows to take it back, it is made once, and may be of any length.
func FilePart(ctx context.Context, o *output.File, write func(io.Writer) error) error {
	if !o.HasParts() {
		return WholeText(ctx, o, write)
	}
	return o.Part(func(w io.Writer) error { return write(newMeter(ctx, w)) })
}
