package emptiness

import (
	"context"
	"errors"
	"math"
	"slices"

	"pnmc/automata"
	"pnmc/internal/account"
)

// ErrTooManyEdges means that the edges of the states on the path of a search, or those of a component, are more
// than there are numbers for.
var ErrTooManyEdges = errors.New("more than 2^32-1 edges of states on the way")

// mostEdges is how many edges, and words of their marks, there are numbers for. Tests lower it.
var mostEdges = min(math.MaxUint32, math.MaxInt)

// ErrTooManyPairs means that a search met more pairs of states than it may.
var ErrTooManyPairs = errors.New("more pairs of states than the limit")

// ErrReadsChanges means that an operand is a testing automaton.
var ErrReadsChanges = errors.New("testing automata read changes, not valuations: automata.ReadingValuations makes plain ones of them")

// Options say what is wanted of Intersect besides the answer.
type Options struct {
	// Context ends the search early; nil: nothing does.
	Context context.Context
	// Word asks for a word in the intersection.
	Word bool
	// MaxPairs is the greatest number of pairs of states that may be met before
	// ErrTooManyPairs; 0: no limit but that of 32 bits.
	MaxPairs int

	// eager: explicit operands are analysed at once.
	eager bool
	// Account is what the search is charged to; nil: one without limits but Context.
	Account *account.Account
}

// Intersection is what Intersect found.
type Intersection struct {
	// Nonempty: some word is accepted by both.
	Nonempty bool
	// Word is such a word, if one was asked for and there is one.
	Word *automata.Lasso
	// Pairs and Edges are the pairs of states and joint edges that were visited.
	Pairs, Edges int64
}

// Intersects reports whether a and b accept a word in common, that is, one that
// both read as valuations of the union of their propositions.
//
// Nothing is built: see JointSearch. At worst, time and memory are those of the
// product. With Fin, time is also exponential in the number of sets that occur in Fin,
// at worst.
//
// The algorithm is that of "Two-automaton emptiness check in Spot" (Gillard, 2017),
// chapters 4 and 5, for any number of acceptance sets. For conditions with Fin it is a
// generic emptiness check. Operands may have any combination of forms; two Kripke
// structures are the combination that is not specialized.
func Intersects(a, b Operand) (bool, error) {
	r, err := Intersect(a, b, Options{})
	return r.Nonempty, err
}

// Intersect intersects as Intersects does, with options. An error is ErrReadsChanges for testing
// automata, which do not read valuations, one of a limit that was reached, or comes from an operand.
//
// It does not know beforehand whether the search will take three pairs or a million, and what pays
// for a long search costs more than a short one. So up to three searches are tried. Each is dearer
// to begin, and faster to go on:
//
//  1. scan compares the labels of two explicit automata where they are, for a few hundred edges.
//  2. With rows laid out as states are met, for about as long as an analysis would take.
//  3. After an analysis: edges to states without a word are left out, weak operands keep no marks,
//     and a state from which every word is accepted is one state with one loop.
//
// A search that is given up costs about as much as preparing the next one.
func Intersect(a, b Operand, o Options) (Intersection, error) {
	for _, x := range [2]Operand{a, b} {
		if x.explicit != nil && x.explicit.Kind != automata.Plain {
			return Intersection{}, ErrReadsChanges
		}
	}
	// The right side may not be a Kripke structure.
	if b.kripke != nil {
		if a.kripke != nil {
			b = Lazy(newStructureAutomaton(b))
		} else {
			a, b = b, a
		}
	}
	if r, err := scan(a, b, o); err != errOutOfPatience {
		return r, err
	}
	x := automata.NewAlphabet(a.propositions(), b.propositions(), a.explicit, b.explicit)
	left, right := NewOperandSide(a, &x, x.Left), NewOperandSide(b, &x, x.Right)
	if !o.eager {
		// First as if nothing were known of explicit automata, for as long as it
		// takes to know more.
		patience := int64(0)
		for _, y := range [2]Operand{a, b} {
			if y.explicit != nil {
				patience += minPatience + int64(y.explicit.Edges()/edgesPerStep)
			}
		}
		r, err := newIntersecter(left, right, o, patience).intersect(&x, o)
		if err != errOutOfPatience {
			return r, err
		}
		left, right = NewOperandSide(a, &x, x.Left), NewOperandSide(b, &x, x.Right)
	}
	for _, y := range [2]*OperandSide{left, right} {
		if y.operand.explicit != nil {
			if err := y.Analyse(o.Context, &x, !o.Word); err != nil {
				return Intersection{}, err
			}
		}
	}
	return newIntersecter(left, right, o, 0).intersect(&x, o)
}

