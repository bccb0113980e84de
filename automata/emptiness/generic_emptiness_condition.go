package emptiness

import (
	"pnmc/automata"
	"pnmc/internal/bitset"
)

// MarkCondition is an acceptance condition over bits, each of which says that an
// edge is in a set, or is not. Where the condition speaks of sets only, and not of
// their complements, as is usual, the bits are those of automata.Marks.
type MarkCondition struct {
	// same: the bits are the marks, all sets in order.
	same bool
	// literals says what each bit means, unless they are the same.
	literals []markLiteral
	// Words is the number of words that the bits need; none for a constant.
	Words int

	source *automata.Condition
	tree   *MarkFormula // nil until it is needed: many searches end before
	// used are the bits that the formula speaks of, and required those to be seen
	// where it is a conjunction of Inf, as it mostly is; otherwise nil.
	used, required []uint64
}

type markLiteral struct {
	set     int
	negated bool
}

// MarkFormula is a positive Boolean combination of Inf and Fin over bits.
type MarkFormula struct {
	operator automata.ConditionOperator
	bit      int
	operands []*MarkFormula
}

var (
	markTrue  = &MarkFormula{operator: automata.ConditionTrue}
	markFalse = &MarkFormula{operator: automata.ConditionFalse}
)

// NewMarkCondition is a condition that is compiled, in linear time, when it is first
// looked at.
func NewMarkCondition(a automata.Acceptance) *MarkCondition {
	m := &MarkCondition{source: a.Condition, same: !speaksOfComplements(a.Condition)}
	switch {
	case a.Condition.Operator <= automata.ConditionTrue: // a constant: no bits
		m.same = false
	case m.same:
		m.Words = automata.MarkWordsFor(a.Sets)
		return m
	}
	bits := map[markLiteral]int{}
	m.tree = m.compile(a.Condition, bits)
	m.Words = bitset.WordsFor(len(m.literals))
	m.examine()
	return m
}

// Formula is the condition as a formula over the bits.
func (m *MarkCondition) Formula() *MarkFormula {
	if m.tree == nil {
		m.tree = m.compile(m.source, nil)
		m.examine()
	}
	return m.tree
}

func (m *MarkCondition) examine() {
	m.required = m.tree.conjunctionOfInf(m.Words)
	m.used = make([]uint64, m.Words)
	m.tree.addBits(m.used)
}

func speaksOfComplements(c *automata.Condition) bool {
	for _, o := range c.Operands {
		if speaksOfComplements(o) {
			return true
		}
	}
	return c.Negated
}

// addBits adds the bits of f.
func (f *MarkFormula) addBits(bits []uint64) {
	if f.operator == automata.Inf || f.operator == automata.Fin {
		bitset.Add(bits, f.bit)
	}
	for _, o := range f.operands {
		o.addBits(bits)
	}
}

func (m *MarkCondition) compile(c *automata.Condition, bits map[markLiteral]int) *MarkFormula {
	switch c.Operator {
	case automata.ConditionTrue:
		return markTrue
	case automata.Inf, automata.Fin:
		l := markLiteral{c.Set, c.Negated}
		if m.same {
			return &MarkFormula{operator: c.Operator, bit: c.Set}
		}
		bit, known := bits[l]
		if !known {
			bit = len(m.literals)
			bits[l] = bit
			m.literals = append(m.literals, l)
		}
		return &MarkFormula{operator: c.Operator, bit: bit}
	case automata.ConditionAnd, automata.ConditionOr:
		operands := make([]*MarkFormula, len(c.Operands))
		for i, o := range c.Operands {
			operands[i] = m.compile(o, bits)
		}
		return combineMarks(c.Operator, operands)
	}
	return markFalse
}

// Translate writes to bits, words words, those of an edge with these marks.
func (m *MarkCondition) Translate(marks automata.Marks, bits []uint64) {
	if m.same {
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

// satisfied reports whether a run is accepted that sees exactly these bits
// infinitely often.
func (m *MarkCondition) satisfied(bits []uint64) bool {
	formula := m.Formula()
	if m.required != nil {
		for i, w := range m.required {
			if bits[i]&w != w {
				return false
			}
		}
		return true
	}
	return formula.holds(bits)
}

// holds evaluates f.
func (f *MarkFormula) holds(bits []uint64) bool {
	switch f.operator {
	case automata.ConditionTrue:
		return true
	case automata.Inf:
		return bitset.Has(bits, f.bit)
	case automata.Fin:
		return !bitset.Has(bits, f.bit)
	case automata.ConditionAnd:
		for _, o := range f.operands {
			if !o.holds(bits) {
				return false
			}
		}
		return true
	case automata.ConditionOr:
		for _, o := range f.operands {
			if o.holds(bits) {
				return true
			}
		}
	}
	return false
}

// conjunctionOfInf is the set of bits that f requires if it says nothing else.
func (f *MarkFormula) conjunctionOfInf(words int) []uint64 {
	bits := make([]uint64, words)
	operands := f.operands
	switch f.operator {
	case automata.ConditionTrue:
		return bits
	case automata.Inf:
		operands = []*MarkFormula{f}
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

// shift is f with each bit moved up by that many.
func (f *MarkFormula) shift(by int) *MarkFormula {
	g := &MarkFormula{operator: f.operator, bit: f.bit + by}
	for _, o := range f.operands {
		g.operands = append(g.operands, o.shift(by))
	}
	return g
}

// replaceMarks is f with each leaf for which leaf gives another one replaced, and
// simplified.
func (f *MarkFormula) replaceMarks(leaf func(*MarkFormula) *MarkFormula) *MarkFormula {
	switch f.operator {
	case automata.Inf, automata.Fin:
		return leaf(f)
	case automata.ConditionAnd, automata.ConditionOr:
		operands := make([]*MarkFormula, len(f.operands))
		for i, o := range f.operands {
			operands[i] = o.replaceMarks(leaf)
		}
		return combineMarks(f.operator, operands)
	}
	return f
}

// combineMarks is the conjunction or disjunction of the operands, without
// constants and flat: no operand has the operator itself.
func combineMarks(operator automata.ConditionOperator, operands []*MarkFormula) *MarkFormula {
	neutral, absorbing := markTrue, markFalse
	if operator == automata.ConditionOr {
		neutral, absorbing = markFalse, markTrue
	}
	flat := make([]*MarkFormula, 0, len(operands))
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
	return &MarkFormula{operator: operator, operands: flat}
}
