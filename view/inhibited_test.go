package view_test

import (
	"fmt"
	"slices"
	"testing"

	"pnmc/internal/browser"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/view"
)

// TestColouredInhibitors: a page plays a coloured net with inhibitor arcs, which look at all
// colours of a place together, along a run and by hand.
func TestColouredInhibitors(t *testing.T) {
	class := &symmetric.Class{Name: "C", Size: 3, Constants: []string{"a", "b", "c"}}
	x := symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.Variable}}}}
	all := symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.All}}}}
	variables := []symmetric.VariableDeclaration{{Name: "x", Class: class}}
	net := &symmetric.Net{
		Places: []symmetric.Place{
			{ID: "outside", Domain: symmetric.Domain{class}, Initial: all},
			{ID: "inside", Domain: symmetric.Domain{class}},
		},
		Transitions: []symmetric.Transition{
			{ID: "enter", Variables: variables, Pre: []symmetric.Arc{{Place: 0, Expression: x}}, Post: []symmetric.Arc{{Place: 1, Expression: x}},
				Inhibitors: []symmetric.Inhibitor{{Place: 1, Weight: 2}}},
			{ID: "leave", Variables: variables, Pre: []symmetric.Arc{{Place: 1, Expression: x}}, Post: []symmetric.Arc{{Place: 0, Expression: x}}},
		},
	}
	u, err := net.Unfold(t.Context(), symmetric.Options{})
	if err != nil || len(u.Sums) != 1 {
		t.Fatal(u, err)
	}
	run := []petri.Transition{u.Transitions[0][2], u.Transitions[0][0], u.Transitions[1][2], u.Transitions[0][1]}
	var steps []view.Step
	for _, mode := range run {
		steps = append(steps, view.Step{Transition: mode, Times: 1})
	}
	b := browser.Start(t)
	page := b.Open(t, writePage(t, &view.Net{Net: u.Net, Unfolding: u}, &view.Answer{Name: "a run", Kind: "reachable", Verdict: "holds", Runs: []view.Run{{Prefix: steps, From: -1}}}))
	m := u.Net.Initial()
	is := func(what string) {
		t.Helper()
		want := make([]int64, len(net.Places))
		for p, cells := range u.Places {
			for _, c := range cells {
				want[p] += m[c]
			}
		}
		var shown []int64
		page.Evaluate(`[0, 1].map((p) => Number(document.querySelector('[data-node="p' + p + '"]').dataset.tokens))`, &shown)
		if !slices.Equal(shown, want) {
			t.Errorf("%s: the page shows %v, expected %v", what, shown, want)
		}
		var enabled []petri.Transition
		page.Evaluate(`[...document.querySelectorAll('#enabled [data-mode]')].map((b) => Number(b.dataset.mode)).sort((a, b) => a - b)`, &enabled)
		var really []petri.Transition
		for mode := range petri.Transition(u.Net.Transitions()) {
			if u.Net.Enabled(m, mode) {
				really = append(really, mode)
			}
		}
		if !slices.Equal(enabled, really) {
			t.Errorf("%s: enabled are %v, expected %v", what, enabled, really)
		}
	}
	is("at first")
	for i, mode := range run {
		page.Press("ArrowRight")
		if !u.Net.Fire(m, mode) {
			t.Fatalf("step %d does not fire", i)
		}
		is(fmt.Sprint("step ", i))
	}
	page.Press("Home")
	m = u.Net.Initial()
	for i, mode := range []petri.Transition{run[3], run[1], u.Transitions[1][0]} {
		var found bool
		page.Evaluate(fmt.Sprintf(`(b => (b?.click(), !!b))(document.querySelector('#enabled [data-mode="%d"]'))`, mode), &found)
		if !u.Net.Fire(m, mode) || !found {
			t.Fatalf("%d is not enabled on the page, or in the net", mode)
		}
		is(fmt.Sprint("by hand ", i))
	}
	var rings int
	page.Evaluate(`document.querySelectorAll('path.arc[marker-end*="ring"]').length`, &rings)
	if rings != 1 {
		t.Errorf("%d inhibitor arcs are drawn, expected 1", rings)
	}
	for _, message := range page.Console() {
		t.Errorf("on the console: %s", message)
	}
}
