package emptiness

import (
	"errors"

	"pnmc/automata"
)

// Accepts reports whether a accepts the word l, or if a is a testing automaton, the word's changes.
// Propositions that l does not know are false. automata.Accepts does the same for small automata.
// Here the letters are the states of a Kripke structure whose only run is the word, and Intersect
// goes along it. An error is one of Intersect, or says that the word has no cycle.
func Accepts(a *automata.Automaton, l automata.Lasso, o Options) (bool, error) {
	if len(l.Cycle) == 0 {
		return false, errNoCycle
	}
	word := l.Over(a.Propositions)
	if a.Kind != automata.Plain {
		changes, plain := word.Changes(), *a
		plain.Kind = automata.Plain
		word, a = &changes, &plain
	}
	r, err := Intersect(Structure(letters{word}), Explicit(a), o)
	return r.Nonempty, err
}

var errNoCycle = errors.New("word without a cycle")

// letters is a word as a Kripke structure: state i is its letter number i.
type letters struct{ word *automata.Lasso }

// Propositions returns those of the word.
func (l letters) Propositions() []string { return l.word.Propositions }

// Initial returns the first letter.
func (l letters) Initial() []uint32 { return []uint32{0} }

// Label writes letter number s of the word to v.
func (l letters) Label(s uint32, v automata.Valuation) {
	if prefix := uint32(len(l.word.Prefix)); s < prefix {
		copy(v, l.word.Prefix[s])
	} else {
		copy(v, l.word.Cycle[s-prefix])
	}
}

// RecallsLabels says that Label may be called again for a state.
func (l letters) RecallsLabels() {}

// Successors appends the one letter behind s: behind the last letter comes the first of the cycle.
func (l letters) Successors(s uint32, to []uint32) ([]uint32, error) {
	next := s + 1
	if int(next) == len(l.word.Prefix)+len(l.word.Cycle) {
		next = uint32(len(l.word.Prefix))
	}
	return append(to, next), nil
}
