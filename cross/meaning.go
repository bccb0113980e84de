package cross

import (
	"pnmc/automata"
	"pnmc/logic"
)

// Satisfies tells whether the word l satisfies f, a formula that s made, by the
// definition of the connectives: the truth of each subformula at each position of
// the word, until and its kin as fixpoints. A proposition that the word does not
// know is false. Linear in subformulas × positions.
func Satisfies(l automata.Lasso, s *logic.Formulas, f *logic.Formula) bool {
	m := meaning{word: l, length: len(l.Prefix) + len(l.Cycle), known: map[*logic.Formula][]bool{}}
	m.proposition = make([]int, len(s.Propositions()))
	for p, name := range s.Propositions() {
		m.proposition[p] = -1
		for q, other := range l.Propositions {
			if name == other {
				m.proposition[p] = q
			}
		}
	}
	return m.of(f)[0]
}

type meaning struct {
	word        automata.Lasso
	length      int
	proposition []int // of the formula: which one of the word; -1: none
	known       map[*logic.Formula][]bool
}

// next is the position after i.
func (m *meaning) next(i int) int {
	if i+1 < m.length {
		return i + 1
	}
	return len(m.word.Prefix)
}

// of is the truth of f at each position.
func (m *meaning) of(f *logic.Formula) []bool {
	if v, done := m.known[f]; done {
		return v
	}
	operands := make([][]bool, len(f.Operands()))
	for i, o := range f.Operands() {
		operands[i] = m.of(o)
	}
	v := make([]bool, m.length)
	switch f.Connective() {
	case logic.Finally:
		m.fixpoint(v, false, func(i int, next bool) bool { return operands[0][i] || next })
	case logic.Globally:
		m.fixpoint(v, true, func(i int, next bool) bool { return operands[0][i] && next })
	case logic.Until:
		m.fixpoint(v, false, func(i int, next bool) bool { return operands[1][i] || operands[0][i] && next })
	case logic.WeakUntil:
		m.fixpoint(v, true, func(i int, next bool) bool { return operands[1][i] || operands[0][i] && next })
	case logic.Release:
		m.fixpoint(v, true, func(i int, next bool) bool { return operands[1][i] && (operands[0][i] || next) })
	case logic.StrongRelease:
		m.fixpoint(v, false, func(i int, next bool) bool { return operands[1][i] && (operands[0][i] || next) })
	default:
		for i := range v {
			v[i] = m.now(f, operands, i)
		}
	}
	m.known[f] = v
	return v
}

// fixpoint computes the least (from false) or greatest (from true) solution of
// v[i] = step(i, v[next i]). Two rounds backwards reach it, as the second one
// starts from what the first found at the end of the cycle.
func (m *meaning) fixpoint(v []bool, from bool, step func(i int, next bool) bool) {
	for i := range v {
		v[i] = from
	}
	for range 2 {
		for i := m.length - 1; i >= 0; i-- {
			v[i] = step(i, v[m.next(i)])
		}
	}
}

// now is the truth at position i of a formula whose root is not a fixpoint.
func (m *meaning) now(f *logic.Formula, operands [][]bool, i int) bool {
	switch f.Connective() {
	case logic.Truth:
		return true
	case logic.Atom:
		q := m.proposition[f.Proposition()]
		return q >= 0 && m.letter(i)[q/64]>>(q%64)&1 == 1
	case logic.Negation:
		return !operands[0][i]
	case logic.Conjunction, logic.Disjunction:
		isAnd := f.Connective() == logic.Conjunction
		for _, o := range operands {
			if o[i] != isAnd {
				return !isAnd
			}
		}
		return isAnd
	case logic.ExclusiveOr:
		return operands[0][i] != operands[1][i]
	case logic.Equivalence:
		return operands[0][i] == operands[1][i]
	case logic.Implication:
		return !operands[0][i] || operands[1][i]
	case logic.Next:
		return operands[0][m.next(i)]
	}
	return false
}

func (m *meaning) letter(i int) automata.Valuation {
	if i < len(m.word.Prefix) {
		return m.word.Prefix[i]
	}
	return m.word.Cycle[i-len(m.word.Prefix)]
}
