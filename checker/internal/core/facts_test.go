package core

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// TestFactsOfReducedNets: semiflows and bounds hold in all markings of nets that
// are reduced in any way.
func TestFactsOfReducedNets(t *testing.T) {
	kept := 0
	if !petritest.CheckUntil(t, func() bool { return kept > 0 }, func(t *rapid.T) {
		net, _ := petritest.SmallNet(t)
		protected := make([]bool, net.Places())
		for p := range protected {
			protected[p] = rapid.IntRange(0, 2).Draw(t, "protected") == 0
		}
		wanted := rapid.SampledFrom([]reduce.Preserves{reduce.Reachability, reduce.Deadlock, reduce.Stuttering, reduce.Branching, reduce.Firings}).Draw(t, "wanted")
		reduction, err := reduce.Apply(context.Background(), net, protected, wanted)
		if err != nil {
			t.Fatal(err)
		}
		g, complete := petritest.Explore(reduction.Net, 2000)
		if !complete {
			t.Fatal("the reduced net has many markings")
		}
		r := &Task{Shared: NewShared(Settings{}, 0), Net: net, Facts: new(FactsMemory)}
		facts := r.FactsOfReduced(context.Background(), reduction)
		kept += len(facts.Semiflows)
		for _, m := range g.Markings {
			for p, tokens := range m {
				if b := facts.Bound(petri.Place(p)); b != petri.Unbounded && tokens > b {
					t.Fatalf("place %d has %d tokens, its bound is %d", p, tokens, b)
				}
			}
			for _, f := range facts.Semiflows {
				value := int64(0)
				for _, a := range f.Terms {
					value += a.Weight * m[a.Place]
				}
				if value != f.Value {
					t.Fatalf("semiflow %v has the value %d in %v", f, value, m)
				}
			}
		}
	}) {
		t.Error("no semiflow is kept")
	}
}
