package mcc

import (
	"pnmc/checker"
	"pnmc/logic"
	"pnmc/petri"
)

// word is an infinite word of valuations: letters, then again from loop on. It
// evaluates formulas of LTL by their definition.
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
	return w.values(f, make(map[*logic.Formula][]bool))[0]
}

// values is the truth of f at each position.
func (w *word) values(f *logic.Formula, known map[*logic.Formula][]bool) []bool {
	if v, ok := known[f]; ok {
		return v
	}
	operands := make([][]bool, len(f.Operands()))
	for i, g := range f.Operands() {
		operands[i] = w.values(g, known)
	}
	n := len(w.letters)
	v := make([]bool, n)
	known[f] = v
	next := func(i int) int {
		if i+1 == n {
			return w.loop
		}
		return i + 1
	}
	// fixpoint solves v[i] = now(i) || (step(i) && v[next]), least or greatest:
	// two rounds backwards, since the loop is gone around once.
	fixpoint := func(initial bool, now, step func(i int) bool) {
		for i := range v {
			v[i] = initial
		}
		for range 2 {
			for i := n - 1; i >= 0; i-- {
				v[i] = now(i) || step(i) && v[next(i)]
			}
		}
	}
	at := func(o int) func(int) bool { return func(i int) bool { return operands[o][i] } }
	always := func(int) bool { return true }
	never := func(int) bool { return false }
	switch f.Connective() {
	case logic.Until:
		fixpoint(false, at(1), at(0))
	case logic.WeakUntil:
		fixpoint(true, at(1), at(0))
	case logic.Release:
		fixpoint(true, func(i int) bool { return operands[0][i] && operands[1][i] }, at(1))
	case logic.StrongRelease:
		fixpoint(false, func(i int) bool { return operands[0][i] && operands[1][i] }, at(1))
	case logic.Finally:
		fixpoint(false, at(0), always)
	case logic.Globally:
		fixpoint(true, never, at(0))
	default:
		for i := range v {
			v[i] = w.local(f, operands, i, next(i))
		}
	}
	return v
}

// local is the truth at position i of a formula that looks at i and its
// successor only.
func (w *word) local(f *logic.Formula, operands [][]bool, i, next int) bool {
	switch f.Connective() {
	case logic.Truth:
		return true
	case logic.Falsity:
		return false
	case logic.Atom:
		return w.letters[i][f.Proposition()]
	case logic.Negation:
		return !operands[0][i]
	case logic.Next:
		return operands[0][next]
	case logic.ExclusiveOr:
		return operands[0][i] != operands[1][i]
	case logic.Equivalence:
		return operands[0][i] == operands[1][i]
	case logic.Implication:
		return !operands[0][i] || operands[1][i]
	}
	all := f.Connective() == logic.Conjunction
	for _, o := range operands {
		if o[i] != all {
			return !all
		}
	}
	return all
}
