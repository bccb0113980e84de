package rewrite

import (
	"encoding/binary"
	"slices"

	"pnmc/internal/bitset"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// truthTable has a bit for each valuation of the propositions of a Formulas that
// knows few of them.
type truthTable []uint64

// tablePropositions is the number of propositions up to which Boolean formulas
// are compared by truth tables; beyond, by their syntax.
const tablePropositions = 10

// table returns the truth table of the Boolean formula f, or nil if there are too many
// propositions.
func (w *Rewriter) table(f *ltl.Formula) truthTable {
	n := len(w.formulas.Propositions())
	if n > tablePropositions || !f.Has(ltl.Boolean) {
		return nil
	}
	words := bitset.WordsFor(1 << n)
	if t, known := w.tables[f]; known && len(t) == words {
		return t
	}
	t := make(truthTable, words)
	switch f.Operator() {
	case logic.False:
	case logic.True:
		for i := range t {
			t[i] = ^uint64(0)
		}
	case ltl.Atom:
		atomTable(t, f.Proposition())
	case logic.Not:
		for i, word := range w.table(f.Operands()[0]) {
			t[i] = ^word
		}
	default: // conjunction or disjunction, in negation normal form
		copy(t, w.table(f.Operands()[0]))
		for _, g := range f.Operands()[1:] {
			for i, word := range w.table(g) {
				if f.Operator() == logic.And {
					t[i] &= word
				} else {
					t[i] |= word
				}
			}
		}
	}
	w.tables[f] = t
	return t
}

// atomTable sets the bits of t whose number has bit p.
func atomTable(t truthTable, p int) {
	for i := range t {
		for j := range 64 {
			if (64*i+j)>>p&1 == 1 {
				t[i] |= 1 << j
			}
		}
	}
}

// boolean replaces a Boolean formula by the first equivalent one that was met. If there
// is none, it takes a part of the formula with the same truth table, from which nothing
// more can be left out.
//
// For example, (a | b) & (a | !b). Neither operand can go. Without b, the first is a, and the table of
// a & (a | !b) is still the same; then the second operand can go, and a is left. Where a formula with
// the same table was simplified before, its result is taken instead, so that formulas with one meaning
// become one node. With n propositions a table has 2^n bits: 128 bytes for ten.
func (w *Rewriter) boolean(f *ltl.Formula) *ltl.Formula {
	t := w.table(f)
	if t == nil {
		return w.junction(f)
	}
	key := make([]byte, 0, 8*len(t))
	for _, word := range t {
		key = binary.LittleEndian.AppendUint64(key, word)
	}
	if g, known := w.booleans[string(key)]; known && len(w.table(g)) == len(t) {
		return g
	}
	zeros, ones := true, true
	for _, word := range t {
		zeros = zeros && word == 0
		ones = ones && word == ^uint64(0)
	}
	g := f
	switch {
	case zeros:
		g = w.formulas.False()
	case ones:
		g = w.formulas.True()
	default:
		g = w.withoutRedundancy(f)
	}
	w.booleans[string(key)] = g
	return g
}

// withoutRedundancy drops operands of a Boolean conjunction or disjunction whose
// absence does not change it, and literals inside its operands likewise.
func (w *Rewriter) withoutRedundancy(f *ltl.Formula) *ltl.Formula {
	want := w.table(f)
	for i := 0; i < len(f.Operands()) && f.Operator() != logic.Not; i++ {
		rest := without(f.Operands(), i)
		if g := w.formulas.Make(f.Operator(), rest); slices.Equal(w.table(g), want) {
			return w.withoutRedundancy(g)
		}
		inner := f.Operands()[i]
		for j := range inner.Operands() {
			if inner.Operator() == logic.Not {
				break
			}
			h := w.formulas.Make(inner.Operator(), without(inner.Operands(), j))
			if g := w.formulas.Make(f.Operator(), append(rest[:len(rest):len(rest)], h)); slices.Equal(w.table(g), want) {
				return w.withoutRedundancy(g)
			}
		}
	}
	return f
}
