package replay

import (
	"context"
	"math"
	"testing"

	"pnmc/internal/automatatest"
	"pnmc/petri/symmetric"
)

// TestReplayRefuses fires what the definition forbids.
func TestReplayRefuses(t *testing.T) {
	net := squares(3) // p has a token of each colour; t[x,y] with x < y takes two
	for _, c := range []struct {
		run  []symmetric.Firing
		want string
	}{
		{[]symmetric.Firing{{Transition: 0, Binding: []int64{0, 1}}}, ""},
		{[]symmetric.Firing{{Transition: 0, Binding: []int64{0, 1}}, {Transition: 0, Binding: []int64{0, 2}}}, `"t"[x=0,y=2]: "p" lacks a token of colour [0]`},
		{[]symmetric.Firing{{Transition: 0, Binding: []int64{1, 0}}}, `the guard of "t"[x=1,y=0] does not hold`},
		{[]symmetric.Firing{{Transition: 0, Binding: []int64{0, 3}}}, `"C" has no colour 3`},
		{[]symmetric.Firing{{Transition: 0, Binding: []int64{0}}}, `1 colours for the 2 variables of "t"`},
		{[]symmetric.Firing{{Transition: 1}}, `no transition has number 1`},
	} {
		r, err := Start(t.Context(), net)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range c.run {
			if err := r.Fire(f); err != nil {
				got = err.Error()
			}
		}
		if got != c.want {
			t.Errorf("%v: got %q, want %q", c.run, got, c.want)
		}
	}
	net.Places[0].Initial = symmetric.Expression{{Coefficient: -1, Terms: []symmetric.Term{{}}}}
	if _, err := Start(t.Context(), net); err == nil {
		t.Error("no error for a negative marking")
	}
}

// TestReplayEnds: the search for an enabled binding ends with its context, and is then not
// certain.
func TestReplayEnds(t *testing.T) {
	net := squares(5000) // whose guard no binding satisfies
	net.Transitions[0].Guard = &symmetric.Guard{Operator: symmetric.And, Operands: []*symmetric.Guard{
		net.Transitions[0].Guard, {Operator: symmetric.Not, Operands: []*symmetric.Guard{net.Transitions[0].Guard}}}}
	r, err := Start(t.Context(), net)
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	r.Context = over
	if enabled, certain := r.Enabled(0, math.MaxInt); enabled || certain {
		t.Errorf("enabled %v, certain %v", enabled, certain)
	}
}

// TestReplayLooksBetweenLimits looks for bindings of a variable in a range too large to
// try all its colours: comparisons with what is bound leave few.
func TestReplayLooksBetweenLimits(t *testing.T) {
	class := &symmetric.Class{Name: "R", Size: 1 << 40}
	x, y, last := symmetric.Term{Kind: symmetric.Variable}, symmetric.Term{Kind: symmetric.Variable, Variable: 1}, class.Size-1
	compare := func(operator symmetric.Operator, l, r symmetric.Term) *symmetric.Guard {
		return &symmetric.Guard{Operator: operator, Left: symmetric.Operand{Term: l, Class: class}, Right: symmetric.Operand{Term: r, Class: class}}
	}
	for i, c := range []struct {
		guard   *symmetric.Guard
		enabled bool
	}{
		{compare(symmetric.Less, x, y), false},
		{negated(compare(symmetric.AtMost, y, x)), false},
		{compare(symmetric.AtMost, x, y), true},
		{negated(compare(symmetric.Less, y, x)), true},
		{&symmetric.Guard{Operator: symmetric.And, Operands: []*symmetric.Guard{negated(compare(symmetric.Equal, x, y)), compare(symmetric.AtMost, x, y)}}, false},
		{negated(&symmetric.Guard{Operator: symmetric.Or, Operands: []*symmetric.Guard{compare(symmetric.Equal, x, y), compare(symmetric.Less, y, x)}}), false},
		{&symmetric.Guard{Operator: symmetric.Or, Operands: []*symmetric.Guard{compare(symmetric.Less, x, y), compare(symmetric.Equal, y, x)}}, true},
		{&symmetric.Guard{Operator: symmetric.And, Operands: []*symmetric.Guard{compare(symmetric.Less, symmetric.Term{Value: last - 3}, y), compare(symmetric.Less, y, symmetric.Term{Value: last - 2})}}, false},
	} {
		net := &symmetric.Net{
			Places: []symmetric.Place{{ID: "p", Domain: symmetric.Domain{class}, Initial: symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Value: last}}}}}},
			Transitions: []symmetric.Transition{{ID: "t", Guard: c.guard, Pre: []symmetric.Arc{{Place: 0, Expression: symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{x}}}}},
				Variables: []symmetric.VariableDeclaration{{Name: "x", Class: class}, {Name: "y", Class: class}}}},
		}
		r, err := Start(t.Context(), net)
		if err != nil {
			t.Fatal(err)
		}
		if enabled, certain := r.Enabled(0, 100); enabled != c.enabled || !certain {
			t.Errorf("%d: enabled %v, certain %v, want %v and true", i, enabled, certain, c.enabled)
		}
	}
}

