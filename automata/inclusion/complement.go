package inclusion

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pnmc/automata"
	"pnmc/automata/emptiness"
	"pnmc/internal/bitset"
)

// WrongComplementError reports an automaton that was given as the complement of another
// and is not: Word is accepted by both, or by neither.
type WrongComplementError struct {
	Word *automata.Lasso
	Both bool
}

// Error names a word that both accept, or neither.
func (e *WrongComplementError) Error() string {
	by := "neither"
	if e.Both {
		by = "both"
	}
	return fmt.Sprintf("the complement given is none: the automaton and it, %s accept %s", by, e.Word.Brief())
}

// complementWords is the number of random words that a complement is tried on.
const complementWords = 256

// ExamineComplement looks for a word that shows that complement is not one of a. The two must
// have no word in common, which is decided. One of them must accept each word, which is tried on
// some random ones. An error is a *WrongComplementError, or what kept it from finding out.
//
// The two mistakes have different costs. A word in both would be reported as a counterexample that is
// none, and to look for one is cheap: it is a product. A word in neither is one that the search
// for counterexamples cannot see, so that an inclusion may be said to hold that does not. To
// exclude that for sure takes the complement that somebody wanted to spare us. So that part is
// trusted, but for 256 words: a formula that was mistyped is found by these, a subtle mistake of
// a translator may not be.
func ExamineComplement(ctx context.Context, a, complement *automata.Automaton) error {
	common, err := emptiness.Intersect(emptiness.Explicit(a), emptiness.Explicit(complement), emptiness.Options{Context: ctx, Word: true})
	if err != nil {
		return err
	}
	if common.Nonempty {
		return &WrongComplementError{common.Word, true}
	}
	r := rand.New(rand.NewPCG(uint64(a.States()), uint64(complement.States())))
	names := automata.NewAlphabet(a.Propositions, complement.Propositions, nil, nil).Propositions
	letters := func(n int) []automata.Valuation {
		var all []automata.Valuation
		for range n {
			v := make(automata.Valuation, automata.WordsFor(len(names)))
			for p := range names {
				bitset.Put(v, p, r.Uint64()&1)
			}
			all = append(all, v)
		}
		return all
	}
	for range complementWords {
		word := &automata.Lasso{Propositions: names, Prefix: letters(r.IntN(4)), Cycle: letters(1 + r.IntN(4))}
		accepted := false
		for _, x := range [2]*automata.Automaton{a, complement} {
			by, err := emptiness.Intersect(emptiness.Explicit(word.Automaton()), emptiness.Explicit(x), emptiness.Options{Context: ctx})
			if err != nil {
				return err
			}
			if accepted = by.Nonempty; accepted {
				break
			}
		}
		if !accepted {
			return &WrongComplementError{word, false}
		}
	}
	return nil
}
