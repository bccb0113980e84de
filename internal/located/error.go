// Package located has the error of readers of text, which says at which place of a file something is
// wrong. In come a file's name, a line, a column and a message; out goes file:line:column: message,
// as compilers write it and editors find it.
package located

import "fmt"

// An Error says what is wrong at a place of a text, and what was expected there.
type Error struct {
	File         string
	Line, Column int    // from 1; columns count bytes of the text in UTF-8
	Message      string // what is wrong and what was expected
	Cause        error  // the error behind it, or nil
}

// Error returns "file:line:column: message"; without a file name, "line:column: …".
func (e *Error) Error() string {
	text := fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
	if e.File == "" {
		return text
	}
	return e.File + ":" + text
}

// Unwrap returns the error behind e, or nil.
func (e *Error) Unwrap() error { return e.Cause }
