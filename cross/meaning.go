package cross

import (
	"slices"

	"pnmc/automata"
	"pnmc/internal/bitset"
	"pnmc/logic/ltl"
)

// satisfies reports whether the word l satisfies f, a formula that s made, by the
// definition of the connectives. A proposition that the word does not know is false.
func satisfies(l automata.Lasso, s *ltl.Formulas, f *ltl.Formula) bool {
	letters := slices.Concat(l.Prefix, l.Cycle)
	bit := make([]int, len(s.Propositions())) // of the letters; -1: none
	for p, name := range s.Propositions() {
		bit[p] = slices.Index(l.Propositions, name)
	}
	word := ltl.Word{Length: len(letters), Loop: len(l.Prefix), Holds: func(proposition, position int) bool {
		b := bit[proposition]
		return b >= 0 && bitset.Has(letters[position], b)
	}}
	return word.Satisfies(f)
}
