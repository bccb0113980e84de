package exchange

import (
	"fmt"

	"pnmc/internal/located"
	"pnmc/petri"
)

// An Error says what was expected at a place of the text: File, Line, Column and Message, with the
// Cause behind it, if any.
type Error = located.Error

// errorAt returns an error at a position of the text.
func errorAt(file string, at position, cause error, format string, arguments ...any) *Error {
	return &Error{
		File: file, Line: max(1, int(at.line)), Column: max(1, int(at.column)),
		Message: fmt.Sprintf(format, arguments...), Cause: cause,
	}
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
