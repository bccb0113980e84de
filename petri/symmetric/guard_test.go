package symmetric

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestComparisonsNarrow counts the bindings of y in a range too large to
// enumerate, x being the colour with number 7: comparisons bound y before it runs
// through its class.
func TestComparisonsNarrow(t *testing.T) {
	class := &Class{Name: "R", Size: 1 << 40}
	x, y, five := Term{Variable, 0, 0}, Term{Variable, 1, 0}, Term{Constant, 0, 5}
	last := Term{Constant, 0, class.Size - 3}
	compare := func(operator Operator, l, r Term) *Guard {
		return &Guard{Operator: operator, Left: Operand{Term: l, Class: class}, Right: Operand{Term: r, Class: class}}
	}
	and := func(operands ...*Guard) *Guard { return &Guard{Operator: And, Operands: operands} }
	or := func(operands ...*Guard) *Guard { return &Guard{Operator: Or, Operands: operands} }
	not := negated
	for _, c := range []struct {
		guard *Guard
		want  int
	}{
		{compare(Less, y, x), 7},
		{compare(AtMost, y, x), 8},
		{compare(Less, last, y), 2},
		{compare(AtMost, last, y), 3},
		{and(compare(Less, y, x), compare(Less, five, y)), 1},
		{and(compare(AtMost, y, x), compare(AtMost, five, y)), 3},
		{and(compare(Less, y, five), compare(Less, x, y)), 0},
		{and(compare(Less, y, y), compare(Less, y, five)), 0},
		{and(compare(AtMost, y, y), compare(Less, y, five)), 5},
		{not(compare(AtMost, x, y)), 7},
		{not(not(compare(Equal, y, x))), 1},
		{or(compare(Equal, y, five), compare(AtMost, y, x), compare(Less, x, five)), 8},
		{not(or(compare(Less, five, y), not(compare(Less, y, x)))), 6},
		{not(or(not(compare(Equal, y, five)), compare(Less, y, x))), 0},
		{or(and(compare(Equal, x, five), compare(AtMost, five, y)), and(not(compare(Less, x, five)), compare(Equal, y, x))), 1},
	} {
		for _, merge := range []bool{false, true} {
			net := &Net{
				Places: []Place{{ID: "p", Domain: Domain{class}, Initial: Expression{{1, []Term{{Value: 7}}}}}},
				Transitions: []Transition{{ID: "t", Guard: c.guard, Pre: []Arc{{0, Expression{{1, []Term{x}}}}},
					Variables: []VariableDeclaration{{"x", class}, {"y", class}}}},
			}
			u, err := net.Unfold(t.Context(), Options{MaxNodes: 1000, Merge: merge})
			if err != nil {
				t.Errorf("%+v: %v", c.guard, err)
			} else if got := len(u.Transitions[0]); got != c.want && !(merge && c.want > 0 && got > 0 && got <= c.want) {
				t.Errorf("%+v, merge %v: got %d bindings, want %d", c.guard, merge, got, c.want)
			}
		}
	}
}

func negated(g *Guard) *Guard { return &Guard{Operator: Not, Operands: []*Guard{g}} }

// TestDisjunctionsPruneWhileBinding counts the bindings of three variables of a large
// class, of which a disjunction admits two: it is cut down to the variables that are
// bound, so that not all triples are looked at.
func TestDisjunctionsPruneWhileBinding(t *testing.T) {
	class := &Class{Name: "R", Size: 2000}
	is := func(variable int, colour int64) *Guard {
		return &Guard{Operator: Equal, Left: Operand{Term: Term{Variable, variable, 0}, Class: class}, Right: Operand{Term: Term{Value: colour}, Class: class}}
	}
	either := &Guard{Operator: Or}
	for _, first := range []int64{3, 1500} {
		either.Operands = append(either.Operands, &Guard{Operator: And, Operands: []*Guard{is(0, first), is(1, first+1), is(2, first+2)}})
	}
	net := &Net{Transitions: []Transition{{ID: "t", Guard: either, Variables: []VariableDeclaration{{"x", class}, {"y", class}, {"z", class}}}}}
	u, err := net.Unfold(t.Context(), Options{MaxNodes: 100}) // 20,000 steps of binding
	if err != nil || len(u.Transitions[0]) != 2 {
		t.Errorf("got %+v, %v, want 2 bindings", u, err)
	}
}

