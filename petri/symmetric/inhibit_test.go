package symmetric

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestInhibited compares random nets whose inhibitor arcs matter with the naive interpreter, and
// sees to it that they are said in either way, and beside colours that are dropped.
func TestInhibited(t *testing.T) {
	sums, asked, dropped := 0, 0, 0
	if !petritest.CheckUntil(t, func() bool { return sums >= 60 && asked >= 60 && dropped >= 20 }, func(t *rapid.T) {
		net := randomNet(t)
		twin := naive{net}
		firings, sound := twin.firings()
		if !sound {
			return
		}
		free := slices.Clone(firings)
		for i := range free {
			free[i].inhibitors = nil
		}
		const states = 40
		want := twin.graph(firings, states)
		if len(distinct(want)) >= states || slices.Equal(want, twin.graph(free, states)) {
			return
		}
		for _, options := range []Options{{}, {KeepAll: true}, {Merge: true}, {DropConstant: true}} {
			u, err := net.Unfold(t.Context(), options)
			if err != nil {
				t.Fatal(err)
			}
			got := graph(t, u, states)
			switch {
			case options.Merge:
				continue // TestMergedIsBisimilar compares it; here are the sums
			case options.DropConstant:
				if len(got) != len(want) {
					t.Fatalf("%d firings, expected %d", len(got), len(want))
				}
				built := 0
				for _, colours := range u.Places {
					built += len(colours)
				}
				if tokens, _ := twin.relaxed(firings); built < tokens {
					dropped++
				}
			case !slices.Equal(got, want):
				t.Fatalf("%+v:\nexpected\n%s\ngot\n%s", options, strings.Join(want, "\n"), strings.Join(got, "\n"))
			case len(u.Sums) > 0:
				sums++
			default:
				asked++
			}
		}
	}) {
		t.Errorf("%d nets with sums, %d without, %d with colours that are dropped: too few", sums, asked, dropped)
	}
}

// queue returns a place of n colours, one token each, from which one transition takes any; another
// fires only while so many are gone that fewer than weight are left.
func queue(n, weight int64) *Net {
	class := &Class{Name: "C", Size: n}
	return &Net{
		Places: []Place{
			{ID: "p", Domain: Domain{class}, Initial: Expression{{1, []Term{{Kind: All}}}}},
			{ID: "q", Initial: Expression{{1, nil}}},
		},
		Transitions: []Transition{
			{ID: "take", Variables: []VariableDeclaration{{"x", class}}, Pre: []Arc{{0, Expression{{1, []Term{{Variable, 0, 0}}}}}}},
			{ID: "go", Pre: []Arc{{1, Expression{{1, nil}}}}, Inhibitors: []Inhibitor{{0, weight}}},
		},
	}
}

// TestInhibitorArcsOfUnfoldings: what an inhibitor arc becomes.
func TestInhibitorArcsOfUnfoldings(t *testing.T) {
	for _, c := range []struct {
		n, weight int64
		merge     bool
		want      string
	}{
		{3, 1, false, "p_0<1 p_1<1 p_2<1"},
		{3, 2, false, "p_sum<2"},
		{3, 2, true, "p_0<2"},
		{1, 5, false, "p_0<5"},
		{mostAsked + 1, 1, false, "p_sum<1"},
	} {
		u, err := queue(c.n, c.weight).Unfold(t.Context(), Options{Merge: c.merge})
		if err != nil {
			t.Fatal(err)
		}
		goes := u.Transitions[1][0]
		var parts []string
		for _, a := range u.Net.Inhibitors(goes) {
			parts = append(parts, fmt.Sprintf("%s<%d", u.Net.PlaceLabel(a.Place).ID, a.Weight))
		}
		if got := strings.Join(parts, " "); got != c.want {
			t.Errorf("%d colours, weight %d: %s, expected %s", c.n, c.weight, got, c.want)
		}
		m := u.Net.Initial()
		for taken := int64(0); taken <= c.n; taken++ {
			if got := u.Net.Enabled(m, goes); got != (c.n-taken < c.weight) {
				t.Errorf("%d colours, weight %d: enabled is %t with %d tokens", c.n, c.weight, got, c.n-taken)
			}
			for _, take := range u.Transitions[0] {
				if u.Net.Fire(m, take) {
					break
				}
			}
		}
	}
}

// TestUnfoldRunInhibited: bindings that a run fires are inhibited in what is unfolded of it as
// in the whole.
func TestUnfoldRunInhibited(t *testing.T) {
	for weight := int64(1); weight <= 3; weight++ {
		run := []Firing{{0, []int64{2}}, {0, []int64{0}}, {0, []int64{1}}, {1, []int64{}}}
		u, err := queue(3, weight).UnfoldRun(t.Context(), run, 0)
		if err != nil {
			t.Fatal(err)
		}
		m := u.Net.Initial()
		for taken := range int64(3) {
			if got := u.Net.Enabled(m, u.Transitions[1][0]); got != (3-taken < weight) {
				t.Errorf("weight %d: enabled is %t with %d tokens", weight, got, 3-taken)
			}
			if !u.Net.Fire(m, petri.Transition(taken)) {
				t.Fatal("nothing is taken")
			}
		}
	}
}
