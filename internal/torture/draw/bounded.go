package draw

import (
	"fmt"
	"strings"

	"pnmc/internal/torture/twin"
)

// boundedFormula has operators over ranges of steps. F[1:2] f is X f | X X f, so that a short text is
// a long formula: small ones are for the twin, which gets them written out. Others have operands of
// thousands of propositions, thousands of operators side by side, or ones within one another.
func boundedFormula(s Source, atoms []*twin.Atom) *Formula {
	if s.Chance(0.4) {
		return smallBounded(s, atoms, s.Between(1, 2))
	}
	bounded := func(most int) string {
		return fmt.Sprintf("%s[%d:%d]", Pick(s, "F", "G"), Pick(s, 0, 0, 1, 2), s.Magnitude(2, most))
	}
	switch s.IntN(3) {
	case 0:
		return &Formula{Text: bounded(1000) + "((" + strings.Join(variants(s, atoms, s.Magnitude(10, 25_000)), ")"+Pick(s, "|", "&")+"(") + "))"}
	case 1:
		var list []string
		for _, x := range variants(s, atoms, s.Magnitude(10, 600)) {
			list = append(list, bounded(1000)+"("+x+")")
		}
		return &Formula{Text: strings.Join(list, Pick(s, " & ", " | "))}
	}
	depth := s.Magnitude(2, 200)
	text := strings.Join(variants(s, atoms, s.Magnitude(1, 30)), Pick(s, " | ", " & "))
	for range depth {
		text = bounded(20) + "(" + text + ")"
	}
	return &Formula{Text: text}
}

// smallBounded draws a formula of a few bounded operators, at most so many within one another.
func smallBounded(s Source, atoms []*twin.Atom, depth int) *Formula {
	if depth == 0 {
		f := LTL(s, atoms, s.Between(1, 2))
		return &Formula{Text: f.LTL(), Twin: f}
	}
	operand := smallBounded(s, atoms, depth-1)
	name, op := "F", twin.Or
	if s.Chance(0.5) {
		name, op = "G", twin.And
	}
	first := s.IntN(2)
	last := first + s.IntN(3)
	text := fmt.Sprintf("%s[%d:%d](%s)", name, first, last, operand.Text)
	return &Formula{Text: text, Twin: within(op, operand.Twin, first, last)}
}

// within returns f, joined by an operator, after each number of steps from first to last.
func within(op twin.Op, f *twin.Formula, first, last int) *twin.Formula {
	g := f
	for range last - first {
		g = twin.Binary(op, f, twin.Unary(twin.Next, g))
	}
	for range first {
		g = twin.Unary(twin.Next, g)
	}
	return g
}

// variants returns n propositions that differ, as formulas: names with numbers, or one of the atoms or
// what is never true.
func variants(s Source, atoms []*twin.Atom, n int) []string {
	names := make([]string, n)
	for i := range names {
		if a := Pick(s, atoms...); a.Name != "" {
			names[i] = fmt.Sprintf("%s%d", a.Name, i)
		} else {
			names[i] = fmt.Sprintf("\"(%s) | %d <= %d\"", strings.ReplaceAll(a.Text(), `"`, `\"`), i+1, i)
		}
	}
	return names
}

// longList returns a proposition that names transitions thousands of times, or a sum of places; none if
// the atom names neither.
func longList(s Source, a *twin.Atom) string {
	n := s.Magnitude(100, 10_000)
	long := *a
	repeat := func(names []string) (list []string) {
		for range n {
			list = append(list, names...)
		}
		return list
	}
	switch {
	case a.Fireable != nil:
		long.Fireable = repeat(a.Fireable)
	case len(a.Less) > 0:
		long.Less = repeat(a.Less)
	case len(a.More) > 0:
		long.More = repeat(a.More)
	default:
		return ""
	}
	return long.Quoted()
}