// TestNormalGuards compares random guards with their conjuncts in all bindings of three
// variables, with what these say of some of the variables, and with the limits that
// these set to one.
func TestNormalGuards(t *testing.T) {
	const variables, size = 3, 3
	class := &Class{Name: "C", Size: size, Cyclic: true}
	rapid.Check(t, func(t *rapid.T) {
		below := func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) }
		operand := func() Operand {
			if below(3, "constant") == 0 {
				return Operand{Term: Term{Value: int64(below(size, "colour"))}, Class: class}
			}
			return Operand{Term: Term{Variable, below(variables, "variable"), int64(below(size, "steps"))}, Class: class}
		}
		compare := func(g *Guard) { g.Left, g.Right = operand(), operand() }
		g := randomGuard(below, 3, 4, compare)
		if rapid.Bool().Draw(t, "disjunction of conjunctions") {
			g = &Guard{Operator: Or}
			for range 2 {
				g.Operands = append(g.Operands, &Guard{Operator: And, Operands: []*Guard{randomGuard(below, 0, 0, compare), randomGuard(below, 0, 0, compare)}})
			}
		}
		bound := []bool{rapid.Bool().Draw(t, "x"), rapid.Bool().Draw(t, "y"), rapid.Bool().Draw(t, "z")}
		one := below(variables, "narrowed")
		conjuncts := g.Conjuncts()
		names, dates := []int{0, 1, 2}, []int32{1, 1, 1}
		for v := range dates {
			if bound[v] {
				dates[v] = 0
			}
		}
		if got, want := (&Guard{Operands: conjuncts}).text(names), (&Guard{Operands: naiveConjuncts(g)}).text(names); got != want {
			t.Fatalf("conjuncts %v, want %v", got, want)
		}
		each([]int64{size, size, size}, func(binding []int64) {
			all := true
			for _, c := range conjuncts {
				holds := c.Holds(binding)
				all = all && holds
				whole := (&dating{dates: dates}).of(c)
				part := whole.said(0)
				says := whole.date == 0
				if says != (c.within(bound) != nil) || says && part.text(names) != c.within(bound).text(names) {
					t.Fatalf("%v says %v of the variables %v, want %v", c.text(names), part.text(names), bound, c.within(bound))
				}
				if says && whole.holds(binding, 0) != part.Holds(binding) {
					t.Fatalf("%v at first is not %v for %v", c.text(names), part.text(names), binding)
				}
				if says && holds && !part.Holds(binding) {
					t.Fatalf("%v holds for %v, but not what it says of the variables %v", c.text(names), binding, bound)
				}
				if says {
					used := make([]bool, variables)
					part.mark(used)
					for v := range used {
						if used[v] && !bound[v] {
							t.Fatalf("%v is to speak of %v only", part.text(names), bound)
						}
					}
				}
				if (whole.date == never || whole.holds(binding, 1)) != holds {
					t.Fatalf("%v differs from what it says of all variables for %v", c.text(names), binding)
				}
				if whole.date == never {
					continue
				}
				low, high := whole.narrow(one, binding, 0, size, 1)
				if holds && (binding[one] < low || binding[one] >= high) {
					t.Fatalf("%v holds for %v, but narrows variable %d to %d..%d", c.text(names), binding, one, low, high-1)
				}
				if l, h := whole.said(1).naiveNarrow(one, binding, 0, size); l != low || h != high {
					t.Fatalf("%v narrows variable %d to %d..%d for %v, want %d..%d", c.text(names), one, low, high-1, binding, l, h-1)
				}
			}
			if all != g.Holds(binding) {
				t.Fatalf("%v and its conjuncts differ for %v", g.text([]int{0, 1, 2}), binding)
			}
		})
	})
}

// mark marks the variables that g reads.
func (g *Guard) mark(used []bool) {
	for _, o := range g.Operands {
		o.mark(used)
	}
	for _, o := range []Operand{g.Left, g.Right} {
		if g.Operator >= Equal && o.Kind == Variable {
			used[o.Variable] = true
		}
	}
}

// TestNarrowKeepsWhatHolds compares the limits with all colours of a small cyclic
// class, steps and partitions among the operands.
func TestNarrowKeepsWhatHolds(t *testing.T) {
	const size = 4
	class := &Class{Name: "C", Size: size, Cyclic: true}
	var operands []Operand
	for value := range int64(size) {
		for variable := range 2 {
			operands = append(operands, Operand{Term: Term{Variable, variable, value}, Class: class})
		}
		operands = append(operands, Operand{Term: Term{Constant, 0, value}, Class: class})
	}
	operands = append(operands, Operand{Term: Term{Variable, 0, 0}, Class: class, Element: []int64{1, 0, 1, 2}})
	for _, operator := range []Operator{Equal, Less, AtMost} {
		for _, left := range operands {
			for _, right := range operands {
				g := &Guard{Operator: operator, Left: left, Right: right}
				for other := range int64(size) {
					low, high := g.narrow(0, []int64{0, other}, 0, size)
					var holds []int64
					for colour := range int64(size) {
						if g.Holds([]int64{colour, other}) {
							holds = append(holds, colour)
						}
					}
					if len(holds) > 0 && (slices.Min(holds) < low || slices.Max(holds) >= high) {
						t.Fatalf("%+v with %d: holds for %v, narrowed to %d..%d", g, other, holds, low, high-1)
					}
				}
			}
		}
	}
}
