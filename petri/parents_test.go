package petri_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// parentsAreRight fails unless each marking but the first was reached from its parent by one firing, and all
// lead back to the first.
func parentsAreRight(t *rapid.T, net *petri.Net, met petri.Met, states int) {
	before, after := make(petri.Marking, net.Places()), make(petri.Marking, net.Places())
	for s := range petri.StateID(states) {
		met.Marking(s, after)
		parent, ok := met.Parent(s)
		if ok != (s > 0) || ok && parent >= s {
			t.Fatalf("state %d has parent %d, %v", s, parent, ok)
		}
		if !ok {
			continue
		}
		reached := false
		for u := range petri.Transition(net.Transitions()) {
			met.Marking(parent, before)
			reached = reached || net.Fire(before, u) && slices.Equal(before, after)
		}
		if !reached {
			t.Fatalf("nothing leads from %d, the parent, to state %d", parent, s)
		}
	}
}

// layoutOf returns how k packs markings now.
func layoutOf(k *petri.Kripke) *petri.Layout {
	met, _, _ := k.Met()
	return met.Layout()
}

// upToTwo chooses the first two transitions that are enabled.
type upToTwo struct{}

func (upToTwo) Select(_ petri.Marking, enabled []petri.Transition) []petri.Transition {
	return enabled[:min(2, len(enabled))]
}

// TestParents: each marking was reached from its parent by one firing, however often markings were packed
// anew meanwhile, and also where a group of places is not what the net claims. Whatever lacks a proof,
// parents are known: along them, unbounded growth is noticed.
func TestParents(t *testing.T) {
	counted, claimed := 0, 0 // nets in which a count was widened, and a claim was found false
	if !petritest.CheckUntil(t, func() bool { return counted > 20 && claimed > 20 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.Net(), petritest.Loose(), petritest.StateMachines(true), petritest.AllArcs()).Draw(t, "net")
		if g, finite := petritest.Explore(net, 300); !finite || len(g.Markings) < 2 {
			t.Skip("too large or unbounded, or a single marking")
		}
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		first := layoutOf(k)
		if net.Plain() && rapid.Bool().Draw(t, "selected") { // selections are for plain nets
			k.Select(upToTwo{}, false)
		}
		k.Begin(account.EndsAfter(soon)) // an exploration that goes round in parents ends, too
		for s := petri.StateID(0); int(s) < k.Len(); s++ {
			if _, err := k.Successors(s); err != nil {
				t.Fatal(err)
			}
		}
		if layoutOf(k) != first && net.FalseClaim() == nil {
			counted++
		} else if layoutOf(k) != first {
			claimed++
		}
		met, states, known := k.Met()
		if !known {
			t.Fatal("parents are not known, though no bound is")
		}
		parentsAreRight(t, net, met, states)
		met, states, known, err := petri.ExploreMet(account.EndsAfter(soon), net, petri.Facts{})
		if err != nil || !known {
			t.Fatalf("explored: %v, parents known: %v", err, known)
		}
		parentsAreRight(t, net, met, states)
	}) {
		t.Errorf("of nets in which markings are packed anew, %d claim nothing, and %d what is false", counted, claimed)
	}
}
