package labelling_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/labelling"
)

// propositions returns some: whether each of the first places of net has more than so many tokens,
// and whether nothing is enabled.
func propositions(net *petri.Net, tokens int64) []*labelling.Proposition {
	var list []*labelling.Proposition
	for p := range petri.Place(min(net.Places(), 70)) {
		list = append(list, new(labelling.Proposition))
		list[p].AtMostZero(tokens+1, []petri.Arc{{Place: p, Weight: -1}})
	}
	list = append(list, new(labelling.Proposition))
	list[len(list)-1].Deadlock()
	return list
}

// TestSharedLabels: labels that several threads compute are those of one thread, each with the same
// number for all.
func TestSharedLabels(t *testing.T) {
	nets := []*petri.Net{petritest.Philosophers(4), petritest.Philosophers(20), petritest.Kanban(1)} // one with labels of two words
	rapid.Check(t, func(t *rapid.T) {
		net, tokens := rapid.SampledFrom(nets).Draw(t, "net"), rapid.Int64Range(0, 1).Draw(t, "tokens")
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		k.Begin(context.Background())
		for s := petri.StateID(0); int(s) < k.Len() && s < 200; s++ {
			if _, err := k.Successors(s); err != nil {
				t.Fatal(err)
			}
		}
		alone := labelling.New(k, propositions(net, tokens))
		shared := labelling.NewShared()
		const threads = 4
		found := make([][]uint32, threads)
		var graph sync.Mutex // a Kripke structure is for one thread
		var all sync.WaitGroup
		for thread := range threads {
			all.Go(func() {
				r := shared.NewReader(k, propositions(net, tokens))
				for s := range petri.StateID(200) {
					graph.Lock()
					found[thread] = append(found[thread], r.Of(s))
					graph.Unlock()
				}
			})
		}
		all.Wait()
		for s := range petri.StateID(200) {
			if want := alone.Label(alone.Of(s)); !slices.Equal(shared.Label(found[0][s]), want) {
				t.Fatalf("state %d has label %b, should have %b", s, shared.Label(found[0][s]), want)
			}
			for thread := range threads {
				if found[thread][s] != found[0][s] {
					t.Fatalf("state %d has label %d for one thread, %d for another", s, found[0][s], found[thread][s])
				}
			}
		}
	})
}
