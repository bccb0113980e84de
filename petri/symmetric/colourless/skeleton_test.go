package colourless

import (
	"math"
	"testing"

	"pnmc/petri/symmetric"
)

// TestNotExact has a transition for each reason why colours matter.
func TestNotExact(t *testing.T) {
	class, dot := &symmetric.Class{Name: "C", Size: 2}, &symmetric.Class{Name: "D", Size: 1}
	x, y, both := symmetric.Term{Kind: symmetric.Variable}, symmetric.Term{Kind: symmetric.Variable, Variable: 1}, symmetric.Term{Kind: symmetric.All}
	one := func(terms ...symmetric.Term) symmetric.Expression {
		return symmetric.Expression{{Coefficient: 1, Terms: terms}}
	}
	variables := []symmetric.VariableDeclaration{{Name: "x", Class: class}, {Name: "y", Class: class}}
	for _, c := range []struct {
		why  string
		t    symmetric.Transition
		want bool
	}{
		{"nothing against it", symmetric.Transition{Pre: []symmetric.Arc{{Place: 0, Expression: one(x)}, {Place: 1, Expression: one(y)}}}, true},
		{"any number of dots", symmetric.Transition{Pre: []symmetric.Arc{{Place: 2, Expression: symmetric.Expression{{Coefficient: 2, Terms: []symmetric.Term{{}}}, {Coefficient: 1, Terms: []symmetric.Term{both}}}}, {Place: 2, Expression: one(symmetric.Term{})}}}, true},
		{"a step", symmetric.Transition{Pre: []symmetric.Arc{{Place: 0, Expression: one(symmetric.Term{Kind: symmetric.Variable, Value: 1})}}}, true},
		{"the same variable twice", symmetric.Transition{Pre: []symmetric.Arc{{Place: 0, Expression: one(x)}, {Place: 1, Expression: one(x)}}}, false},
		{"two tokens of one colour", symmetric.Transition{Pre: []symmetric.Arc{{Place: 0, Expression: symmetric.Expression{{Coefficient: 2, Terms: []symmetric.Term{x}}}}}}, false},
		{"two tokens of a place", symmetric.Transition{Pre: []symmetric.Arc{{Place: 0, Expression: symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{x}}, {Coefficient: 1, Terms: []symmetric.Term{y}}}}}}, false},
		{"two arcs of a place", symmetric.Transition{Pre: []symmetric.Arc{{Place: 0, Expression: one(x)}, {Place: 0, Expression: one(y)}}}, false},
		{"a constant", symmetric.Transition{Pre: []symmetric.Arc{{Place: 0, Expression: one(symmetric.Term{})}}}, false},
		{"all colours", symmetric.Transition{Pre: []symmetric.Arc{{Place: 0, Expression: one(both)}}}, false},
		{"a guard", symmetric.Transition{Pre: []symmetric.Arc{{Place: 0, Expression: one(x)}}, Guard: &symmetric.Guard{Operator: symmetric.Equal,
			Left: symmetric.Operand{Term: x, Class: class}, Right: symmetric.Operand{Class: class}}}, false},
		{"a negative output", symmetric.Transition{Pre: []symmetric.Arc{{Place: 0, Expression: one(x)}}, Post: []symmetric.Arc{{Place: 0, Expression: symmetric.Expression{{Coefficient: 2, Terms: []symmetric.Term{x}}, {Coefficient: -1, Terms: []symmetric.Term{y}}}}}}, false},
	} {
		c.t.Variables = variables
		net := &symmetric.Net{
			Places:      []symmetric.Place{{ID: "p", Domain: symmetric.Domain{class}}, {ID: "q", Domain: symmetric.Domain{class}}, {ID: "r", Domain: symmetric.Domain{dot}}},
			Transitions: []symmetric.Transition{c.t},
		}
		if got := Exact(net)[0]; got != c.want {
			t.Errorf("%s: exact is %t", c.why, got)
		}
	}
}

// TestSkeletonLimits checks weights that do not fit.
func TestSkeletonLimits(t *testing.T) {
	class := &symmetric.Class{Name: "C", Size: 1 << 40}
	all := symmetric.Term{Kind: symmetric.All}
	for _, c := range []struct {
		e    symmetric.Expression
		want int64 // -1: error
	}{
		{symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{all, {}}}}, 1 << 40},
		{symmetric.Expression{{Coefficient: 2, Terms: []symmetric.Term{all, {}}}, {Coefficient: -3, Terms: []symmetric.Term{{}, all}}, {Coefficient: 2, Terms: []symmetric.Term{{}, {}}}, {Coefficient: 1, Terms: []symmetric.Term{all, {}}}}, 2},
		{symmetric.Expression{{Coefficient: math.MaxInt64, Terms: []symmetric.Term{{}, {}}}}, math.MaxInt64},
		{symmetric.Expression{{Coefficient: math.MaxInt64, Terms: []symmetric.Term{{}, {}}}, {Coefficient: 1, Terms: []symmetric.Term{{}, {}}}}, -1},
		{symmetric.Expression{{Coefficient: math.MaxInt64, Terms: []symmetric.Term{{}, {}}}, {Coefficient: 1, Terms: []symmetric.Term{{}, {}}}, {Coefficient: -1, Terms: []symmetric.Term{{}, {}}}}, math.MaxInt64},
		{symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{all, all}}}, -1},
		{symmetric.Expression{{Coefficient: math.MaxInt64, Terms: []symmetric.Term{all, {}}}}, -1},
		{symmetric.Expression{{Coefficient: -1, Terms: []symmetric.Term{{}, {}}}}, -1},
		// A part of the sum is too large, though the sum is not.
		{symmetric.Expression{{Coefficient: 1 << 23, Terms: []symmetric.Term{all, {}}}, {Coefficient: -1, Terms: []symmetric.Term{{}, {}}}}, -1},
		{nil, 0},
	} {
		net := &symmetric.Net{Places: []symmetric.Place{{ID: "p", Domain: symmetric.Domain{class, class}, Initial: c.e}}}
		skeleton, err := Skeleton(net)
		got := int64(-1)
		if err == nil {
			got = skeleton.InitialTokens(0)
		}
		if got != c.want {
			t.Errorf("%v: got %d, want %d (%v)", c.e, got, c.want, err)
		}
	}
}
