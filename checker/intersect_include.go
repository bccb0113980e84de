package checker

import (
	"context"
	"errors"

	"pnmc/automata"
)

// DefaultComplementLimit is the number of states of a complement that is computed
// on the fly before an inclusion is given up: some hundred megabytes.
const DefaultComplementLimit = 1 << 20

// InclusionOptions say how an inclusion is decided.
type InclusionOptions struct {
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

// Included tells whether b accepts all words that a accepts, as words over the
// propositions of both.
//
// It looks for a word of a and of a complement of b: the one given, or, of a
// deterministic b, b with its condition negated, or else a SliceComplement, of
// which only what the search needs is computed, and which may be exponential in b.
// An error tells of testing automata, of ErrComplementTooLarge, or of the context.
func Included(a, b *automata.Automaton, o InclusionOptions) (Inclusion, error) {
	complement, err := complementOperand(b, o)
	if err != nil {
		return Inclusion{}, err
	}
	r, err := Intersect(Explicit(a), complement, IntersectOptions{Context: o.Context, Word: true})
	if err != nil {
		return Inclusion{}, err
	}
	return Inclusion{Holds: !r.Nonempty, Word: r.Word}, nil
}

// Equivalent tells whether a and b accept the same words. Of two languages that
// differ, the word is in exactly one.
func Equivalent(a, b *automata.Automaton, o InclusionOptions) (Inclusion, error) {
	r, err := Included(a, b, o)
	if err != nil || !r.Holds {
		return r, err
	}
	o.Complement = o.FirstComplement
	return Included(b, a, o)
}

// complementOperand chooses the complement of b.
func complementOperand(b *automata.Automaton, o InclusionOptions) (Operand, error) {
	switch {
	case b.Kind != automata.Plain:
		return Operand{}, errors.New("testing automata cannot be compared, as they do not read valuations")
	case o.Complement != nil:
		return Explicit(o.Complement), nil
	case automata.IsDeterministic(b):
		c, err := automata.ComplementDeterministic(b)
		return Explicit(c), err
	}
	limit := o.Limit
	if limit == 0 {
		limit = DefaultComplementLimit
	}
	c, err := automata.NewSliceComplement(b, limit)
	return Lazy(&lazyComplement{propositions: b.Propositions, c: c}), err
}

// lazyComplement is a SliceComplement as a LazyAutomaton. It remembers the edges
// of each state, which cost far more to compute than to keep.
type lazyComplement struct {
	propositions []string
	c            *automata.SliceComplement
	out          [][]complementEdge
	expanded     []bool
}

type complementEdge struct {
	label automata.Label
	marks automata.Marks
	to    uint32
}

func (l *lazyComplement) Propositions() []string          { return l.propositions }
func (l *lazyComplement) Acceptance() automata.Acceptance { return automata.GeneralizedBuchi(1) }
func (l *lazyComplement) Initial() []uint32               { return []uint32{0} }

func (l *lazyComplement) Out(s uint32, edges *LazyEdges) error {
	for len(l.out) < l.c.Known() {
		l.out = append(l.out, nil)
		l.expanded = append(l.expanded, false)
	}
	if !l.expanded[s] {
		err := l.c.Out(s, func(label automata.Label, accepting bool, to uint32) {
			marks := automata.NewMarks(1)
			if accepting {
				marks = automata.NewMarks(1, 0)
			}
			l.out[s] = append(l.out[s], complementEdge{label, marks, to})
		})
		if err != nil {
			return err
		}
		l.expanded[s] = true
	}
	for _, e := range l.out[s] {
		edges.Add(e.label, e.marks, e.to)
	}
	return nil
}
