package logic

import (
	"slices"
	"strconv"
	"strings"

	"pnmc/internal/arithmetic"
	"pnmc/logic/internal/reading"
)

// Text writes p in the syntax of the Model Checking Contest's text files, with
// the identifiers of v in double quotes: is-fireable("t"),
// tokens-count("p", "q") <= 3, and ! & | <-> for connectives. ParsePredicate
// reads it as a predicate equal to p, provided that p came from ParsePredicate or
// Simplify and that v finds each identifier it gives.
//
// A comparison is kept as a polynomial that is compared with 0. Text brings what is negative to
// the other side, as nobody writes negative numbers of tokens. For example, 2 p - q - 3 <= 0
// becomes 2 * tokens-count("p") <= tokens-count("q") + 3. Places with the coefficient 1 or -1
// share one tokens-count. If a polynomial that is at most 0 has no positive terms, both sides
// change places: 2 - p <= 0 becomes tokens-count("p") >= 2.
func (p *Predicate) Text(v Vocabulary) string {
	var w predicateWriter
	w.vocabulary = v
	w.write(p, false)
	return w.String()
}

type predicateWriter struct {
	strings.Builder
	vocabulary Vocabulary
}

// write writes p, in parentheses if tight and p joins operands.
func (w *predicateWriter) write(p *Predicate, tight bool) {
	switch p.Operator {
	case False:
		w.WriteString("false")
	case True:
		w.WriteString("true")
	case Not:
		if o := p.Operands[0].Operator; o == Equal || o == PolynomialEqual {
			w.writeComparison(p.Operands[0].Polynomial(), " != ")
			return
		}
		w.WriteString("!")
		w.write(p.Operands[0], true)
	case And:
		w.join(p.Operands, " & ", "true", tight)
	case Or:
		w.join(p.Operands, " | ", "false", tight)
	case Equivalent:
		w.join(p.Operands, " <-> ", "true", tight)
	case AtMost, Equal, PolynomialAtMost, PolynomialEqual:
		operator := " == "
		if p.Operator == AtMost || p.Operator == PolynomialAtMost {
			operator = " <= "
		}
		if tight {
			w.WriteString("(")
		}
		w.writeComparison(p.Polynomial(), operator)
		if tight {
			w.WriteString(")")
		}
	case Fireable:
		if len(p.Transitions) == 0 {
			w.WriteString("false")
			return
		}
		w.WriteString("is-fireable(")
		for i, t := range p.Transitions {
			w.writeName(i, w.vocabulary.TransitionName(t))
		}
		w.WriteString(")")
	case Deadlocked:
		w.WriteString("deadlock")
	}
}

// join writes operands with a connective between them, or what none of them is.
func (w *predicateWriter) join(operands []*Predicate, connective, none string, tight bool) {
	switch len(operands) {
	case 0:
		w.WriteString(none)
		return
	case 1:
		w.write(operands[0], tight)
		return
	}
	if tight {
		w.WriteString("(")
	}
	for i, o := range operands {
		if i > 0 {
			w.WriteString(connective)
		}
		joins := o.Operator == And || o.Operator == Or || o.Operator == Equivalent
		w.write(o, joins && len(o.Operands) > 1)
	}
	if tight {
		w.WriteString(")")
	}
}

// writeComparison compares the positive part of p with the negative one.
func (w *predicateWriter) writeComparison(p Polynomial, operator string) {
	positive, negative := w.side(p, 1), w.side(p, -1)
	if operator == " <= " && !slices.ContainsFunc(p.Sum.Terms, func(t Term) bool { return t.Coefficient > 0 }) &&
		!slices.ContainsFunc(p.Products, func(f Product) bool { return f.Coefficient > 0 }) {
		positive, operator, negative = negative, " >= ", positive
	}
	w.WriteString(positive + operator + negative)
}

// side returns the sum of what has the given sign in p.
func (w *predicateWriter) side(p Polynomial, sign int64) string {
	s := p.Sum
	var single []Term
	var parts []string
	for _, t := range s.Terms {
		switch {
		case t.Coefficient == sign:
			single = append(single, t)
		case t.Coefficient > 0 == (sign > 0):
			var n predicateWriter
			n.writeName(0, w.vocabulary.PlaceName(t.Place))
			parts = append(parts, strconv.FormatUint(arithmetic.Magnitude(t.Coefficient), 10)+" * tokens-count("+n.String()+")")
		}
	}
	if len(single) > 0 {
		n := predicateWriter{}
		for i, t := range single {
			n.writeName(i, w.vocabulary.PlaceName(t.Place))
		}
		parts = append([]string{"tokens-count(" + n.String() + ")"}, parts...)
	}
	for _, f := range p.Products {
		if f.Coefficient > 0 == (sign > 0) {
			parts = append(parts, w.product(f))
		}
	}
	if len(parts) == 0 || s.Constant != 0 && s.Constant > 0 == (sign > 0) {
		constant := uint64(0)
		if s.Constant > 0 == (sign > 0) {
			constant = arithmetic.Magnitude(s.Constant)
		}
		parts = append(parts, strconv.FormatUint(constant, 10))
	}
	return strings.Join(parts, " + ")
}

// product returns p with a positive coefficient.
func (w *predicateWriter) product(p Product) string {
	var factors []string
	if n := arithmetic.Magnitude(p.Coefficient); n != 1 {
		factors = append(factors, strconv.FormatUint(n, 10))
	}
	for _, f := range p.Factors {
		factors = append(factors, w.factor(f))
	}
	return strings.Join(factors, " * ")
}

// factor returns a sum whose first coefficient is positive, in parentheses unless it is but places.
func (w *predicateWriter) factor(s Sum) string {
	var n predicateWriter
	if s.Constant == 0 && !slices.ContainsFunc(s.Terms, func(t Term) bool { return t.Coefficient != 1 }) {
		n.WriteString("tokens-count(")
		for i, t := range s.Terms {
			n.writeName(i, w.vocabulary.PlaceName(t.Place))
		}
		n.WriteString(")")
		return n.String()
	}
	sign := func(negative bool) {
		if negative {
			n.WriteString(" - ")
		} else {
			n.WriteString(" + ")
		}
	}
	n.WriteString("(")
	for i, t := range s.Terms {
		if i > 0 {
			sign(t.Coefficient < 0)
		}
		if m := arithmetic.Magnitude(t.Coefficient); m != 1 {
			n.WriteString(strconv.FormatUint(m, 10) + " * ")
		}
		n.WriteString("tokens-count(")
		n.writeName(0, w.vocabulary.PlaceName(t.Place))
		n.WriteString(")")
	}
	if s.Constant != 0 {
		sign(s.Constant < 0)
		n.WriteString(strconv.FormatUint(arithmetic.Magnitude(s.Constant), 10))
	}
	n.WriteString(")")
	return n.String()
}

// writeName writes the i-th name of a list.
func (w *predicateWriter) writeName(i int, name string) {
	if i > 0 {
		w.WriteString(", ")
	}
	w.WriteString(`"` + reading.Escapes.Get().Replace(name) + `"`)
}
