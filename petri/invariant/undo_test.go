package invariant_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// enough is more work than any net here needs.
const enough = 1 << 30

// withReversed returns a net to whose transitions those that undo them are added, but for some that
// are left out, need one token more, or give one.
func withReversed(t *rapid.T, net *petri.Net) *petri.Net {
	var b petri.Builder
	for p := range petri.Place(net.Places()) {
		if _, err := b.AddPlace(fmt.Sprint("p", p), "", net.InitialTokens(p)); err != nil {
			t.Fatal(err)
		}
	}
	add := func(name string, pre, post []petri.Arc, more int) {
		u, err := b.AddTransition(name, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range pre {
			if more == 1 {
				a.Weight, more = a.Weight+1, 0
			}
			if err := b.AddInput(a.Place, u, a.Weight); err != nil {
				t.Fatal(err)
			}
		}
		for _, a := range post {
			if more == 2 {
				a.Weight, more = a.Weight+1, 0
			}
			if err := b.AddOutput(u, a.Place, a.Weight); err != nil {
				t.Fatal(err)
			}
		}
	}
	for u := range petri.Transition(net.Transitions()) {
		add(fmt.Sprint("t", u), net.Pre(u), net.Post(u), 0)
		if change := rapid.IntRange(-20, 3).Draw(t, "change"); change < 3 {
			add(fmt.Sprint("u", u), net.Post(u), net.Pre(u), change)
		}
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// TestWhatIsUndone: where each firing can be undone, every marking reaches the initial one in the
// naive state graph; and where one firing follows each other, no marking is a deadlock but the initial one.
// Sums of effects that mean nothing change nothing.
func TestWhatIsUndone(t *testing.T) {
	undone, goesOn, alone, not := 0, 0, 0, 0
	if !petritest.CheckUntil(t, func() bool { return undone > 20 && goesOn > 20 && alone > 5 && not > 20 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.Net(), petritest.Loose(), petritest.AllArcs(), petritest.StateMachines(true)).Draw(t, "net")
		if net.Plain() && rapid.Bool().Draw(t, "reversed") {
			net = withReversed(t, net)
		}
		g, finite := petritest.Explore(net, 1000)
		if !finite || len(g.Markings) < 2 {
			t.Skip("too large, unbounded, or nothing fires")
		}
		end := func() {}
		if rapid.Bool().Draw(t, "badly") {
			end = invariant.MixBadly()
		}
		defer end()
		undoes, follows := invariant.Undoes(t.Context(), net, enough), invariant.GoesOn(t.Context(), net, enough)
		if follows {
			goesOn++
			for i, m := range g.Markings[1:] {
				if net.Deadlock(m) {
					t.Fatalf("marking %d of %v is a deadlock", i+1, g.Markings)
				}
			}
		}
		if !undoes {
			if follows {
				alone++
			}
			not++
			return
		}
		undone++
		if !follows {
			t.Fatal("each firing can be undone, and yet nothing follows one")
		}
		back := make([]bool, len(g.Markings))
		back[0] = true
		for i, is := range g.Finally(false, back) {
			if !is {
				t.Fatalf("marking %v does not reach the initial one", g.Markings[i])
			}
		}
	}) {
		t.Errorf("%d nets whose firings can be undone, %d that go on, %d of these alone, %d others", undone, goesOn, alone, not)
	}
}

// TestGridIsUndone: robots go back, and what takes too much work is given up.
func TestGridIsUndone(t *testing.T) {
	net := petritest.Grid(20)
	if !invariant.Undoes(t.Context(), net, enough) || !invariant.GoesOn(t.Context(), net, enough) {
		t.Error("a robot of a grid does not find back")
	}
	if invariant.Undoes(t.Context(), net, 1000) || invariant.GoesOn(t.Context(), net, 1000) {
		t.Error("1000 arcs were enough to look at 60,800")
	}
	if invariant.Undoes(t.Context(), petritest.Philosophers(3), enough) || invariant.GoesOn(t.Context(), petritest.Philosophers(3), enough) {
		t.Error("philosophers have a deadlock")
	}
}
