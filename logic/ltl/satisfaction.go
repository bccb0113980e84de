package ltl

import (
	"pnmc/internal/bitset"
	"pnmc/logic"
	"pnmc/logic/internal/reading"
)

// Word is an infinite word that runs through its positions once, and from the last
// one on goes back to Loop again and again.
type Word struct {
	Length, Loop int // 0 ≤ Loop < Length
	// Holds reports whether an atomic proposition, by its number, holds at a position.
	Holds func(proposition, position int) bool
}

// Satisfies reports whether the word satisfies f, by the definition of the connectives:
// the truth of each subformula at each position, until and its kin as fixpoints. It
// shares nothing with translations, whose findings it confirms. Linear in
// subformulas × positions.
func (w Word) Satisfies(f *Formula) bool {
	satisfies, _ := w.SatisfiesWithin(nil, f) // nothing limits it
	return satisfies
}

// SatisfiesWithin does what Satisfies does, and asks the limit before each subformula for what it takes, in
// bytes or nanoseconds. It returns a *LimitError with the error of the limit.
func (w Word) SatisfiesWithin(limit logic.Limit, f *Formula) (bool, error) {
	v, err := w.truth(reading.Limit(limit), f, map[*Formula]positions{})
	return err == nil && v.has(0), err
}

// positions are those of a word where something holds, a bit each: a formula of a thousand parts is
// asked of runs of a million steps.
type positions []uint64

// has reports whether position i is among them.
func (p positions) has(i int) bool { return bitset.Has(p, i) }

// put says whether position i is among them.
func (p positions) put(i int, is bool) {
	if is {
		bitset.Add(p, i)
	} else {
		bitset.Remove(p, i)
	}
}

// truth returns that of f at each position.
func (w Word) truth(limit reading.Limit, f *Formula, known map[*Formula]positions) (positions, error) {
	if v, done := known[f]; done {
		return v, nil
	}
	operands := make([]positions, len(f.operands))
	for i, o := range f.operands {
		var err error
		if operands[i], err = w.truth(limit, o, known); err != nil {
			return nil, err
		}
	}
	if err := limit.Charge(64 + (16+4*len(f.operands))*w.Length); err != nil {
		return nil, err
	}
	v := make(positions, bitset.WordsFor(w.Length))
	switch f.operator {
	case Finally:
		w.fixpoint(v, false, func(i int, next bool) bool { return operands[0].has(i) || next })
	case Globally:
		w.fixpoint(v, true, func(i int, next bool) bool { return operands[0].has(i) && next })
	case Until:
		w.fixpoint(v, false, func(i int, next bool) bool { return operands[1].has(i) || operands[0].has(i) && next })
	case WeakUntil:
		w.fixpoint(v, true, func(i int, next bool) bool { return operands[1].has(i) || operands[0].has(i) && next })
	case Release:
		w.fixpoint(v, true, func(i int, next bool) bool { return operands[1].has(i) && (operands[0].has(i) || next) })
	case StrongRelease:
		w.fixpoint(v, false, func(i int, next bool) bool { return operands[1].has(i) && (operands[0].has(i) || next) })
	default:
		for i := range w.Length {
			v.put(i, w.now(f, operands, i))
		}
	}
	known[f] = v
	return v, nil
}

// next returns the position after i.
func (w Word) next(i int) int {
	if i+1 < w.Length {
		return i + 1
	}
	return w.Loop
}

// fixpoint computes the least (from false) or greatest (from true) solution of
// v[i] = step(i, v[next i]). Two rounds backwards reach it, as the second one
// starts from what the first found at the beginning of the loop.
//
// For example, F a on a word of three positions that goes back from 2 to 1, with a at 1 only. The
// first round finds false at 2, as position 1 is not computed yet, then true at 1 and at 0. The
// second finds true at 2. A third would change nothing: what a position needs to know lies ahead of
// it, and less than once round the loop.
func (w Word) fixpoint(v positions, from bool, step func(i int, next bool) bool) {
	for i := range w.Length {
		v.put(i, from)
	}
	for range 2 {
		for i := w.Length - 1; i >= 0; i-- {
			v.put(i, step(i, v.has(w.next(i))))
		}
	}
}

// now reports whether f, whose root is not a fixpoint, holds at position i.
func (w Word) now(f *Formula, operands []positions, i int) bool {
	switch f.operator {
	case logic.True:
		return true
	case Atom:
		return w.Holds(f.Proposition(), i)
	case logic.Not:
		return !operands[0].has(i)
	case logic.And, logic.Or:
		isAnd := f.operator == logic.And
		for _, o := range operands {
			if o.has(i) != isAnd {
				return !isAnd
			}
		}
		return isAnd
	case logic.Xor:
		return operands[0].has(i) != operands[1].has(i)
	case logic.Equivalent:
		return operands[0].has(i) == operands[1].has(i)
	case logic.Implies:
		return !operands[0].has(i) || operands[1].has(i)
	case Next:
		return operands[0].has(w.next(i))
	}
	return false
}
