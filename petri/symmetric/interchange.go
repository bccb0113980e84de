package symmetric

import (
	"fmt"
	"slices"
	"strings"
)

// interchangeable lists groups of variables of t that can change places without
// changing guard or arcs: bindings that differ by that only do the same, so that
// one of them, with ascending colours, is enough. Groups have at least two
// members, ascending. It takes the square of the variables times the length of guard
// and arcs; where look, which is told of that work, tells to end, groups are missing.
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

func termTexts(terms []Term, names []int) []string {
	var list []string
	for _, term := range terms {
		list = append(list, term.text(names))
	}
	return list
}

func (t Term) text(names []int) string {
	if t.Kind == Variable {
		return fmt.Sprint("x", names[t.Variable], "+", t.Value)
	}
	return fmt.Sprint("k", t.Kind, ":", t.Value)
}

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
