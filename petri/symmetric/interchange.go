package symmetric

import (
	"fmt"
	"slices"
	"strings"
)

// interchangeable returns groups of variables of t that can change places without changing guard or
// arcs. Bindings that differ only by that do the same, so that one of them, with ascending colours,
// is enough. For example, if t takes x and y from p and its guard is x ≠ y, the bindings (1, 2) and
// (2, 1) do the same. With k variables in a group there are up to k! bindings that become one.
//
// Two variables can change places if the guard and the arcs, written down in an order that does not
// depend on how they were written, are the same text with the two names exchanged. That overlooks
// some, but never takes two that differ.
//
// Groups have at least two members, ascending. It takes the square of the variables times the
// length of guard and arcs. look is called with that work; if it reports false, groups may be
// missing.
func (t *Transition) interchangeable(look func(work int) bool) [][]int {
	var groups [][]int
	grouped := make([]bool, len(t.Variables))
	names := make([]int, len(t.Variables))
	for i := range names {
		names[i] = i
	}
	original := ""
	for i := range t.Variables {
		if grouped[i] {
			continue
		}
		group := []int{i}
		for j := i + 1; j < len(t.Variables); j++ {
			if grouped[j] || t.Variables[i].Class != t.Variables[j].Class {
				continue
			}
			if original == "" {
				original = t.text(names)
			}
			names[i], names[j] = j, i
			if t.text(names) == original {
				group = append(group, j)
				grouped[j] = true
			}
			names[i], names[j] = i, j
			if !look(len(original)) {
				return groups
			}
		}
		if len(group) > 1 {
			groups = append(groups, group)
		}
	}
	return groups
}

// text writes guard and arcs with other numbers for variables, in an order that
// does not depend on how they are written down.
func (t *Transition) text(names []int) string {
	arcs := func(list []Arc) string {
		var parts []string
		for _, a := range list {
			for _, m := range a.Expression {
				parts = append(parts, fmt.Sprint(a.Place, m.Coefficient, termTexts(m.Terms, names)))
			}
		}
		slices.Sort(parts)
		return strings.Join(parts, "+")
	}
	return t.Guard.text(names) + "|" + arcs(t.Pre) + "|" + arcs(t.Post)
}

// termTexts returns the texts of terms.
func termTexts(terms []Term, names []int) []string {
	var list []string
	for _, term := range terms {
		list = append(list, term.text(names))
	}
	return list
}

// text writes a term with other numbers for variables.
func (t Term) text(names []int) string {
	if t.Kind == Variable {
		return fmt.Sprint("x", names[t.Variable], "+", t.Value)
	}
	return fmt.Sprint("k", t.Kind, ":", t.Value)
}

// text writes a guard with other numbers for variables. Operands of And, Or and Equal are sorted.
func (g *Guard) text(names []int) string {
	if g == nil {
		return ""
	}
	if g.Operator >= Equal {
		sides := []string{g.Left.text(names), g.Right.text(names)}
		for i, o := range []*Operand{&g.Left, &g.Right} {
			if o.Element != nil {
				sides[i] += fmt.Sprintf("in%p", o.Element) // one partition, one slice
			}
		}
		if g.Operator == Equal {
			slices.Sort(sides)
		}
		return fmt.Sprint(g.Operator, sides)
	}
	var parts []string
	for _, o := range g.Operands {
		parts = append(parts, o.text(names))
	}
	slices.Sort(parts)
	return fmt.Sprint(g.Operator, parts)
}
