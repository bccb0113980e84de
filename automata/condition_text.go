package automata

import (
	"strconv"
	"strings"
)

// String returns the condition as the Hanoi Omega-Automata format writes it, with
// parentheses around every operand that has operands. The recursion is as deep
// as the condition.
func (c *Condition) String() string {
	var b strings.Builder
	c.write(&b)
	return b.String()
}

// write appends the text of the condition. It puts parentheses around all operands that have
// operands themselves, so that no precedence matters.
func (c *Condition) write(b *strings.Builder) {
	separator := ""
	switch c.Operator {
	case ConditionTrue:
		b.WriteByte('t')
	case ConditionFalse:
		b.WriteByte('f')
	case Inf, Fin:
		name := "Inf("
		if c.Operator == Fin {
			name = "Fin("
		}
		b.WriteString(name)
		if c.Negated {
			b.WriteByte('!')
		}
		b.WriteString(strconv.Itoa(c.Set))
		b.WriteByte(')')
	case ConditionAnd:
		separator = c.separator("&", Inf)
	case ConditionOr:
		separator = c.separator("|", Fin)
	}
	for i, o := range c.Operands {
		if i > 0 {
			b.WriteString(separator)
		}
		if len(o.Operands) > 0 {
			b.WriteByte('(')
			o.write(b)
			b.WriteByte(')')
		} else {
			o.write(b)
		}
	}
}

// separator has no blanks where all operands are the given one, as they are in
// generalized Büchi and co-Büchi conditions.
func (c *Condition) separator(symbol string, all ConditionOperator) string {
	for _, o := range c.Operands {
		if o.Operator != all {
			return " " + symbol + " "
		}
	}
	return symbol
}
