package exchange

import (
	"fmt"

	"pnmc/petri"
)

// An Error says what was expected at a place of the text.
type Error struct {
	File         string
	Line, Column int // from 1
	Message      string
	Cause        error // or nil
}

// Error returns file:line:column: message.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Unwrap returns the error behind e, or nil.
func (e *Error) Unwrap() error { return e.Cause }

// errorAt returns an error at a position of the text.
func errorAt(file string, at position, cause error, format string, arguments ...any) *Error {
	return &Error{file, max(1, int(at.line)), max(1, int(at.column)), fmt.Sprintf(format, arguments...), cause}
}

// cannotSay returns an error of a writer about a node.
func cannotSay(kind string, label petri.Label, format, why string, arguments ...any) error {
	return fmt.Errorf("%s %q: %s cannot say %s", kind, label.ID, format, fmt.Sprintf(why, arguments...))
}

// Limit is asked before so many more bytes are taken; its error ends the reading.
type Limit func(bytes int) error

// ask asks the limit, if there is one.
func (l Limit) ask(bytes int) error {
	if l == nil {
		return nil
	}
	return l(bytes)
}
