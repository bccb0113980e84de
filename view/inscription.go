package view

import (
	"strconv"

	"pnmc/internal/account"
	"pnmc/petri/symmetric"
)

// texts writes what stands at arcs and transitions of a coloured net, one text after the other.
// Names of colours may be long, and thousands of arcs may have the same one. So each part asks for
// room before it is added. Once the account has ended, texts are cut.
type texts struct {
	account.Meter
	text []byte // of the one that is made
}

// add adds a part to the text.
func (w *texts) add(part string) {
	if w.End == nil {
		w.End = account.Room(w.Account, w.text, len(part))
	}
	if w.End == nil {
		w.text = append(w.text, part...)
	}
}

// take returns the text, and begins another one.
func (w *texts) take() string {
	if w.End == nil {
		w.End = w.Reserve(len(w.text))
	}
	if w.End != nil {
		return ""
	}
	text := string(w.text)
	w.text = w.text[:0]
	return text
}

// expression returns the multiset of an arc of t, such as 2'(x, y++) + (z, all C). A
// coefficient of 1 is left out, and the colour of a black token is a dot.
func (w *texts) expression(e symmetric.Expression, t *symmetric.Transition, domain symmetric.Domain) string {
	for k, m := range e {
		coefficient := strconv.FormatInt(m.Coefficient, 10)
		switch {
		case k > 0 && m.Coefficient < 0:
			w.add(" − ")
			coefficient = coefficient[1:]
		case k > 0:
			w.add(" + ")
		}
		if m.Coefficient != 1 {
			w.add(coefficient + "'")
		}
		if len(m.Terms) == 0 {
			w.add("•")
			continue
		}
		if len(m.Terms) > 1 {
			w.add("(")
		}
		for i, term := range m.Terms {
			if i > 0 {
				w.add(", ")
			}
			w.term(term, t, domain[i])
		}
		if len(m.Terms) > 1 {
			w.add(")")
		}
	}
	return w.take()
}

// term adds a colour, a variable with the steps that it goes on, or all colours.
func (w *texts) term(term symmetric.Term, t *symmetric.Transition, class *symmetric.Class) {
	switch term.Kind {
	case symmetric.Constant:
		w.add(class.Colour(term.Value))
		return
	case symmetric.All:
		w.add("all ")
		w.add(class.Name)
		return
	}
	w.add(t.Variables[term.Variable].Name)
	switch size := t.Variables[term.Variable].Class.Size; {
	case term.Value == 0:
	case term.Value == 1:
		w.add("++")
	case term.Value == size-1:
		w.add("−−")
	default:
		w.add("+" + strconv.FormatInt(term.Value, 10))
	}
}

// guard returns the condition on the variables of t.
func (w *texts) guard(g *symmetric.Guard, t *symmetric.Transition) string {
	w.condition(g, t)
	return w.take()
}

// condition adds a part of a guard.
func (w *texts) condition(g *symmetric.Guard, t *symmetric.Transition) {
	switch g.Operator {
	case symmetric.Equal:
		w.comparison(g, " = ", t)
		return
	case symmetric.Less:
		w.comparison(g, " < ", t)
		return
	case symmetric.AtMost:
		w.comparison(g, " ≤ ", t)
		return
	case symmetric.Not:
		if o := g.Operands[0]; o.Operator == symmetric.Equal {
			w.comparison(o, " ≠ ", t)
			return
		}
		w.add("not (")
		w.condition(g.Operands[0], t)
		w.add(")")
		return
	}
	joint, none := " and ", "true"
	if g.Operator == symmetric.Or {
		joint, none = " or ", "false"
	}
	if len(g.Operands) == 0 {
		w.add(none)
	}
	for i, o := range g.Operands {
		if i > 0 {
			w.add(joint)
		}
		if (o.Operator == symmetric.And || o.Operator == symmetric.Or) && len(g.Operands) > 1 {
			w.add("(")
			w.condition(o, t)
			w.add(")")
		} else {
			w.condition(o, t)
		}
	}
}

// comparison adds the two operands of a comparison with a sign between them.
func (w *texts) comparison(g *symmetric.Guard, sign string, t *symmetric.Transition) {
	w.operand(g.Left, t)
	w.add(sign)
	w.operand(g.Right, t)
}

// operand adds a side of a comparison.
func (w *texts) operand(o symmetric.Operand, t *symmetric.Transition) {
	if o.Element != nil {
		w.add("part(")
	}
	w.term(o.Term, t, o.Class)
	if o.Element != nil {
		w.add(")")
	}
}
