package runs

import (
	"context"

	"pnmc/automata"
	"pnmc/automata/emptiness"
	"pnmc/checker/witness"
	"pnmc/internal/account"
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
// of the negation where there is no formula. An error is that of the question's budget, or of the
// context of work.
func (w *Word) Violates(work *account.Account) (bool, error) {
	if f := w.Question.Formula; f != nil {
		letters := ltl.Word{Length: len(w.Letters), Loop: w.Loop, Holds: func(proposition, position int) bool {
			return w.Letters[position][proposition]
		}}
		satisfies, err := letters.SatisfiesWithin(work.Charge, f)
		return err == nil && !satisfies, err
	}
	return w.Question.accepts(work.Context(), w.Letters, w.Loop)
}

// accepts reports whether the automaton accepts the word of these letters that goes back to loop for
// ever. An error is that of ctx or the budget.
func (l *Question) accepts(ctx context.Context, letters [][]bool, loop int) (bool, error) {
	lasso := automata.Lasso{Propositions: l.Automaton.Propositions}
	within := account.New(l.Budget)
	within.Begin(ctx)
	for i, letter := range letters {
		if err := within.Charge(valuationBytes + len(letter)); err != nil {
			return false, err
		}
		if v := valuationOf(letter); i < loop {
			lasso.Prefix = append(lasso.Prefix, v)
		} else {
			lasso.Cycle = append(lasso.Cycle, v)
		}
	}
	return emptiness.Accepts(l.Automaton, lasso, emptiness.Options{Context: ctx, Account: within})
}

// valuationBytes is about what a valuation of up to 64 propositions takes, with its place in a lasso.
const valuationBytes = 64

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
