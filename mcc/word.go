package mcc

import (
	"pnmc/checker"
	"pnmc/logic"
	"pnmc/petri"
)

// word is an infinite word of valuations: letters, then again from loop on.
type word struct {
	linear  *linear
	net     *petri.Net
	letters [][]bool // by proposition
	loop    int
}

// longestWord bounds the words on which formulas are evaluated, in letters.
const longestWord = 5_000_000

// add appends the valuation of a marking.
func (w *word) add(m petri.Marking) {
	letter := make([]bool, len(w.linear.predicates))
	for i, p := range w.linear.predicates {
		letter[i] = checker.Satisfies(w.net, m, p)
	}
	w.letters = append(w.letters, letter)
}

// satisfies tells whether the word satisfies f.
func (w *word) satisfies(f *logic.Formula) bool {
	letters := logic.Word{Length: len(w.letters), Loop: w.loop, Holds: func(proposition, position int) bool {
		return w.letters[position][proposition]
	}}
	return letters.Satisfies(f)
}
