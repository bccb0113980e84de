package logic

import (
	"io"
	"strings"
)

// NamedFormula is a formula of a file.
type NamedFormula struct {
	Name    string // empty if the line gives none
	Text    string // of the formula, as it is written
	Line    int    // from 1
	Formula *Formula
}

// ReadFormulas reads one formula a line, with p. A line may begin with a name and
// a colon: any text, which is put in quotes if it has a colon, quote or # itself.
// What follows a # outside quotes is a comment, and empty lines are skipped. All
// lines are read: the errors, each a *SyntaxError with file and formula, come
// joined, together with the formulas of the lines without one. That of the limit, a
// *LimitError, ends the reading.
func ReadFormulas(r io.Reader, file string, p FormulaParser) ([]NamedFormula, error) {
	p.Check = remembered(p.Check)
	var found []NamedFormula
	err := eachFormula(r, file, p.Limit, func(l formulaLine, from origin) error {
		f, err := p.parse(l.source, from)
		if err == nil {
			found = append(found, NamedFormula{Name: l.name, Text: strings.TrimSpace(l.source), Line: l.number, Formula: f})
		}
		return err
	})
	return found, err
}
