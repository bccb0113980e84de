package induction

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/stateequation"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// atLeast returns the predicate that a sum of places is at least some number.
func atLeast(net *petri.Net, weights map[string]int64, least int64) *logic.Predicate {
	s := logic.Sum{Constant: least}
	for p := range petri.Place(net.Places()) {
		if w := weights[net.PlaceLabel(p).ID]; w != 0 {
			s.Terms = append(s.Terms, logic.Term{Place: uint32(p), Coefficient: -w})
		}
	}
	return &logic.Predicate{Operator: logic.AtMost, Sum: s}
}

// without returns a search that asks no solver.
func without(t interface{ Fatal(...any) }, net *petri.Net, goal *logic.Predicate) *Search {
	s, err := New(context.Background(), net, Known{Equation: stateequation.New(context.Background(), net)}, goal, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drawCube draws a cube of a few comparisons.
func drawCube(t *rapid.T, net *petri.Net) Cube {
	var list []logic.Sum
	for range rapid.IntRange(1, 3).Draw(t, "comparisons") {
		s := logic.Sum{Constant: rapid.Int64Range(-3, 3).Draw(t, "constant")}
		for p := range uint32(net.Places()) {
			if c := rapid.SampledFrom([]int64{0, 0, 0, 1, -1, -1, 2}).Draw(t, "coefficient"); c != 0 {
				s.Terms = append(s.Terms, logic.Term{Place: p, Coefficient: c})
			}
		}
		list = append(list, s)
	}
	cube, possible := normal(list)
	if !possible {
		t.Skip("no marking is in the cube")
	}
	return cube
}

// TestCertify draws invariants, most of which are none. What is certified holds in all markings; and some are
// certified that are more than the state equation knows.
func TestCertify(t *testing.T) {
	certified, refused, learned := 0, 0, 0
	if !petritest.CheckUntil(t, func() bool { return certified > 20 && refused > 20 && learned > 3 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		if net.Places() == 0 || net.Transitions() == 0 {
			t.Skip("not a net for this test")
		}
		var invariant []Cube
		for range rapid.IntRange(1, 3).Draw(t, "cubes") {
			invariant = append(invariant, drawCube(t, net))
		}
		goal := drawGoal(t, net)
		if rapid.Bool().Draw(t, "cube") {
			goal = invariant[0].Predicate()
		}
		if !isLinear(goal) {
			return
		}
		s := without(t, net, goal)
		if err := s.Certify(context.Background(), invariant); err != nil {
			if !errors.Is(err, ErrNotCertified) {
				t.Fatal(err)
			}
			refused++
			return
		}
		certified++
		for _, m := range g.Markings {
			if witness.Satisfies(net, m, goal) || slices.ContainsFunc(invariant, func(c Cube) bool { return c.Contains(m) }) {
				t.Fatalf("%v is certified, with %v reachable", invariant, m)
			}
		}
		if !s.equation.Contradicts(context.Background(), s.goal) {
			learned++
		}
	}) {
		t.Errorf("%d are certified, %d refused, and %d more than the state equation knows", certified, refused, learned)
	}
}

// TestBefore: what lies before a cube by a transition are the markings from which firing it leads there.
func TestBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net, _ := checkertest.AnyNet(t)
		if net.Places() == 0 || net.Transitions() == 0 {
			t.Skip("not a net for this test")
		}
		s := without(t, net, &logic.Predicate{Operator: logic.False})
		cube := drawCube(t, net)
		m := make(petri.Marking, net.Places())
		for p := range m {
			m[p] = rapid.Int64Range(0, 4).Draw(t, "tokens")
		}
		for u := range petri.Transition(net.Transitions()) {
			before, possible, err := s.before(u, cube)
			if err != nil {
				t.Fatal(err)
			}
			next := slices.Clone(m)
			leads := net.Fire(next, u) && cube.Contains(next)
			if got := possible && before.Contains(m); got != leads {
				t.Fatalf("transition %d from %v to %v: in the cube before %t, leads into the cube %t", u, m, next, got, leads)
			}
		}
	})
}

// TestReasons: comparisons that make a predicate true hold in the marking, and where they hold so does the
// predicate. All cubes together have the markings of the predicate.
func TestReasons(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net, _ := checkertest.AnyNet(t)
		if net.Places() == 0 || net.Transitions() == 0 {
			t.Skip("not a net for this test")
		}
		goal := drawGoal(t, net)
		if !isLinear(goal) {
			return
		}
		s := without(t, net, goal)
		draw := func() petri.Marking {
			m := make(petri.Marking, net.Places())
			for p := range m {
				m[p] = rapid.Int64Range(0, 4).Draw(t, "tokens")
			}
			return m
		}
		m, other := draw(), draw()
		value := s.holds(s.goal, m)
		list, ok := s.reasons(nil, s.goal, m, value)
		if !ok || !Cube(list).Contains(m) {
			t.Fatalf("reasons %v do not hold in %v", list, m)
		}
		if Cube(list).Contains(other) && s.holds(s.goal, other) != value {
			t.Fatalf("reasons %v hold in %v, too, where the goal is %t", list, other, !value)
		}
		cubes, err := cubesOf(s.goal)
		if errors.Is(err, ErrLarge) {
			t.Skip("more cubes than are looked at")
		} else if err != nil {
			t.Fatal(err)
		}
		if in := slices.ContainsFunc(cubes, func(c Cube) bool { return c.Contains(m) }); in != value {
			t.Fatalf("%v is in a cube: %t, the goal holds: %t", m, in, value)
		}
	})
}
