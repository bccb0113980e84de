package induction

import (
	"strconv"
	"strings"

	"pnmc/logic"
	"pnmc/petri"
)

// writer writes SMT-LIB of comparisons over places, whose names it gets.
type writer struct {
	strings.Builder
	name func(place uint32) string
}

// integer writes n.
func (w *writer) integer(n int64) {
	if n < 0 {
		w.WriteString("(- " + strconv.FormatUint(-uint64(n), 10) + ")")
		return
	}
	w.WriteString(strconv.FormatInt(n, 10))
}

// comparison writes that s, with operator <= or =, compares so with 0.
func (w *writer) comparison(operator string, s logic.Sum) {
	w.WriteString("(" + operator + " (+ 0 0")
	for _, t := range s.Terms {
		if t.Coefficient == 1 {
			w.WriteString(" " + w.name(t.Place))
			continue
		}
		w.WriteString(" (* ")
		w.integer(t.Coefficient)
		w.WriteString(" " + w.name(t.Place) + ")")
	}
	w.WriteByte(' ')
	w.integer(s.Constant)
	w.WriteString(") 0)")
}

// Neutral operands come first, as each operator needs two.

// conjunction writes that all sums are at most 0.
func (w *writer) conjunction(list []logic.Sum) {
	w.WriteString("(and true true")
	for _, s := range list {
		w.WriteByte(' ')
		w.comparison("<=", s)
	}
	w.WriteByte(')')
}

// predicate writes p, which is over places and has no products.
func (w *writer) predicate(p *logic.Predicate) {
	switch p.Operator {
	case logic.True:
		w.WriteString("true")
	case logic.AtMost:
		w.comparison("<=", p.Sum)
	case logic.Equal:
		w.comparison("=", p.Sum)
	case logic.Not:
		w.operands("not", p.Operands)
	case logic.And:
		w.operands("and true true", p.Operands)
	case logic.Or:
		w.operands("or false false", p.Operands)
	case logic.Equivalent:
		w.operands("=", p.Operands)
	default:
		w.WriteString("false")
	}
}

// operands writes an operator with its operands.
func (w *writer) operands(operator string, list []*logic.Predicate) {
	w.WriteString("(" + operator)
	for _, p := range list {
		w.WriteByte(' ')
		w.predicate(p)
	}
	w.WriteByte(')')
}

// flowText returns that a place invariant holds.
func flowText(name func(uint32) string, f petri.Semiflow) string {
	s := logic.Sum{Constant: -f.Value}
	for _, a := range f.Terms {
		s.Terms = append(s.Terms, logic.Term{Place: uint32(a.Place), Coefficient: a.Weight})
	}
	return text(name, func(w *writer) { w.comparison("=", s) })
}

// text returns what write writes of places that are called by name.
func text(name func(place uint32) string, write func(w *writer)) string {
	w := writer{name: name}
	write(&w)
	return w.String()
}

// placeName returns the name of a place where there is one marking.
func placeName(place uint32) string { return "p" + strconv.Itoa(int(place)) }
