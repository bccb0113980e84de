package hoa

import (
	"errors"
	"fmt"
)

// Position is a place in a file: line and column count from 1, the column in
// bytes.
type Position struct {
	Line, Column int
}

// Diagnostic is one error or warning about a place in a file.
type Diagnostic struct {
	File     string
	Position Position
	Message  string
}

// Error returns "file:line:column: message"; without a file name, "line:column: …".
func (d *Diagnostic) Error() string {
	if d.File == "" {
		return fmt.Sprintf("%d:%d: %s", d.Position.Line, d.Position.Column, d.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", d.File, d.Position.Line, d.Position.Column, d.Message)
}

// AutomatonError says why an automaton of a stream can't be used: all that is wrong
// with it, in the order in which it was found. The next automaton can be read.
type AutomatonError struct {
	// Name is that of the automaton, empty if it has none or it was not read.
	Name        string
	Diagnostics []*Diagnostic
	// Omitted is the number of diagnostics beyond those kept.
	Omitted int
}

// Error returns one diagnostic a line.
func (e *AutomatonError) Error() string {
	message := errors.Join(e.Unwrap()...).Error()
	if e.Omitted > 0 {
		message += fmt.Sprintf("\nand %d more errors in this automaton", e.Omitted)
	}
	return message
}

// Unwrap returns the diagnostics.
func (e *AutomatonError) Unwrap() []error {
	errs := make([]error, len(e.Diagnostics))
	for i, d := range e.Diagnostics {
		errs[i] = d
	}
	return errs
}

// AbortedError reports that whoever wrote the stream gave an automaton up, with
// --ABORT--. The next automaton can be read.
type AbortedError struct {
	Diagnostic
}

// GarbageError reports text that is no part of an automaton. The next automaton can be
// read.
type GarbageError struct {
	Diagnostic
}

// tokenError reports a string or name that there is no room for, after which nothing more can be read.
type tokenError struct {
	Diagnostic
	cause error
}

// Unwrap returns why there is no room.
func (e *tokenError) Unwrap() error { return e.cause }

// diagnosticsKept is the number of errors reported of one automaton: more help
// nobody, and a hostile file must not fill the memory with them.
const diagnosticsKept = 50

// report notes an error of the current automaton.
func (r *Reader) report(at Position, format string, arguments ...any) {
	if len(r.errors) == diagnosticsKept {
		r.omitted++
		return
	}
	r.errors = append(r.errors, &Diagnostic{r.file, at, fmt.Sprintf(format, arguments...)})
}

// doubt notes something that the format does not allow though what it means is clear: an error
// for a strict reader.
func (r *Reader) doubt(at Position, format string, arguments ...any) {
	if r.strict {
		r.report(at, format, arguments...)
	} else {
		r.warn(at, format, arguments...)
	}
}

// falseHint reports doubt about a property. Properties are hints: an automaton means the
// same without them.
func (r *Reader) falseHint(at Position, format string, arguments ...any) {
	if !r.strict {
		format += ", and is ignored"
	}
	r.doubt(at, format, arguments...)
}

// warn notes something about the current automaton that doesn't prevent its
// use.
func (r *Reader) warn(at Position, format string, arguments ...any) {
	if len(r.warnings) < diagnosticsKept {
		r.warnings = append(r.warnings, &Diagnostic{r.file, at, fmt.Sprintf(format, arguments...)})
	}
}
