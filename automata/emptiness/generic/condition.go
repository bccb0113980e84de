package generic

import (
	"pnmc/automata"
	"pnmc/internal/bitset"
)

// Condition is an acceptance condition over bits. Each bit says that an edge is in a
// set, or that it is not. Where the condition speaks of sets only, and not of their
// complements, as is usual, the bits are those of automata.Marks.
//
// For example, Inf(0) & Fin(!1) speaks of the complement of set 1. It has two bits: the edge is
// in set 0, and the edge is not in set 1. An edge in set 0 alone has both. The condition over
// bits is Inf of the first and Fin of the second, so that nothing behind this file knows of
// complements.
type Condition struct {
	// Same: the bits are the marks, all sets in order.
	Same bool
	// literals says what each bit means, unless they are the same.
	literals []literal
	// Words is the number of words that the bits need; none for a constant.
	Words int

	Source *automata.Condition
	tree   *Formula // nil until it is needed: many searches end before
	// used are the bits that the formula speaks of.
	used []uint64
	// Required are those to be seen where the formula is a conjunction of Inf, as it mostly is;
	// otherwise nil.
	Required []uint64
}

// literal is an acceptance set, or its complement. Inf and Fin of it share a bit: both ask
// whether an edge in it is met.
type literal struct {
	set     int
	negated bool
}

// Formula is a positive Boolean combination of Inf and Fin over bits.
type Formula struct {
	operator automata.ConditionOperator
	bit      int
	operands []*Formula
}

// The constants.
var (
	True  = &Formula{operator: automata.ConditionTrue}
	False = &Formula{operator: automata.ConditionFalse}
)

// NewCondition returns a condition that is compiled, in linear time, when it is first
// looked at.
func NewCondition(a automata.Acceptance) *Condition {
	m := &Condition{Source: a.Condition, Same: !speaksOfComplements(a.Condition)}
	switch {
	case a.Condition.Operator <= automata.ConditionTrue: // a constant: no bits
		m.Same = false
	case m.Same:
		m.Words = automata.MarkWordsFor(a.Sets)
		return m
	}
	bits := map[literal]int{}
	m.tree = m.compile(a.Condition, bits)
	m.Words = bitset.WordsFor(len(m.literals))
	m.examine()
	return m
}

// Formula returns the condition as a formula over the bits.
func (m *Condition) Formula() *Formula {
	if m.tree == nil {
		m.tree = m.compile(m.Source, nil)
		m.examine()
	}
	return m.tree
}

// examine finds out what the compiled formula needs of the bits.
func (m *Condition) examine() {
	m.Required = m.tree.conjunctionOfInf(m.Words)
	m.used = make([]uint64, m.Words)
	m.tree.addBits(m.used)
}

// speaksOfComplements reports whether some literal is of the complement of a set, so that marks
// cannot be taken as bits.
func speaksOfComplements(c *automata.Condition) bool {
	for _, o := range c.Operands {
		if speaksOfComplements(o) {
			return true
		}
	}
	return c.Negated
}

// addBits adds the bits of f.
func (f *Formula) addBits(bits []uint64) {
	if f.operator == automata.Inf || f.operator == automata.Fin {
		bitset.Add(bits, f.bit)
	}
	for _, o := range f.operands {
		o.addBits(bits)
	}
}

// compile returns c as a formula over bits. A literal, which is a set or its complement below Inf
// or Fin, gets the next bit when it is met first. If the bits are the sets themselves, as Same
// says, nothing is numbered.
func (m *Condition) compile(c *automata.Condition, bits map[literal]int) *Formula {
	switch c.Operator {
	case automata.ConditionTrue:
		return True
	case automata.Inf, automata.Fin:
		l := literal{c.Set, c.Negated}
		if m.Same {
			return &Formula{operator: c.Operator, bit: c.Set}
		}
		bit, known := bits[l]
		if !known {
			bit = len(m.literals)
			bits[l] = bit
			m.literals = append(m.literals, l)
		}
		return &Formula{operator: c.Operator, bit: bit}
	case automata.ConditionAnd, automata.ConditionOr:
		operands := make([]*Formula, len(c.Operands))
		for i, o := range c.Operands {
			operands[i] = m.compile(o, bits)
		}
		return Combine(c.Operator, operands)
	}
	return False
}

