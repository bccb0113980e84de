package symmetric

import (
	"slices"
	"testing"
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
	} {
		for _, merge := range []bool{false, true} {
			net := &Net{
				Places: []Place{{ID: "p", Domain: Domain{class}, Initial: Expression{{1, []Term{{Value: 7}}}}}},
				Transitions: []Transition{{ID: "t", Guard: c.guard, Pre: []Arc{{0, Expression{{1, []Term{x}}}}},
					Variables: []VariableDeclaration{{"x", class}, {"y", class}}}},
			}
			u, err := Unfold(t.Context(), net, Options{MaxNodes: 1000, Merge: merge})
			if err != nil {
				t.Errorf("%+v: %v", c.guard, err)
			} else if got := len(u.Transitions[0]); got != c.want && !(merge && c.want > 0 && got > 0 && got <= c.want) {
				t.Errorf("%+v, merge %v: got %d bindings, want %d", c.guard, merge, got, c.want)
			}
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
