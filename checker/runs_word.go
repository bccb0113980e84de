package checker

import (
	"pnmc/automata"
	"pnmc/checker/witness"
	"pnmc/internal/bitset"
	"pnmc/logic/ltl"
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
		letter[i] = witness.Satisfies(w.net, m, p)
	}
	w.letters = append(w.letters, letter)
}

// violates reports whether the word violates the formula, or is accepted by the automaton
// of the negation where there is no formula.
func (w *word) violates() (bool, error) {
	if f := w.linear.formula; f != nil {
		letters := ltl.Word{Length: len(w.letters), Loop: w.loop, Holds: func(proposition, position int) bool {
			return w.letters[position][proposition]
		}}
		return !letters.Satisfies(f), nil
	}
	return accepts(w.linear.automaton, w.letters, w.loop)
}

// accepts reports whether an automaton, which may be a testing one, accepts the word of
// these letters that goes back to loop for ever.
func accepts(a *automata.Automaton, letters [][]bool, loop int) (bool, error) {
	lasso := automata.Lasso{Propositions: a.Propositions}
	for i, letter := range letters {
		if v := valuationOf(letter); i < loop {
			lasso.Prefix = append(lasso.Prefix, v)
		} else {
			lasso.Cycle = append(lasso.Cycle, v)
		}
	}
	if a.Kind != automata.Plain {
		plain := *a
		plain.Kind = automata.Plain
		return automata.Accepts(&plain, lasso.Changes())
	}
	return automata.Accepts(a, lasso)
}

func valuationOf(letter []bool) automata.Valuation {
	v := make(automata.Valuation, automata.WordsFor(len(letter)))
	for p, holds := range letter {
		if holds {
			bitset.Add(v, p)
		}
	}
	return v
}
