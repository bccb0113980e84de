package logic

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"pnmc/internal/suggest"

	"github.com/alecthomas/participle/v2/lexer"
)

// SyntaxError is what a parser of this package finds wrong with its input, and
// where. Offset counts bytes from 0, Line and Column count lines and characters
// from 1; all three are positions in the file if File is not empty, and else in
// the text parsed.
type SyntaxError struct {
	File                 string
	Offset, Line, Column int
	Message              string
	// Formula is what a file of formulas calls the one that is wrong: its name, or
	// else its text; empty for other texts.
	Formula string

	// unknown is the name that Message calls unknown, and candidates are the
	// names to offer instead; they are compared only when the error is printed,
	// because it may serve to find out whether a name is known.
	unknown    string
	candidates func() []string
	isPlace    bool      // what was expected instead of unknown, or else a transition
	ambiguity  Ambiguity // or nil
}

// Error is "file:line:column: message", without the file if there is none, and
// with the known names nearest to an unknown one.
func (e *SyntaxError) Error() string {
	position := fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
	if shared := e.homonyms(); len(shared) > 0 {
		position = fmt.Sprintf("%d:%d: %s", e.Line, e.Column, shared)
	} else if e.candidates != nil {
		position += suggest.DidYouMean(e.unknown, e.candidates())
	}
	if e.File == "" {
		return position
	}
	return e.File + ":" + position
}

// homonyms is the message that several nodes share the unknown name, or nothing.
func (e *SyntaxError) homonyms() string {
	if e.ambiguity == nil {
		return ""
	}
	kind := "transitions"
	places, identifiers := e.ambiguity.Homonyms(e.unknown)
	if e.isPlace {
		kind, identifiers = "places", places
	}
	if len(identifiers) == 0 {
		return ""
	}
	const shown = 5
	var quoted []string
	for i, identifier := range identifiers {
		if i == shown {
			quoted = append(quoted, "…")
			break
		}
		quoted = append(quoted, quoteShort(identifier))
	}
	return fmt.Sprintf("%s is the name of %d %s; expected one of their identifiers %s",
		quoteShort(e.unknown), len(identifiers), kind, strings.Join(quoted, ", "))
}

// longestShown is how many bytes of a name a message has.
const longestShown = 120

// quoteShort is a name in quotes, shortened if it is long.
func quoteShort(name string) string {
	if len(name) <= longestShown {
		return strconv.Quote(name)
	}
	end := longestShown
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return strconv.Quote(name[:end]) + "…"
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

// syntaxErrorAt is an error at a position of the text parsed.
func syntaxErrorAt(p lexer.Position, format string, arguments ...any) *SyntaxError {
	return &SyntaxError{
		Offset: p.Offset, Line: p.Line, Column: p.Column,
		Message: fmt.Sprintf(format, arguments...),
	}
}

// Ambiguity is what a Vocabulary may tell besides, for messages only: which nodes
// share a name that stands for none of them, because it would be a guess.
type Ambiguity interface {
	// Homonyms are the identifiers of the places and transitions called name, if
	// there are several of a kind.
	Homonyms(name string) (places, transitions []string)
}