// TestEnabledLooksBySize: a search for a binding by the definitions looks at the context by what its
// steps cost, with a guard of thousands of comparisons and with as many arcs.
func TestEnabledLooksBySize(t *testing.T) {
	class := &symmetric.Class{Name: "c", Size: 200}
	x := symmetric.Operand{Term: symmetric.Term{Kind: symmetric.Variable}, Class: class}
	guard := &symmetric.Guard{Operator: symmetric.Or}
	for range 20_000 {
		guard.Operands = append(guard.Operands, &symmetric.Guard{Operator: symmetric.Less, Left: x, Right: x})
	}
	net := &symmetric.Net{Transitions: []symmetric.Transition{{ID: "t", Guard: guard, Variables: []symmetric.VariableDeclaration{{Name: "x", Class: class}}}}}
	automatatest.EndsAtEachLook(t, "guard", 100, func(ctx context.Context) (any, error) {
		r, err := Start(t.Context(), net)
		if err != nil {
			return nil, err
		}
		r.Context = ctx
		enabled, certain := r.Enabled(0, 1<<20)
		if !certain {
			return nil, context.DeadlineExceeded
		}
		return enabled, nil
	})
}

// TestEnabledUndoesWhatArcsBind: what a token binds is undone before the next one is tried.
func TestEnabledUndoesWhatArcsBind(t *testing.T) {
	class := &symmetric.Class{Name: "c", Size: 3}
	x, y := symmetric.Term{Kind: symmetric.Variable}, symmetric.Term{Kind: symmetric.Variable, Variable: 1}
	pair := func(c int64) symmetric.Monomial {
		return symmetric.Monomial{Coefficient: 1, Terms: []symmetric.Term{{Value: 1}, {Value: c}}}
	}
	net := &symmetric.Net{
		Places: []symmetric.Place{
			{ID: "p", Domain: symmetric.Domain{class}, Initial: symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Value: 0}}}, {Coefficient: 1, Terms: []symmetric.Term{{Value: 1}}}}},
			{ID: "q", Domain: symmetric.Domain{class, class}, Initial: symmetric.Expression{pair(0), pair(1), pair(2)}},
		},
		Transitions: []symmetric.Transition{{ID: "t", Variables: []symmetric.VariableDeclaration{{Name: "x", Class: class}, {Name: "y", Class: class}},
			Pre: []symmetric.Arc{{Place: 0, Expression: symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{x}}}}, {Place: 1, Expression: symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{x, y}}}}}}},
	}
	r, err := Start(t.Context(), net)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // tokens are tried in any order
		if enabled, certain := r.Enabled(0, 1000); !enabled || !certain {
			t.Fatalf("enabled %v, certain %v, want the binding x = 1", enabled, certain)
		}
	}
}

// squares returns a net with one transition for each pair of n colours.
func squares(n int64) *symmetric.Net {
	class := &symmetric.Class{Name: "C", Size: n}
	x := symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.Variable}}}}
	y := symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.Variable, Variable: 1}}}}
	return &symmetric.Net{
		Places: []symmetric.Place{
			{ID: "p", Domain: symmetric.Domain{class}, Initial: symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.All}}}}},
			{ID: "q", Domain: symmetric.Domain{class}},
		},
		Transitions: []symmetric.Transition{{
			ID: "t", Variables: []symmetric.VariableDeclaration{{Name: "x", Class: class}, {Name: "y", Class: class}},
			Guard: &symmetric.Guard{Operator: symmetric.Less,
				Left:  symmetric.Operand{Term: symmetric.Term{Kind: symmetric.Variable}, Class: class},
				Right: symmetric.Operand{Term: symmetric.Term{Kind: symmetric.Variable, Variable: 1}, Class: class}},
			Pre: []symmetric.Arc{{Place: 0, Expression: x}, {Place: 0, Expression: y}}, Post: []symmetric.Arc{{Place: 1, Expression: x}},
		}},
	}
}

// negated returns the negation of g.
func negated(g *symmetric.Guard) *symmetric.Guard {
	return &symmetric.Guard{Operator: symmetric.Not, Operands: []*symmetric.Guard{g}}
}