// Translate writes to bits, words words, those of an edge with these marks.
func (m *Condition) Translate(marks automata.Marks, bits []uint64) {
	if m.Same {
		copy(bits, marks)
		return
	}
	clear(bits)
	for i, l := range m.literals {
		if marks.Has(l.set) != l.negated {
			bitset.Add(bits, i)
		}
	}
}

// Satisfied reports whether a run is accepted that sees exactly these bits
// infinitely often.
//
// Most conditions are generalized Büchi, a conjunction of Inf. Then Required has all bits that
// must be seen, and a word of bits is compared at once; other conditions are evaluated as trees.
func (m *Condition) Satisfied(bits []uint64) bool {
	formula := m.Formula()
	if m.Required != nil {
		for i, w := range m.Required {
			if bits[i]&w != w {
				return false
			}
		}
		return true
	}
	return formula.Holds(bits)
}

// Holds reports whether f holds.
func (f *Formula) Holds(bits []uint64) bool {
	switch f.operator {
	case automata.ConditionTrue:
		return true
	case automata.Inf:
		return bitset.Has(bits, f.bit)
	case automata.Fin:
		return !bitset.Has(bits, f.bit)
	case automata.ConditionAnd:
		for _, o := range f.operands {
			if !o.Holds(bits) {
				return false
			}
		}
		return true
	case automata.ConditionOr:
		for _, o := range f.operands {
			if o.Holds(bits) {
				return true
			}
		}
	}
	return false
}

// conjunctionOfInf returns the set of bits that f requires if it says nothing else.
func (f *Formula) conjunctionOfInf(words int) []uint64 {
	bits := make([]uint64, words)
	operands := f.operands
	switch f.operator {
	case automata.ConditionTrue:
		return bits
	case automata.Inf:
		operands = []*Formula{f}
	case automata.ConditionAnd:
	default:
		return nil
	}
	for _, o := range operands {
		if o.operator != automata.Inf {
			return nil
		}
		bitset.Add(bits, o.bit)
	}
	return bits
}

// Shift returns f with each bit moved up by that many.
func (f *Formula) Shift(by int) *Formula {
	g := &Formula{operator: f.operator, bit: f.bit + by}
	for _, o := range f.operands {
		g.operands = append(g.operands, o.Shift(by))
	}
	return g
}

// replace returns f with each leaf for which leaf gives another one replaced, and
// simplified.
func (f *Formula) replace(leaf func(*Formula) *Formula) *Formula {
	switch f.operator {
	case automata.Inf, automata.Fin:
		return leaf(f)
	case automata.ConditionAnd, automata.ConditionOr:
		operands := make([]*Formula, len(f.operands))
		for i, o := range f.operands {
			operands[i] = o.replace(leaf)
		}
		return Combine(f.operator, operands)
	}
	return f
}

// Optimist returns f with every Fin true.
func (f *Formula) Optimist() *Formula {
	return f.replace(func(l *Formula) *Formula {
		if l.operator == automata.Fin {
			return True
		}
		return l
	})
}

// Combine returns the conjunction or disjunction of the operands, without
// constants and flat: no operand has the operator itself.
func Combine(operator automata.ConditionOperator, operands []*Formula) *Formula {
	neutral, absorbing := True, False
	if operator == automata.ConditionOr {
		neutral, absorbing = False, True
	}
	flat := make([]*Formula, 0, len(operands))
	for _, o := range operands {
		switch o.operator {
		case absorbing.operator:
			return absorbing
		case neutral.operator:
		case operator:
			flat = append(flat, o.operands...)
		default:
			flat = append(flat, o)
		}
	}
	switch len(flat) {
	case 0:
		return neutral
	case 1:
		return flat[0]
	}
	return &Formula{operator: operator, operands: flat}
}
