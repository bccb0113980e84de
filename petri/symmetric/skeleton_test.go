package symmetric

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestSkeletonSimulates fires random runs of unfolded nets in the skeleton: it
// must follow, with the sums over colours for token counts.
func TestSkeletonSimulates(t *testing.T) {
	runs := 0
	if !petritest.CheckManyUntil(t, 3000, func() bool { return runs > 0 }, func(t *rapid.T) {
		net := randomNet(t)
		u, err := net.Unfold(t.Context(), Options{})
		if err != nil {
			return
		}
		skeleton, err := net.Skeleton()
		if err != nil {
			return // of a transition that is dead in the coloured net
		}
		coloured := make(map[petri.Transition]petri.Transition)
		for i, group := range u.Transitions {
			for _, tr := range group {
				coloured[tr] = petri.Transition(i)
			}
		}
		m, sums := u.Net.Initial(), skeleton.Initial()
		for range 10 {
			for i, group := range u.Places {
				sum := int64(0)
				for _, p := range group {
					sum += m[p]
				}
				if sum != sums[i] {
					t.Fatalf("place %q has %d tokens, the skeleton %d", net.Places[i].ID, sum, sums[i])
				}
			}
			var enabled []petri.Transition
			for tr := range petri.Transition(u.Net.Transitions()) {
				if u.Net.Enabled(m, tr) {
					enabled = append(enabled, tr)
				}
			}
			if len(enabled) == 0 {
				return
			}
			runs++
			tr := rapid.SampledFrom(enabled).Draw(t, "fired")
			u.Net.Fire(m, tr)
			if !skeleton.Fire(sums, coloured[tr]) {
				t.Fatalf("%q fires, but not in the skeleton", u.Net.TransitionLabel(tr).Name)
			}
		}
	}) {
		t.Error("no transition fired in any net")
	}
}

// TestExactTransitions compares with the unfolded net: an exact transition can fire
// in a coloured marking if, and only if, the skeleton fires it.
func TestExactTransitions(t *testing.T) {
	enabled, disabled := 0, 0
	if !petritest.CheckManyUntil(t, 3000, func() bool { return enabled > 0 && disabled > 0 }, func(t *rapid.T) {
		net := randomNet(t)
		u, err := net.Unfold(t.Context(), Options{})
		if err != nil {
			return
		}
		skeleton, err := net.Skeleton()
		if err != nil {
			return
		}
		exact := net.Exact()
		m, sums := u.Net.Initial(), make(petri.Marking, len(net.Places))
		for range 20 {
			for i, group := range u.Places {
				sums[i] = 0
				for _, p := range group {
					sums[i] += m[p]
				}
			}
			var fireable []petri.Transition
			for i, group := range u.Transitions {
				some := false
				for _, tr := range group {
					if u.Net.Enabled(m, tr) {
						fireable = append(fireable, tr)
						some = true
					}
				}
				if !exact[i] {
					continue
				}
				if some != skeleton.Enabled(sums, petri.Transition(i)) {
					t.Fatalf("%q can fire: %t, and %t in the skeleton", net.Transitions[i].ID, some, !some)
				}
				if some {
					enabled++
				} else {
					disabled++
				}
			}
			if len(fireable) == 0 {
				return
			}
			u.Net.Fire(m, rapid.SampledFrom(fireable).Draw(t, "fired"))
		}
	}) {
		t.Errorf("exact transitions could fire %d times, could not %d times", enabled, disabled)
	}
}

// TestNotExact has a transition for each reason why colours matter.
func TestNotExact(t *testing.T) {
	class, dot := &Class{Name: "C", Size: 2}, &Class{Name: "D", Size: 1}
	x, y, both := Term{Kind: Variable}, Term{Kind: Variable, Variable: 1}, Term{Kind: All}
	one := func(terms ...Term) Expression { return Expression{{1, terms}} }
	variables := []VariableDeclaration{{"x", class}, {"y", class}}
	for _, c := range []struct {
		why  string
		t    Transition
		want bool
	}{
		{"nothing against it", Transition{Pre: []Arc{{0, one(x)}, {1, one(y)}}}, true},
		{"any number of dots", Transition{Pre: []Arc{{2, Expression{{2, []Term{{}}}, {1, []Term{both}}}}, {2, one(Term{})}}}, true},
		{"a step", Transition{Pre: []Arc{{0, one(Term{Variable, 0, 1})}}}, true},
		{"the same variable twice", Transition{Pre: []Arc{{0, one(x)}, {1, one(x)}}}, false},
		{"two tokens of one colour", Transition{Pre: []Arc{{0, Expression{{2, []Term{x}}}}}}, false},
		{"two tokens of a place", Transition{Pre: []Arc{{0, Expression{{1, []Term{x}}, {1, []Term{y}}}}}}, false},
		{"two arcs of a place", Transition{Pre: []Arc{{0, one(x)}, {0, one(y)}}}, false},
		{"a constant", Transition{Pre: []Arc{{0, one(Term{})}}}, false},
		{"all colours", Transition{Pre: []Arc{{0, one(both)}}}, false},
		{"a guard", Transition{Pre: []Arc{{0, one(x)}}, Guard: &Guard{Operator: Equal,
			Left: Operand{Term: x, Class: class}, Right: Operand{Class: class}}}, false},
		{"a negative output", Transition{Pre: []Arc{{0, one(x)}}, Post: []Arc{{0, Expression{{2, []Term{x}}, {-1, []Term{y}}}}}}, false},
	} {
		c.t.Variables = variables
		net := &Net{
			Places:      []Place{{ID: "p", Domain: Domain{class}}, {ID: "q", Domain: Domain{class}}, {ID: "r", Domain: Domain{dot}}},
			Transitions: []Transition{c.t},
		}
		if got := net.Exact()[0]; got != c.want {
			t.Errorf("%s: exact is %t", c.why, got)
		}
	}
}

// TestSkeletonLimits checks weights that do not fit.
func TestSkeletonLimits(t *testing.T) {
	class := &Class{Name: "C", Size: 1 << 40}
	all := Term{Kind: All}
	for _, c := range []struct {
		e    Expression
		want int64 // -1: error
	}{
		{Expression{{1, []Term{all, {}}}}, 1 << 40},
		{Expression{{2, []Term{all, {}}}, {-3, []Term{{}, all}}, {2, []Term{{}, {}}}, {1, []Term{all, {}}}}, 2},
		{Expression{{math.MaxInt64, []Term{{}, {}}}}, math.MaxInt64},
		{Expression{{math.MaxInt64, []Term{{}, {}}}, {1, []Term{{}, {}}}}, -1},
		{Expression{{math.MaxInt64, []Term{{}, {}}}, {1, []Term{{}, {}}}, {-1, []Term{{}, {}}}}, math.MaxInt64},
		{Expression{{1, []Term{all, all}}}, -1},
		{Expression{{math.MaxInt64, []Term{all, {}}}}, -1},
		{Expression{{-1, []Term{{}, {}}}}, -1},
		{nil, 0},
	} {
		net := &Net{Places: []Place{{ID: "p", Domain: Domain{class, class}, Initial: c.e}}}
		skeleton, err := net.Skeleton()
		got := int64(-1)
		if err == nil {
			got = skeleton.InitialTokens(0)
		}
		if got != c.want {
			t.Errorf("%v: got %d, want %d (%v)", c.e, got, c.want, err)
		}
	}
}
