package walk

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestSupply: a transition is planned if and only if all its places have tokens or supporters, and costs what the
// supporters of those cost that lack tokens, a firing for each, and its waste.
func TestSupply(t *testing.T) {
	behind := 0
	petritest.CheckMany(t, 500, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		b := newBoard(game(net))
		r := newRelaxedPlan(b, rand.New(rand.NewPCG(1, 2)))
		if rapid.Bool().Draw(t, "raises") {
			sum := drawSum(t, net)
			r.raised = r.raising(&walkGoal{maximum: sum, terms: sum.Terms})
		}
		for range rapid.IntRange(1, 6).Draw(t, "firings") {
			r.supply()
			for u := range uint32(net.Transitions()) {
				total, missing, planned := int32(0), 0, true
				for _, a := range net.Pre(petri.Transition(u)) {
					if b.marking[a.Place] >= a.Weight {
						continue
					}
					missing++
					if s := r.supporter[a.Place]; s < 0 {
						planned = false
					} else {
						total = min(mostCost, total+1+r.cost[s])
					}
				}
				want := min(mostCost, total+r.waste(u))
				switch {
				case !planned:
					want = unplanned
				case missing == 0 && !b.isEnabled(u):
					want = 1 // a ceiling disables it
				case total > 1:
					behind++
				}
				if r.cost[u] != want {
					t.Fatalf("transition %d costs %d in %v, want %d", u, r.cost[u], b.marking, want)
				}
			}
			if len(b.enabled) == 0 || !b.fire(rapid.SampledFrom(b.enabled).Draw(t, "transition"), 1) {
				return
			}
		}
	})
	if behind == 0 {
		t.Error("no transition is behind several others")
	}
}
