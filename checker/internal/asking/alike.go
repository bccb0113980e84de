package asking

import (
	"context"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/automorphism"
)

// orbitWork is the work that may be done to find places and transitions that are alike, in about
// nanoseconds.
const orbitWork = 50_000_000

// unlike returns the places and the transitions that questions about all of them have to ask for: one
// of those that symmetries of the net map to each other. Either all of them can have a second token,
// change or fire, or none can. by is what some are left out by. Nodes of coloured nets are all asked
// for, and so are all nodes where time or memory does not do to find out.
func unlike(ctx context.Context, r *core.Task) (places, transitions [][]uint32, by inquiry.Techniques) {
	places, transitions = r.Groups.Places, r.Groups.Transitions
	if r.Folded || !r.Groups.Same() || !r.Shared.Uses(inquiry.Symmetries) {
		return places, transitions, 0
	}
	within, stop := account.Within(ctx, r.Budget)
	leastPlaces, leastTransitions, err := automorphism.Orbits(within, r.Net, orbitWork)
	stop(nil)
	if err != nil {
		return places, transitions, 0
	}
	var somePlaces, someTransitions [][]uint32
	for p, least := range leastPlaces {
		if least == petri.Place(p) {
			somePlaces = append(somePlaces, places[p])
		}
	}
	for t, least := range leastTransitions {
		if least == petri.Transition(t) {
			someTransitions = append(someTransitions, transitions[t])
		}
	}
	if len(somePlaces)+len(someTransitions) == len(places)+len(transitions) {
		return places, transitions, 0
	}
	r.Note("%d of %d places and %d of %d transitions are unlike each other", len(somePlaces), len(places), len(someTransitions), len(transitions))
	return somePlaces, someTransitions, inquiry.Symmetries
}
