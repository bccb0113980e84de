package reading

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pnmc/internal/longtoken"
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

	// Unknown is the name that Message calls unknown, and candidates are the names to
	// offer instead. They are compared only when the error is printed, because some
	// callers only want to know whether a name is known.
	Unknown    string
	Candidates func() []string
	Limit      Limit     // asked before they are compared, which takes time; or nil
	IsPlace    bool      // what was expected instead of unknown, or else a transition
	Ambiguity  Ambiguity // or nil
}

// Error returns "file:line:column: message", without the file if there is none, and
// with the known names nearest to an unknown one.
func (e *SyntaxError) Error() string {
	position := fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
	if shared := e.homonyms(); len(shared) > 0 {
		position = fmt.Sprintf("%d:%d: %s", e.Line, e.Column, shared)
	} else if e.Candidates != nil && e.Limit.Charge(suggestionBytes) == nil {
		position += suggest.DidYouMean(e.Unknown, e.Candidates())
	}
	if e.File == "" {
		return position
	}
	return e.File + ":" + position
}

// suggestionBytes stands for the time that it takes to find names like one, some tens of milliseconds at most. It
// is enough for a look at the limit, beyond which errors come without such names.
const suggestionBytes = 1 << 20

// homonyms returns the message that several nodes share the unknown name, or nothing.
func (e *SyntaxError) homonyms() string {
	if e.Ambiguity == nil {
		return ""
	}
	kind := "transitions"
	places, identifiers := e.Ambiguity.Homonyms(e.Unknown)
	if e.IsPlace {
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
		quoted = append(quoted, QuoteShort(identifier))
	}
	return fmt.Sprintf("%s is the name of %d %s; expected one of their identifiers %s",
		QuoteShort(e.Unknown), len(identifiers), kind, strings.Join(quoted, ", "))
}

// longestPart is how many bytes a part of a message may have, of a text that is not quoted.
const longestPart = 1000

// longestShown is how many bytes of a name a message has.
const longestShown = 120

// QuoteShort returns a name in quotes, shortened if it is long.
func QuoteShort(name string) string {
	if len(name) <= longestShown {
		return strconv.Quote(name)
	}
	end := longestShown
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return strconv.Quote(name[:end]) + "…"
}

// Origin is where in a file a text begins, so that errors in the text can be
// told as positions in the file.
type Origin struct {
	file         string
	Offset       int
	Line, Column int // from 1
}

// WholeText is the origin of a text that is no part of a file.
var WholeText = Origin{Line: 1, Column: 1}

// Place moves a SyntaxError of a text that begins there to the file; other errors stay.
func (o Origin) Place(err error) error {
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		return o.Shift(syntax)
	}
	return err
}

// Shift moves e, whose position is relative to the text, to the file.
func (o Origin) Shift(e *SyntaxError) *SyntaxError {
	shifted := *e
	shifted.File = o.file
	shifted.Offset += o.Offset
	if e.Line == 1 {
		shifted.Column += o.Column - 1
	}
	shifted.Line += o.Line - 1
	return &shifted
}

// ErrorAt returns an error at a position of the text parsed. Of a long argument, such as a number of a million
// digits, the message has the beginning.
func ErrorAt(p lexer.Position, format string, arguments ...any) *SyntaxError {
	for i, a := range arguments {
		if text, isText := a.(string); isText && len(text) > longestPart {
			arguments = slices.Clone(arguments)
			arguments[i] = longtoken.Shorten(text)
		}
	}
	return &SyntaxError{
		Offset: p.Offset, Line: p.Line, Column: p.Column,
		Message: fmt.Sprintf(format, arguments...),
	}
}

// Ambiguity is what a Vocabulary may tell besides, for messages only: which nodes
// share a name that stands for none of them, because it would be a guess.
type Ambiguity interface {
	// Homonyms returns the identifiers of the places and transitions called name, if
	// there are several of a kind.
	Homonyms(name string) (places, transitions []string)
}
