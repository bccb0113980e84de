package view

import (
	"fmt"
	"strings"

	"pnmc/petri/symmetric"
)

// expressionText writes the multiset of an arc of t, such as 2'(x, y++) + (z, all C). A
// coefficient of 1 is left out, and the colour of a black token is a dot.
func expressionText(e symmetric.Expression, t *symmetric.Transition, domain symmetric.Domain) string {
	var parts []string
	for _, m := range e {
		var terms []string
		for i, term := range m.Terms {
			terms = append(terms, termText(term, t, domain[i]))
		}
		text := strings.Join(terms, ", ")
		if len(terms) != 1 {
			text = "(" + text + ")"
		}
		if len(terms) == 0 {
			text = "•"
		}
		if m.Coefficient != 1 {
			text = fmt.Sprintf("%d'%s", m.Coefficient, text)
		}
		parts = append(parts, text)
	}
	return strings.ReplaceAll(strings.Join(parts, " + "), "+ -", "− ")
}

// termText writes a colour, a variable with the steps that it goes on, or all colours.
func termText(term symmetric.Term, t *symmetric.Transition, class *symmetric.Class) string {
	switch term.Kind {
	case symmetric.Constant:
		return class.Colour(term.Value)
	case symmetric.All:
		return "all " + class.Name
	}
	name := t.Variables[term.Variable].Name
	switch size := t.Variables[term.Variable].Class.Size; {
	case term.Value == 0:
		return name
	case term.Value == 1:
		return name + "++"
	case term.Value == size-1:
		return name + "−−"
	}
	return fmt.Sprintf("%s+%d", name, term.Value)
}

// guardText writes the condition on the variables of t.
func guardText(g *symmetric.Guard, t *symmetric.Transition) string {
	operand := func(o symmetric.Operand) string {
		text := termText(o.Term, t, o.Class)
		if o.Element != nil {
			text = "part(" + text + ")"
		}
		return text
	}
	switch g.Operator {
	case symmetric.Equal:
		return operand(g.Left) + " = " + operand(g.Right)
	case symmetric.Less:
		return operand(g.Left) + " < " + operand(g.Right)
	case symmetric.AtMost:
		return operand(g.Left) + " ≤ " + operand(g.Right)
	case symmetric.Not:
		if o := g.Operands[0]; o.Operator == symmetric.Equal {
			return operand(o.Left) + " ≠ " + operand(o.Right)
		}
		return "not (" + guardText(g.Operands[0], t) + ")"
	}
	joint, none := " and ", "true"
	if g.Operator == symmetric.Or {
		joint, none = " or ", "false"
	}
	if len(g.Operands) == 0 {
		return none
	}
	var parts []string
	for _, o := range g.Operands {
		text := guardText(o, t)
		if (o.Operator == symmetric.And || o.Operator == symmetric.Or) && len(g.Operands) > 1 {
			text = "(" + text + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, joint)
}
