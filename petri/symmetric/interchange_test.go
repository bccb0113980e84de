package symmetric

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/automatatest"
)

// naiveInterchangeable is the naive twin of interchangeable: it writes down guard and arcs for each
// two variables.
func (t *Transition) naiveInterchangeable() [][]int {
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

// TestInterchangeableOfRandomTransitions compares groups with those of the naive twin.
func TestInterchangeableOfRandomTransitions(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		net := randomTransition(t)
		if rapid.Bool().Draw(t, "net") {
			net = randomNet(t)
		}
		for i := range net.Transitions {
			tr := &net.Transitions[i]
			if rapid.Bool().Draw(t, "symmetric") { // each conjunct and arc with all variables in its place
				tr = symmetrized(tr)
			}
			got, want := fmt.Sprint(tr.interchangeable(unlimited)), fmt.Sprint(tr.naiveInterchangeable())
			if got != want {
				t.Fatalf("groups %v, want %v: %+v", got, want, tr)
			}
			if want != "[]" {
				found++
			}
		}
	})
	if found < 10 {
		t.Errorf("only %d groups were found", found)
	}
}

// symmetrized adds to a transition its guard and arcs with the first two variables exchanged.
func symmetrized(t *Transition) *Transition {
	if len(t.Variables) < 2 || t.Variables[0].Class != t.Variables[1].Class {
		return t
	}
	term := func(t Term) Term {
		if t.Kind == Variable && t.Variable < 2 {
			t.Variable = 1 - t.Variable
		}
		return t
	}
	var guard func(g *Guard) *Guard
	guard = func(g *Guard) *Guard {
		h := *g
		h.Left.Term, h.Right.Term, h.Operands = term(g.Left.Term), term(g.Right.Term), nil
		for _, o := range g.Operands {
			h.Operands = append(h.Operands, guard(o))
		}
		return &h
	}
	arcs := func(list []Arc) []Arc {
		list = slices.Clone(list)
		for _, a := range list {
			b := Arc{Place: a.Place}
			for _, m := range a.Expression {
				n := Monomial{Coefficient: m.Coefficient}
				for _, t := range m.Terms {
					n.Terms = append(n.Terms, term(t))
				}
				b.Expression = append(b.Expression, n)
			}
			list = append(list, b)
		}
		return list
	}
	s := &Transition{ID: t.ID, Variables: t.Variables, Pre: arcs(t.Pre), Post: arcs(t.Post)}
	if t.Guard != nil {
		s.Guard = &Guard{Operator: And, Operands: []*Guard{t.Guard, guard(t.Guard)}}
	}
	return s
}

// TestInterchangesWithinLimits: looking for variables that can change places ends with the context,
// also in one large disjunction, and writes down only what has the two variables.
func TestInterchangesWithinLimits(t *testing.T) {
	class := &Class{Name: "c", Size: 100}
	wide := &Transition{Variables: []VariableDeclaration{{"x", class}, {"y", class}}, Guard: &Guard{Operator: Or}}
	for i := range 5000 {
		wide.Guard.Operands = append(wide.Guard.Operands, &Guard{Operator: Less,
			Left: Operand{Term: Term{Variable, i % 2, 0}, Class: class}, Right: Operand{Term: Term{Variable, 1 - i%2, 0}, Class: class}})
	}
	automatatest.EndsAtEachLook(t, "disjunction", 8, func(ctx context.Context) (any, error) {
		meter := account.Meter{Account: account.Of(ctx)}
		limits := planLimits{func(work int) bool { return meter.Asked(work * planWork) }, func(int) bool { return true }}
		return wide.interchangeable(limits), meter.End
	})
	work := 0
	limits := planLimits{func(w int) bool { work += w; return true }, func(int) bool { return true }}
	ring := &manyVariables(200, true, true).Transitions[0]
	ring.Guard = ring.Guard.Operands[0]
	if groups := ring.interchangeable(limits); len(groups) != 0 {
		t.Errorf("groups %v of a ring", groups)
	}
	if most := 200 * 200 / 2 * 1000; work > most {
		t.Errorf("%d was looked at for pairs of 200 variables, expected at most %d", work, most)
	}
}
