// Package exit has the exit codes of the command, and errors that lead to them.
//
// In comes what went wrong, out goes an error with its code. Next is package main, which ends
// the process with it; errors without a code are those of wrong usage.
package exit

import (
	"errors"
	"fmt"

	"pnmc/internal/unpack"
)

// The exit codes, as --help documents them. Where several apply, the one that comes last
// here is taken. There is one exception: a violation outweighs an unknown verdict. If one
// of ten properties is violated and another is unknown, the code is 1. A script that asks
// whether something is wrong so gets its answer, whatever was too hard.
const (
	Holds    = 0
	Violated = 1
	Unknown  = 2
	Usage    = 3
	Input    = 4
	Internal = 5
)

// Failure is an error with the exit code it leads to. Its message may be empty:
// all there is to say was said.
type Failure struct {
	Code int
	Err  error
}

// With returns a failure with this exit code; err may be nil.
func With(code int, err error) *Failure { return &Failure{code, err} }

// Error returns what there is to say, in plain words.
func (f *Failure) Error() string {
	if f.Err == nil {
		return ""
	}
	return unpack.Words(f.Err)
}

// Unwrap returns the error without its exit code.
func (f *Failure) Unwrap() error { return f.Err }

// UsageError returns the failure of wrong usage.
func UsageError(format string, arguments ...any) error {
	return With(Usage, fmt.Errorf(format, arguments...))
}

// InputError returns the failure of bad input or output.
func InputError(err error) error { return With(Input, err) }

// Outcome is what came out of a command that looks at many things. It says whether there was an
// internal error (Bug), something that could not be read (Bad), a violation, or an unknown
// verdict.
type Outcome struct{ Bug, Bad, Violated, Unknown bool }

// Err returns the failure that the outcome leads to, with nothing to say, or nil.
func (o Outcome) Err() error {
	switch {
	case o.Bug:
		return With(Internal, nil)
	case o.Bad:
		return With(Input, nil)
	case o.Violated:
		return With(Violated, nil)
	case o.Unknown:
		return With(Unknown, nil)
	}
	return nil
}

// And returns err, which ended the command, with the code for both err and the outcome.
// So a limit that is reached after a violation does not hide the violation.
func (o Outcome) And(err error) error {
	var f *Failure
	switch {
	case !errors.As(err, &f):
		return err
	case f.Code == Unknown:
		o.Unknown = true
	case f.Code == Input:
		o.Bad = true
	default:
		return err
	}
	if err == error(f) {
		err = f.Err
	}
	both := With(Unknown, err)
	errors.As(o.Err(), &both)
	return With(both.Code, err)
}
