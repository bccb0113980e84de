package exchange

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/petri"
)

// An Error tells what was expected at a place of the text.
type Error struct {
	File         string
	Line, Column int // from 1
	Message      string
	Cause        error // or nil
}

// Error is file:line:column: message.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Unwrap is the error behind e, or nil.
func (e *Error) Unwrap() error { return e.Cause }

// errorAt is an error at a position of the text.
func errorAt(at lexer.Position, cause error, format string, arguments ...any) *Error {
	return &Error{at.Filename, max(1, at.Line), max(1, at.Column), fmt.Sprintf(format, arguments...), cause}
}

// grammarError is what a parser found, in a text that begins before the line given.
func grammarError(err error, file string, before int) error {
	var found participle.Error
	if !errors.As(err, &found) {
		return err
	}
	at := found.Position()
	at.Filename, at.Line = file, at.Line+before
	message := strings.TrimPrefix(found.Message(), "lexer: ")
	// What was expected is told by the names of tokens, or not where it takes a whole rule.
	if i := strings.Index(message, " (expected "); i >= 0 && ruleName.MatchString(message[i:]) {
		message = message[:i] + ", expected another word here"
	}
	return errorAt(at, nil, "%s", message)
}

// ruleName is in what parsers tell of rules.
var ruleName = regexp.MustCompile(`Tina|Lola`)

// cannotSay is an error of a writer about a node.
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
