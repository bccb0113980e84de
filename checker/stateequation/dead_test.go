package stateequation

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// TestDeadNeverFire: what is said never to fire is enabled in none of the markings that the naive exploration finds.
// Nets have weights, loops, read, inhibitor and reset arcs and capacities, and may have no bounds. To look at what
// stands for others loses next to nothing.
func TestDeadNeverFire(t *testing.T) {
	found, special, unbounded, lost := 0, 0, 0, 0
	if !petritest.CheckManyUntil(t, 4000, func() bool { return found > 500 && special > 50 && unbounded > 50 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.Net(), petritest.Loose(), petritest.Chains(), petritest.StateMachines(true)).Draw(t, "net")
		e := New(net)
		if e == nil {
			return
		}
		g, all := petritest.Explore(net, 300)
		var candidates []petri.Transition
		for u := range petri.Transition(net.Transitions()) {
			candidates = append(candidates, u)
		}
		branches := rapid.SampledFrom([]int{0, 1, 2, fewBranches, fewBranches, fewBranches}).Draw(t, "branches")
		dead := e.deadWithin(context.Background(), slices.Clone(candidates), time.Second, branches)
		for _, u := range candidates {
			if !slices.Contains(dead, u) {
				if branches == fewBranches && e.Contradicts(context.Background(), &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(u)}}) {
					lost++ // by a trap that was found later
				}
				continue
			}
			if i := slices.IndexFunc(g.Markings, func(m petri.Marking) bool { return net.Enabled(m, u) }); i >= 0 {
				t.Fatalf("%s is enabled in %v", net.TransitionLabel(u).ID, g.Markings[i])
			}
			found++
			if !all {
				unbounded++
			}
			if !net.Plain() {
				special++
			}
		}
	}) || lost > found/20 {
		t.Errorf("%d transitions never fire, %d of nets with special arcs, %d of nets without bounds; %d were not found", found, special, unbounded, lost)
	}
}

// TestDeadEnds: a search without time finds nothing, and asks nothing.
func TestDeadEnds(t *testing.T) {
	e := New(made(t, 2, transition{[]int{0}, 1}, transition{[]int{1}, 0}))
	if dead := e.Dead(t.Context(), []petri.Transition{0, 1}, time.Second); len(dead) != 2 {
		t.Errorf("%v never fire, of two without tokens", dead)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if dead := e.Dead(ctx, []petri.Transition{0, 1}, time.Second); len(dead) != 0 {
		t.Errorf("%v were found without time", dead)
	}
}
