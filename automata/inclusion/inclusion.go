package inclusion

import (
	"context"
	"slices"

	"pnmc/automata"
	"pnmc/automata/complement"
	"pnmc/automata/emptiness"
)

// DefaultComplementLimit is the number of states of a complement that is computed
// on the fly before an inclusion is given up: some hundred megabytes.
const DefaultComplementLimit = 1 << 20

// Options say how an inclusion is decided.
type Options struct {
	// Context ends the search early; nil: nothing does.
	Context context.Context
	// Complement is an automaton for the complement of the second language where
	// one is known, such as the translation of the negated formula; nil: none.
	Complement *automata.Automaton
	// FirstComplement is likewise one of the first language, for Equivalent.
	FirstComplement *automata.Automaton
	// Limit is the number of states of a complement that has to be computed;
	// 0: DefaultComplementLimit.
	Limit int
}

// Inclusion is the answer to whether one language includes another.
type Inclusion struct {
	Holds bool
	// Word is one that breaks the inclusion, where it does not hold.
	Word *automata.Lasso
}

// Included reports whether b accepts all words that a accepts, as words over the
// propositions of both.
//
// The question is whether a and the complement of b have a word in common. A complement may be
// exponential in b, so what decides quickly comes first:
//
//  1. A complement that is given is used, and a deterministic b has its condition negated.
//  2. Some words of a are tried on b. Where the inclusion does not hold, one of them mostly shows it.
//  3. If b simulates a, edge by edge or fairly, the inclusion holds.
//  4. The complement is made state by state, as the search for a common word asks for it.
//
// An error is emptiness.ErrReadsChanges for testing automata, complement.ErrTooLarge for a complement
// beyond the limit, another error of making the complement, or that of the context.
func Included(a, b *automata.Automaton, o Options) (Inclusion, error) {
	if a.Kind != automata.Plain || b.Kind != automata.Plain {
		return Inclusion{}, emptiness.ErrReadsChanges
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	options := emptiness.Options{Context: o.Context, Word: true}
	negated := o.Complement
	if negated == nil {
		if deterministic, _ := automata.IsDeterministic(o.Context, b); deterministic {
			var err error
			if negated, err = complement.Deterministic(o.Context, b); err != nil {
				return Inclusion{}, err
			}
		}
	}
	if negated == nil {
		useful, err := emptiness.NonemptyStates(o.Context, a)
		if err != nil {
			return Inclusion{}, err
		}
		word, err := rejectedWord(a, b, useful, options)
		if err != nil || word != nil {
			return Inclusion{Word: word}, err
		}
		if complement.DirectSimulations(o.Context, a, b, useful).Initial(a, b) {
			return Inclusion{Holds: true}, nil
		}
		if !slices.ContainsFunc(a.Initial(), func(n automata.State) bool { return useful[n] }) {
			return Inclusion{Holds: true}, nil
		}
		s, err := newInclusionSearch(a, b, useful, o)
		if err != nil || s.simulated.Initial(a, s.complement.Buchi()) {
			return Inclusion{Holds: err == nil}, err
		}
		r, err := emptiness.Intersect(emptiness.Lazy(s), emptiness.Explicit(automata.EveryWord()), options)
		return Inclusion{Holds: err == nil && !r.Nonempty, Word: r.Word}, err
	}
	r, err := emptiness.Intersect(emptiness.Explicit(a), emptiness.Explicit(negated), options)
	return Inclusion{Holds: err == nil && !r.Nonempty, Word: r.Word}, err
}

// Equivalent reports whether a and b accept the same words. Of two languages that
// differ, the word is in exactly one.
func Equivalent(a, b *automata.Automaton, o Options) (Inclusion, error) {
	r, err := Included(a, b, o)
	if err != nil || !r.Holds {
		return r, err
	}
	o.Complement = o.FirstComplement
	return Included(b, a, o)
}
