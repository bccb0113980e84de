package pnml

import (
	"testing"

	"pnmc/petri"
	"pnmc/petri/invariant"
)

// TestPolyORB reproduces the figures of the papers' case study: 189 places, 461
// transitions, 61,662 states.
func TestPolyORB(t *testing.T) {
	net, err := Reader{}.ReadFile("../testdata/pnml/polyorb-3-3-2.pnml")
	if err != nil {
		t.Fatal(err)
	}
	facts := invariant.Prove(t.Context(), net, 0)
	space, err := net.Explore(t.Context(), facts, petri.Budget{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if net.Places() != 189 || net.Transitions() != 461 || space.States != 61_662 {
		t.Errorf("got %d places, %d transitions, %d states", net.Places(), net.Transitions(), space.States)
	}
}
