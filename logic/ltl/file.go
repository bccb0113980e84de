package ltl

import (
	"io"

	"pnmc/logic/internal/reading"
)

// Named is a formula of a file.
type Named = reading.Named[*Formula]

// Read reads one formula a line, with p. A line may begin with a name and
// a colon: any text, which is put in quotes if it has a colon, quote or # itself.
// What follows a # outside quotes is a comment, and empty lines are skipped. All
// lines are read: the errors, each a *SyntaxError with file and formula, come
// joined, together with the formulas of the lines without one. That of the limit, a
// *LimitError, ends the reading.
func Read(r io.Reader, file string, p Parser) ([]Named, error) {
	p.Check = remembered(p.Check)
	return reading.Formulas(r, file, p.Limit, p.parseText)
}
