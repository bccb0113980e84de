package replay

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/petri/symmetric"
)

// randomGuard draws a guard over some variables of a class, with operators nested to a depth.
func randomGuard(t *rapid.T, class *symmetric.Class, variables, depth int) *symmetric.Guard {
	below := func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) }
	operand := func() symmetric.Operand {
		if below(3, "constant") == 0 {
			return symmetric.Operand{Term: symmetric.Term{Value: int64(below(int(class.Size), "colour"))}, Class: class}
		}
		steps := 0
		if below(2, "stepping") == 0 {
			steps = below(int(class.Size), "steps")
		}
		return symmetric.Operand{Term: symmetric.Term{Kind: symmetric.Variable, Variable: below(variables, "variable"), Value: int64(steps)}, Class: class}
	}
	g := &symmetric.Guard{Operator: symmetric.Operator(below(6, "operator"))}
	if depth == 0 {
		g.Operator = symmetric.Equal + symmetric.Operator(below(3, "comparison"))
	}
	operands := 1
	switch g.Operator {
	case symmetric.And, symmetric.Or:
		operands = below(4, "operands")
	case symmetric.Not:
	default:
		g.Left, g.Right = operand(), operand()
		return g
	}
	for range operands {
		g.Operands = append(g.Operands, randomGuard(t, class, variables, depth-1))
	}
	return g
}

// TestLimitsKeepBindings compares the limits that a guard sets to a variable, where some others are bound, with
// all bindings: none is outside that gives the guard the wanted truth, and what is known so far is so in all.
func TestLimitsKeepBindings(t *testing.T) {
	const variables, size = 3, 3
	class := &symmetric.Class{Name: "C", Size: size, Cyclic: true}
	narrowed, told := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		g := randomGuard(t, class, variables, 3)
		bound := []bool{rapid.Bool().Draw(t, "x"), rapid.Bool().Draw(t, "y"), rapid.Bool().Draw(t, "z")}
		one := rapid.IntRange(0, variables-1).Draw(t, "narrowed")
		for i := range size * size * size {
			binding := []int64{int64(i / size / size), int64(i / size % size), int64(i % size)}
			partial := slices.Clone(binding)
			for v := range partial {
				if v == one || !bound[v] {
					partial[v] = unbound
				}
			}
			truth := g.Holds(binding)
			low, high := between(g, one, truth, partial, 0, size)
			if binding[one] < low || binding[one] >= high {
				t.Fatalf("%v for %v, but variable %d is to be in %d..%d where %v", truth, binding, one, low, high-1, partial)
			}
			if high-low < size {
				narrowed++
			}
			if holds, known := soFar(g, partial); known && holds != truth {
				t.Fatalf("%v for %v, but known as %v where %v", truth, binding, holds, partial)
			} else if known {
				told++
			}
		}
	})
	if narrowed == 0 || told == 0 {
		t.Errorf("%d limits were narrowed, and %d truths were known", narrowed, told)
	}
}
