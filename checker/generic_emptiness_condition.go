package checker

import "pnmc/automata"

// markCondition is an acceptance condition brought to the marks that it needs:
// one bit for each set, and each complement of a set, that it speaks of, and no
// bit for any other set.
type markCondition struct {
	// literals says what each bit of a mark means: the edge is in the set, or,
	// negated, is not.
	literals []markLiteral
	formula  *markFormula
	// words is the number of words that the bits need; none for a constant.
	words int
	// required are the bits to be seen where the formula is a conjunction of
	// Inf, as it mostly is; otherwise nil.
	required []uint64
}

type markLiteral struct {
	set     int
	negated bool
}

// markFormula is a positive Boolean combination of Inf and Fin over bits.
type markFormula struct {
	operator automata.ConditionOperator
	bit      int
	operands []*markFormula
}

var (
	markTrue  = &markFormula{operator: automata.ConditionTrue}
	markFalse = &markFormula{operator: automata.ConditionFalse}
)

// newMarkCondition compiles c. Linear in c.
func newMarkCondition(c *automata.Condition) *markCondition {
	m := &markCondition{}
	m.formula = m.compile(c, map[markLiteral]int{})
	m.words = (len(m.literals) + 63) / 64
	m.required = m.formula.conjunctionOfInf(m.words)
	return m
}

func (m *markCondition) compile(c *automata.Condition, bits map[markLiteral]int) *markFormula {
	switch c.Operator {
	case automata.ConditionTrue:
		return markTrue
	case automata.Inf, automata.Fin:
		l := markLiteral{c.Set, c.Negated}
		bit, known := bits[l]
		if !known {
			bit = len(m.literals)
			bits[l] = bit
			m.literals = append(m.literals, l)
		}
		return &markFormula{operator: c.Operator, bit: bit}
	case automata.ConditionAnd, automata.ConditionOr:
		operands := make([]*markFormula, len(c.Operands))
		for i, o := range c.Operands {
			operands[i] = m.compile(o, bits)
		}
		return combineMarks(c.Operator, operands)
	}
	return markFalse
}

// translate writes to bits, words words, those of an edge with these marks.
func (m *markCondition) translate(marks automata.Marks, bits []uint64) {
	clear(bits)
	for i, l := range m.literals {
		if marks.Has(l.set) != l.negated {
			bits[i/64] |= 1 << (i % 64)
		}
	}
}

// satisfied tells whether a run is accepted that sees exactly these bits
// infinitely often.
func (m *markCondition) satisfied(bits []uint64) bool {
	if m.required != nil {
		for i, w := range m.required {
			if bits[i]&w != w {
				return false
			}
		}
		return true
	}
	return m.formula.holds(bits)
}

// usesFin tells whether f has a Fin, so that seeing more may turn acceptance
// into rejection.
func (f *markFormula) usesFin() bool {
	if f.operator == automata.Fin {
		return true
	}
	for _, o := range f.operands {
		if o.usesFin() {
			return true
		}
	}
	return false
}

// holds evaluates f.
func (f *markFormula) holds(bits []uint64) bool {
	switch f.operator {
	case automata.ConditionTrue:
		return true
	case automata.Inf:
		return bits[f.bit/64]>>(f.bit%64)&1 == 1
	case automata.Fin:
		return bits[f.bit/64]>>(f.bit%64)&1 == 0
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
func (f *markFormula) conjunctionOfInf(words int) []uint64 {
	bits := make([]uint64, words)
	operands := f.operands
	switch f.operator {
	case automata.ConditionTrue:
		return bits
	case automata.Inf:
		operands = []*markFormula{f}
	case automata.ConditionAnd:
	default:
		return nil
	}
	for _, o := range operands {
		if o.operator != automata.Inf {
			return nil
		}
		bits[o.bit/64] |= 1 << (o.bit % 64)
	}
	return bits
}

// shift is f with each bit moved up by that many.
func (f *markFormula) shift(by int) *markFormula {
	g := &markFormula{operator: f.operator, bit: f.bit + by}
	for _, o := range f.operands {
		g.operands = append(g.operands, o.shift(by))
	}
	return g
}

// replaceMarks is f with each leaf for which leaf gives another one replaced, and
// simplified.
func (f *markFormula) replaceMarks(leaf func(*markFormula) *markFormula) *markFormula {
	switch f.operator {
	case automata.Inf, automata.Fin:
		return leaf(f)
	case automata.ConditionAnd, automata.ConditionOr:
		operands := make([]*markFormula, len(f.operands))
		for i, o := range f.operands {
			operands[i] = o.replaceMarks(leaf)
		}
		return combineMarks(f.operator, operands)
	}
	return f
}

// combineMarks is the conjunction or disjunction of the operands, without
// constants and flat: no operand has the operator itself.
func combineMarks(operator automata.ConditionOperator, operands []*markFormula) *markFormula {
	neutral, absorbing := markTrue, markFalse
	if operator == automata.ConditionOr {
		neutral, absorbing = markFalse, markTrue
	}
	var flat []*markFormula
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
	return &markFormula{operator: operator, operands: flat}
}
