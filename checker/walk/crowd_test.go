package walk

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestCrowdsOfManyPlaces: on a net whose sets of places take several words, what is enabled along a walk
// that goes back now and then is what the net says.
func TestCrowdsOfManyPlaces(t *testing.T) {
	net := petritest.Machines(2000)
	b := newBoard(game(net))
	if b.game.crowds == nil {
		t.Fatal("no crowds")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	var run []burst
	deepest := 0
	for range 1000 {
		var want []uint32
		for u := range petri.Transition(net.Transitions()) {
			if net.Enabled(b.marking, u) {
				want = append(want, uint32(u))
			}
			if b.isEnabled(uint32(u)) != net.Enabled(b.marking, u) {
				t.Fatalf("transition %d after %v", u, run)
			}
		}
		if got := slices.Sorted(slices.Values(b.enabled)); !slices.Equal(got, want) {
			t.Fatalf("enabled %v after %v, want %v", got, run, want)
		}
		if len(want) == 0 || len(run) > 0 && rng.IntN(20) == 0 {
			left := rng.IntN(len(run))
			b.takeBack(run[left:], left == 0)
			run = run[:left]
			continue
		}
		u := want[rng.IntN(len(want))]
		if !b.fire(u, 1) {
			t.Fatalf("transition %d can't fire after %v", u, run)
		}
		run = append(run, burst{Transition: petri.Transition(u), Times: 1})
		deepest = max(deepest, len(run))
	}
	if deepest < 3 {
		t.Errorf("no run is longer than %d", deepest)
	}
}

// TestCrowdsThatDoNotPay: where firings bring nothing that wakes, transitions wait one by one.
func TestCrowdsThatDoNotPay(t *testing.T) {
	b := &petri.Builder{ID: "loops"}
	p, err := b.AddPlace("p", "", 1)
	for i := range 2 * consumersOfCrowded {
		u, transitionErr := b.AddTransition(fmt.Sprint("t", i), "")
		err = errors.Join(err, transitionErr, b.AddInput(p, u, 1), b.AddOutput(u, p, 1))
	}
	net, buildErr := b.Build()
	if err := errors.Join(err, buildErr); err != nil {
		t.Fatal(err)
	}
	if game(net).crowds != nil {
		t.Error("crowds")
	}
}
