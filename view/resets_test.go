package view_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pnmc/internal/browser"
	"pnmc/petri"
	"pnmc/view"
)

// emptying returns a net of which one transition empties a place that others fill, and puts a token
// there; another one empties the other place, which it also takes from.
func emptying(t testing.TB) *petri.Net {
	t.Helper()
	b := &petri.Builder{ID: "emptying"}
	p, _ := b.AddPlace("p", "", 3)
	q, _ := b.AddPlace("q", "", 1)
	for _, arcs := range []struct {
		id                   string
		takes, resets, gives []petri.Place
	}{
		{"fill", nil, nil, []petri.Place{p, p, q}},
		{"empty", []petri.Place{p}, []petri.Place{p}, []petri.Place{p, q}},
		{"both", []petri.Place{q}, []petri.Place{p, q}, nil},
	} {
		u, err := b.AddTransition(arcs.id, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range arcs.takes {
			b.AddInput(r, u, 1)
		}
		for _, r := range arcs.resets {
			b.AddReset(r, u)
		}
		for _, r := range arcs.gives {
			b.AddOutput(u, r, 1)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestResets: a page plays a run with reset arcs on and back, and by hand, as the net fires;
// each reset arc is drawn, with a head of its own.
func TestResets(t *testing.T) {
	net := emptying(t)
	random := rand.New(rand.NewPCG(3, 4))
	var steps []view.Step
	m := net.Initial()
	markings := []petri.Marking{slices.Clone(m)}
	for len(steps) < 15 {
		if u := petri.Transition(random.IntN(net.Transitions())); net.Fire(m, u) {
			steps, markings = append(steps, view.Step{Transition: u, Times: 1}), append(markings, slices.Clone(m))
		}
	}
	b := browser.Start(t)
	page := b.Open(t, writePage(t, &view.Net{Net: net}, &view.Answer{Name: "a run", Kind: "reachable", Verdict: "holds", Runs: []view.Run{{Prefix: steps, From: -1}}}))
	is := func(what string, want petri.Marking) {
		t.Helper()
		var shown petri.Marking
		page.Evaluate(`[0, 1].map((p) => Number(document.querySelector('[data-node="p' + p + '"]').dataset.tokens))`, &shown)
		if !slices.Equal(shown, want) {
			t.Errorf("%s: the page shows %v, expected %v", what, shown, want)
		}
	}
	for i := range steps {
		is(fmt.Sprint("position ", i), markings[i])
		page.Press("ArrowRight")
	}
	is("the end", m)
	page.Press("ArrowLeft")
	is("one back", markings[len(steps)-1])
	page.Press("Home")
	fire := func(u petri.Transition) {
		t.Helper()
		var found bool
		page.Evaluate(fmt.Sprintf(`(b => (b?.click(), !!b))(document.querySelector('#enabled [data-mode="%d"]'))`, u), &found)
		if !net.Fire(m, u) || !found {
			t.Errorf("transition %d is not enabled on the page, or in the net", u)
		}
	}
	m = net.Initial()
	byHand := []petri.Marking{slices.Clone(m)}
	for _, u := range []petri.Transition{0, 0, 1, 0, 2, 0} {
		fire(u)
		is(fmt.Sprint("by hand ", len(byHand)), m)
		byHand = append(byHand, slices.Clone(m))
	}
	for i := len(byHand) - 2; i >= 0; i-- {
		page.Press("u")
		is("undone", byHand[i])
	}
	var heads int
	page.Evaluate(`document.querySelectorAll('path.arc[marker-end="url(#arrows)"], path.arc[marker-end="url(#arrows-lit)"]').length`, &heads)
	if heads != 3 {
		t.Errorf("%d reset arcs are drawn, expected 3", heads)
	}
	for _, message := range page.Console() {
		t.Errorf("on the console: %s", message)
	}
}

// TestResetsManyTimes: a transition that empties a place fires many times in a row.
func TestResetsManyTimes(t *testing.T) {
	const often = 5_000_000 // too often to be shown one by one
	answer := &view.Answer{Name: "a run", Kind: "reachable", Verdict: "holds", Runs: []view.Run{{Prefix: []view.Step{{Transition: 0, Times: 2}, {Transition: 1, Times: often}}, From: -1}}}
	b := browser.Start(t)
	page := b.Open(t, writePage(t, &view.Net{Net: emptying(t)}, answer))
	page.Press("End")
	var shown []int64
	page.Evaluate(`[0, 1].map((p) => Number(document.querySelector('[data-node="p' + p + '"]').dataset.tokens))`, &shown)
	if want := []int64{1, 3 + often}; !slices.Equal(shown, want) {
		t.Errorf("the page shows %v, expected %v", shown, want)
	}
}
