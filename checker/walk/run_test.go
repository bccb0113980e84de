package walk_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestRandomRunTurnsBack: a run that aims at where it was gets there soon, one that
// does not hardly ever.
func TestRandomRunTurnsBack(t *testing.T) {
	net := petritest.Kanban(20)
	returned := func(step func(*walk.RandomRun) bool) int {
		count := 0
		for seed := range uint64(20) {
			r := walk.RandomRunOn(net, rand.New(rand.NewPCG(seed, 1)))
			for range 100 {
				r.Step()
			}
			from := slices.Clone(r.Marking())
			for range 8 {
				r.Step()
			}
			r.Aim(from)
			for range 300 {
				if slices.Equal(from, r.Marking()) {
					count++
					break
				}
				if !step(r) {
					t.Fatal("a deadlock")
				}
			}
		}
		return count
	}
	aimed, random := returned((*walk.RandomRun).StepToward), returned((*walk.RandomRun).Step)
	if aimed < 15 || random > 5 {
		t.Errorf("of 20 runs %d return where they aim at it, %d by chance", aimed, random)
	}
}

// TestRandomRunRealizesCycles: a multiset of firings that leads back does, in an
// order that is found.
func TestRandomRunRealizesCycles(t *testing.T) {
	net := petritest.Philosophers(3)
	id := func(name string) petri.Transition {
		u, ok := net.TransitionByID(name)
		if !ok {
			t.Fatalf("no transition %s", name)
		}
		return u
	}
	r := walk.RandomRunOn(net, rand.New(rand.NewPCG(1, 1)))
	start := slices.Clone(r.Marking())
	steps := 0
	visit := func() { steps++ }
	cycle := []witness.Burst{{Transition: id("leave1"), Times: 2}, {Transition: id("eatLeft1"), Times: 2}, {Transition: id("takeLeft1"), Times: 2}}
	if !r.Realize(cycle, visit) || steps != 6 || !slices.Equal(start, r.Marking()) {
		t.Errorf("%d steps, then %v", steps, r.Marking())
	}
	if cycle[0].Times != 2 {
		t.Error("the cycle was changed")
	}
	if r.Realize([]witness.Burst{{Transition: id("takeLeft0"), Times: 1}, {Transition: id("leave0"), Times: 1}}, visit) || steps != 7 {
		t.Errorf("what is not possible was, in %d steps", steps-6)
	}
}
