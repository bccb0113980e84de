package pnml

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"pnmc/internal/located"
)

// Error is one finding in a document: File, Line, Column and Message, with the Cause behind it, if any.
type Error = located.Error

// ErrSeveralNets is behind the error of a document with several nets of which none was chosen:
// Reader.Net chooses one by its identifier.
var ErrSeveralNets = errors.New("several nets")

// maxFindings bounds how many findings one reading reports: enough to mend a
// document by, few enough to look at.
const maxFindings = 20

// position is a place in the text: the line and column of an element's "<", both from 1.
type position struct {
	line, column int32
}

// findings collects what is wrong with a document. Reading goes on after a finding where the rest
// still has a meaning, so that a user sees several at once and need not mend a document one message
// at a time.
type findings struct {
	file string
	list []*Error
	meter
}

// add notes a finding at a position. Once the list is full, more are dropped.
func (f *findings) add(at position, format string, arguments ...any) {
	f.addCause(at, nil, format, arguments...)
}

// addCause notes a finding that wraps another error.
func (f *findings) addCause(at position, cause error, format string, arguments ...any) {
	if f.full() {
		return
	}
	f.list = append(f.list, &Error{
		File: f.file, Line: int(at.line), Column: int(at.column),
		Message: fmt.Sprintf(format, arguments...), Cause: cause,
	})
}

// full reports whether reading on is of no use.
func (f *findings) full() bool { return f.ended != nil || len(f.list) >= maxFindings }

// err returns why the limit ended the reading, if it did: what was found until then may be far from
// all. Otherwise it joins the findings in document order; nil if there are none. A single finding is
// returned as it is.
func (f *findings) err() error {
	if f.ended != nil {
		return f.ended
	}
	slices.SortStableFunc(f.list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if len(f.list) == 1 {
		return f.list[0]
	}
	joined := make([]error, len(f.list))
	for i, e := range f.list {
		joined[i] = e
	}
	return errors.Join(joined...)
}

// quote shows text of the document in a message, shortened if it is long.
func quote(text string) string {
	const most = 60
	if len(text) > most {
		return strconv.Quote(text[:most]) + "…"
	}
	return strconv.Quote(text)
}
