package checker_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pnmc/checker"
	"pnmc/petri/petritest"
)

// TestRandomRunTurnsBack: a run that aims at where it was gets there soon, one that
// does not hardly ever.
func TestRandomRunTurnsBack(t *testing.T) {
	net := petritest.Kanban(20)
	returned := func(step func(*checker.RandomRun) bool) int {
		count := 0
		for seed := range uint64(20) {
			r := checker.NewRandomRun(net, rand.New(rand.NewPCG(seed, 1)))
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
	aimed, random := returned((*checker.RandomRun).StepToward), returned((*checker.RandomRun).Step)
	if aimed < 15 || random > 5 {
		t.Errorf("of 20 runs %d return where they aim at it, %d by chance", aimed, random)
	}
}
