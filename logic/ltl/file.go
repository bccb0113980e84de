package ltl

import (
	"io"
	"strings"

	"pnmc/logic/internal/reading"
)

// Named is a formula of a file.
type Named struct {
	Name    string // empty if the line gives none
	Text    string // of the formula, as it is written
	Line    int    // from 1
	Formula *Formula
}

// Read reads one formula a line, with p. A line may begin with a name and
// a colon: any text, which is put in quotes if it has a colon, quote or # itself.
// What follows a # outside quotes is a comment, and empty lines are skipped. All
// lines are read: the errors, each a *SyntaxError with file and formula, come
// joined, together with the formulas of the lines without one. That of the limit, a
// *LimitError, ends the reading.
func Read(r io.Reader, file string, p Parser) ([]Named, error) {
	p.Check = remembered(p.Check)
	var found []Named
	err := reading.EachLine(r, file, p.Limit, func(l reading.Line, from reading.Origin) error {
		f, err := p.parse(l.Source, from)
		if err == nil {
			found = append(found, Named{Name: l.Name, Text: strings.TrimSpace(l.Source), Line: l.Number, Formula: f})
		}
		return err
	})
	return found, err
}
