package logic

import "fmt"

// SyntaxError is what a parser of this package finds wrong with its input, and
// where. Offset counts bytes from 0, Line and Column count lines and characters
// from 1; all three are positions in the file if File is not empty, and else in
// the text parsed.
type SyntaxError struct {
	File                 string
	Offset, Line, Column int
	Message              string

	// unknown is the name that Message calls unknown, and candidates are the
	// names to offer instead; they are compared only when the error is printed,
	// because it may serve to find out whether a name is known.
	unknown    string
	candidates func() []string
}

// Error is "file:line:column: message", without the file if there is none, and
// with the known names nearest to an unknown one.
func (e *SyntaxError) Error() string {
	position := fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
	if e.candidates != nil {
		position += didYouMean(nearest(e.unknown, e.candidates()))
	}
	if e.File == "" {
		return position
	}
	return e.File + ":" + position
}

// origin is where in a file a text begins, so that errors in the text can be
// told as positions in the file.
type origin struct {
	file         string
	offset       int
	line, column int // from 1
}

// wholeText is the origin of a text that is no part of a file.
var wholeText = origin{line: 1, column: 1}

// shift moves e, whose position is relative to the text, to the file.
func (o origin) shift(e *SyntaxError) *SyntaxError {
	shifted := *e
	shifted.File = o.file
	shifted.Offset += o.offset
	if e.Line == 1 {
		shifted.Column += o.column - 1
	}
	shifted.Line += o.line - 1
	return &shifted
}
