package reading

import (
	"fmt"
	"unsafe"

	"github.com/alecthomas/participle/v2/lexer"
)

// Limit is asked before a reader takes so many bytes of memory, which stand for the time
// that filling them takes too. Its error ends the reading. Nil is no limit.
type Limit func(bytes int) error

// LimitError is the error of a Limit: it says nothing about the text that was read.
type LimitError struct{ Err error }

func (e *LimitError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the Limit.
func (e *LimitError) Unwrap() error { return e.Err }

// TooLargeError is that of a line of a file of formulas for which its limit has no room. Formula is its name,
// or else its text.
type TooLargeError struct {
	File    string
	Line    int // from 1
	Formula string
	Err     *LimitError
}

func (e *TooLargeError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the error of the limit.
func (e *TooLargeError) Unwrap() error { return e.Err }

// Charge asks the limit.
func (l Limit) Charge(bytes int) error {
	if l == nil {
		return nil
	}
	if err := l(bytes); err != nil {
		return &LimitError{err}
	}
	return nil
}

// Room asks the limit before a token is added, which may copy all tokens to a place that is
// a quarter larger.
func (l Limit) Room(tokens []lexer.Token) error {
	if len(tokens) < cap(tokens) {
		return l.Charge(tokenBytes)
	}
	return l.Charge((len(tokens) + len(tokens)/4 + 1) * tokenBytes)
}

// tokenBytes is the memory that a token takes. TreeBytes is the memory, as measured,
// that an operand takes in the syntax tree and in the formula made of it.
const (
	tokenBytes = int(unsafe.Sizeof(lexer.Token{}))
	TreeBytes  = 400
)
