package runs

import (
	"pnmc/automata"
	"pnmc/checker/witness"
	"pnmc/internal/bitset"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// Word is an infinite word of valuations: letters, then again from loop on.
type Word struct {
	Question *Question
	Net      *petri.Net
	Letters  [][]bool // by proposition
	Loop     int
}

// LongestWord bounds the words on which formulas are evaluated, in letters.
const LongestWord = 5_000_000

// Add appends the valuation of a marking.
func (w *Word) Add(m petri.Marking) {
	letter := make([]bool, len(w.Question.Predicates))
	for i, p := range w.Question.Predicates {
		letter[i] = witness.Satisfies(w.Net, m, p)
	}
	w.Letters = append(w.Letters, letter)
}

// Violates reports whether the word violates the formula, or is accepted by the automaton
// of the negation where there is no formula.
func (w *Word) Violates() (bool, error) {
	if f := w.Question.Formula; f != nil {
		letters := ltl.Word{Length: len(w.Letters), Loop: w.Loop, Holds: func(proposition, position int) bool {
			return w.Letters[position][proposition]
		}}
		return !letters.Satisfies(f), nil
	}
	return accepts(w.Question.Automaton, w.Letters, w.Loop)
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

// valuationOf returns a letter as a set of propositions.
func valuationOf(letter []bool) automata.Valuation {
	v := make(automata.Valuation, automata.WordsFor(len(letter)))
	for p, holds := range letter {
		if holds {
			bitset.Add(v, p)
		}
	}
	return v
}
