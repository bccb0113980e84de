package ltl

import (
	"errors"
	"io"
	"slices"

	"pnmc/logic"
	"pnmc/logic/internal/reading"
)

// Named is a formula of a file.
type Named = reading.Named[*Formula]

// Read reads one formula a line, with p. A line may begin with a name and
// a colon: any text, which is put in quotes if it has a colon, quote or # itself.
// What follows a # outside quotes is a comment, and empty lines are skipped. All
// lines are read: the errors, each a *SyntaxError with file and formula, come
// joined, together with the formulas of the lines without one. That of the limit, a
// *LimitError, ends the reading. A line that is too large by LineLimit alone is a
// *TooLargeError among the others, and nothing of it stays.
func Read(r io.Reader, file string, p Parser) ([]Named, error) {
	p.Check = remembered(p.Check)
	return reading.Formulas(r, file, p.Limit, func(text string) (*Formula, error) {
		line := p
		if p.LineLimit != nil {
			line.Limit = p.LineLimit()
		}
		before := p.Formulas.mark()
		f, err := line.parseText(text)
		var over *logic.LimitError
		if errors.As(err, &over) {
			p.Formulas.forget(before)
			if p.LineLimit != nil && (p.Limit == nil || p.Limit(0) == nil) {
				return nil, &reading.TooLargeError{Err: over}
			}
		}
		return f, err
	})
}

// mark is what was made so far.
type mark struct{ names, formulas int }

// mark returns what was made so far.
func (s *Formulas) mark() mark { return mark{len(s.names), int(s.count)} }

// forget forgets what was made since m, none of which may be used any more.
func (s *Formulas) forget(m mark) {
	for _, name := range s.names[m.names:] {
		delete(s.numbers, name)
	}
	clear(s.atoms[m.names:])
	s.names, s.atoms = s.names[:m.names], s.atoms[:m.names]
	for key, same := range s.nodes {
		kept := slices.DeleteFunc(same, func(f *Formula) bool { return int(f.number) >= m.formulas })
		if len(kept) == 0 {
			delete(s.nodes, key)
		} else {
			s.nodes[key] = kept
		}
	}
	s.count = uint32(m.formulas)
}
