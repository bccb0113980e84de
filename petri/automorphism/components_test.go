package automorphism_test

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/automorphism"
	"pnmc/petri/invariant"
)

// TestComponentsCount: of all markings that are images of each other exactly one is a state of the folded graph. With their
// images, states and firings are as many as in the graph of all markings.
func TestComponentsCount(t *testing.T) {
	folded, large, shared := 0, 0, 0
	if !petritest.CheckManyUntil(t, 1000, func() bool { return folded > 100 && large > 20 && shared > 20 }, func(t *rapid.T) {
		c := rapid.OneOf(petritest.Rows(), petritest.Rows(), petritest.Copies()).Draw(t, "net")
		g, complete := petritest.Explore(c.Net, 1000)
		if !complete {
			t.Skip("too many markings")
		}
		alike, err := automorphism.Components(context.Background(), c.Net, nil, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		if alike == nil {
			return
		}
		facts := petri.Facts{}
		if rapid.Bool().Draw(t, "facts") {
			facts = invariant.Prove(context.Background(), c.Net, 0)
		}
		k := petri.NewKripke(c.Net, facts, petri.Budget{})
		k.FoldComponents(alike)
		k.Begin(context.Background())
		states, firings := new(big.Int), new(big.Int)
		z := petri.NewCanonizer(alike, c.Net.Places())
		known := map[string]bool{}
		for s := petri.StateID(0); int(s) < k.Len(); s++ {
			next, err := k.Successors(s)
			if err != nil {
				t.Fatal(err)
			}
			n := int64(len(next))
			if n == 1 && next[0] == s && k.Deadlock(s) {
				n = 0
			}
			m := make(petri.Marking, c.Net.Places())
			k.Marking(s, m)
			images, ok := z.Images(m)
			if !ok {
				t.Fatalf("%v does not stand for itself", m)
			}
			known[petritest.Key(m)] = true
			states.Add(states, images)
			firings.Add(firings, images.Mul(images, big.NewInt(n)))
		}
		want := int64(0)
		for _, m := range g.Markings {
			for u := range petri.Transition(c.Net.Transitions()) {
				if c.Net.Enabled(m, u) {
					want++
				}
			}
			lower := slices.Clone(m)
			if z.Lower(lower) == slices.Equal(lower, m) {
				t.Fatalf("%v became %v", m, lower)
			}
			if !known[petritest.Key(lower)] {
				t.Fatalf("%v stands for %v and is no state", lower, m)
			}
		}
		if states.Cmp(big.NewInt(int64(len(g.Markings)))) != 0 || firings.Cmp(big.NewInt(want)) != 0 {
			t.Fatalf("%v markings, %v firings, expected %d, %d; %d states by %v symmetries", states, firings, len(g.Markings), want, k.Len(), alike.Symmetries())
		}
		if k.Len() < len(g.Markings) {
			folded++
			if alike.Symmetries().Cmp(big.NewInt(24)) >= 0 {
				large++
			}
			if alike.Pairs() > 0 {
				shared++
			}
		}
	}) {
		t.Errorf("%d graphs were folded, %d by many symmetries, %d with places of two components", folded, large, shared)
	}
}

// TestComponentsOfPhilosophers: in a ring nobody can change places with another alone. It can be reversed, though, which exchanges
// its halves.
func TestComponentsOfPhilosophers(t *testing.T) {
	alike, err := automorphism.Components(context.Background(), petritest.Philosophers(5), nil, 1<<30)
	if err != nil || alike.Len() != 2 || alike.Symmetries().Int64() != 2 {
		t.Errorf("%v, %v, expected two components", alike, err)
	}
}