// scan looks at explicit operands as they are. The searches that follow lay out
// operands. If a search ends after a few pairs, laying out takes far more time and
// memory than the search.
func scan(a, b Operand, o Options) (Intersection, error) {
	if o.eager || a.explicit == nil || b.explicit == nil || !slices.Equal(a.explicit.Propositions, b.explicit.Propositions) {
		return Intersection{}, errOutOfPatience
	}
	left, same := newScannedSide(a.explicit)
	right, sameToo := newScannedSide(b.explicit)
	if !same || !sameToo {
		return Intersection{}, errOutOfPatience
	}
	s := NewJointSearch[scannedKind, scannedKind](left, right, o, scanPatience)
	s.poll.labels = minLabels + labelsPerEdge*int64(a.explicit.Edges()+b.explicit.Edges())
	err := s.Run()
	if s.Found && o.Word { // words are told by the rows of a search that has them
		err = errOutOfPatience
	}
	return Intersection{Nonempty: s.Found, Pairs: int64(s.Pairs.Len()), Edges: s.Edges}, err
}

// A scan is bounded twice. Its joint edges fit in memory far smaller than the operands,
// and comparing its labels takes less time than laying out the operands.
const (
	scanPatience  = 256
	minLabels     = 1 << 10
	labelsPerEdge = 6
)

// The first search takes as many joint edges as take about as long as the analysis
// of the operands: one for some edges of these, and some in any case.
const (
	edgesPerStep = 4
	minPatience  = 64
)

// errOutOfPatience means that the first search did not end soon.
var errOutOfPatience = errors.New("the operands are worth an analysis")

// newIntersecter returns the search for the kinds of the operands. The right one must
// not be a Kripke structure. With patience, it ends after that many edges.
func newIntersecter(left, right *OperandSide, o Options, patience int64) intersecter {
	a, b := left.operand, right.operand
	switch {
	case a.explicit != nil && b.explicit != nil:
		return NewJointSearch[ExplicitKind, ExplicitKind](left, right, o, patience)
	case a.explicit != nil:
		return NewJointSearch[ExplicitKind, lazyKind](left, right, o, patience)
	case a.lazy != nil && b.explicit != nil:
		return NewJointSearch[lazyKind, ExplicitKind](left, right, o, patience)
	case a.lazy != nil:
		return NewJointSearch[lazyKind, lazyKind](left, right, o, patience)
	case b.explicit != nil:
		return NewJointSearch[KripkeKind, ExplicitKind](left, right, o, patience)
	}
	return NewJointSearch[KripkeKind, lazyKind](left, right, o, patience)
}

// intersecter is a search, whatever its operands.
type intersecter interface {
	intersect(x *automata.Alphabet, o Options) (Intersection, error)
}

// intersect runs the search, and finds a word if one is wanted.
func (s *JointSearch[L, R]) intersect(x *automata.Alphabet, o Options) (Intersection, error) {
	err := s.Run()
	result := Intersection{Nonempty: s.Found, Pairs: int64(s.Pairs.Len()), Edges: s.Edges}
	if err != nil || !s.Found || !o.Word {
		return result, err
	}
	result.Word, err = s.word(x)
	return result, err
}
