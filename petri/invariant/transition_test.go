package invariant_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri/invariant"
)

// TestTransitionSemiflowsLeadBack: their effects add up to nothing.
func TestTransitionSemiflowsLeadBack(t *testing.T) {
	found := 0
	if !petritest.CheckManyUntil(t, 3000, func() bool { return found > 0 }, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		cycles, err := invariant.TransitionSemiflows(context.Background(), net, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, cycle := range cycles {
			found++
			effect := make([]int64, net.Places())
			for _, f := range cycle {
				if f.Times < 1 {
					t.Fatalf("%v", cycle)
				}
				for _, d := range net.Effect(f.Transition) {
					effect[d.Place] += f.Times * d.Weight
				}
			}
			for p, e := range effect {
				if e != 0 {
					t.Fatalf("%v changes place %d by %d", cycle, p, e)
				}
			}
		}
	}) {
		t.Error("none was found")
	}
}

// TestTransitionSemiflowsOfPhilosophers: each of three eats in two ways.
func TestTransitionSemiflowsOfPhilosophers(t *testing.T) {
	cycles, err := invariant.TransitionSemiflows(context.Background(), petritest.Philosophers(3), 0)
	if err != nil || len(cycles) != 6 {
		t.Errorf("%v, %v", cycles, err)
	}
}
