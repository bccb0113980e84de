package product

import (
	"context"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/properties"
	"pnmc/petri"
	"pnmc/petri/stubborn"
)

// Many runs of a net differ only in the order of firings that have nothing to do with each other. If
// the property cannot see these firings, one order is as good as another. A stubborn set names in each
// marking the firings that suffice; package petri/stubborn has the theory.
//
// Three things must hold for a product with such a graph to give the right verdict:
//
//   - The language of the automaton is closed under stuttering. A run that fires invisible transitions
//     in another order has the same labels, but repeated another number of times.
//   - No transition is put off for ever on a cycle. Kripke.Select is told so: with acyclic, each cycle
//     has a state where everything fires.
//   - All firings that change an observed place count as visible. Observed are the places that
//     predicates mention, and where they ask whether a transition is enabled, its input places and
//     those that inhibit it, or where a capacity does. A transition that empties a place changes it.
//
// For example, let two processes each take a hundred steps of their own, and let the property look at
// the last place of the first. There are 101·101 markings. With stubborn sets most of them are never
// met, as steps of the second process may wait or go first.

// LeaveOut makes k leave out firings that the property cannot tell from others. Nothing of k may be
// explored yet, and the language of the property's automaton must be closed under stuttering. Later k
// is of use for properties that look at the same places or fewer. It reports false, and changes
// nothing, if the property looks at deadlocks, since each firing may matter to it, or if ctx ends.
func LeaveOut(ctx context.Context, k *petri.Kripke, property properties.Property) bool {
	net := k.Net()
	observed := make([]bool, net.Places())
	for _, p := range property.Predicates {
		if rephrase.LooksAtDeadlock(p) {
			return false
		}
		rephrase.Protect(rephrase.OverPlaces(net, p), observed)
	}
	var places []petri.Place
	for p, is := range observed {
		if is {
			places = append(places, petri.Place(p))
		}
	}
	selection, err := stubborn.NewInvisible(ctx, net, k.Facts(), places)
	if err != nil {
		return false
	}
	k.Select(selection, true)
	return true
}

// stutters reports whether the language of a is known to be closed under stuttering. It finds that
// out, whatever a claims; false means that it is not, or is not known.
func stutters(ctx context.Context, a *automata.Automaton) bool {
	if a.Kind != automata.Plain {
		return false
	}
	v, err := stutter.DecideInvariance(ctx, a)
	return err == nil && v.Whole && !v.Refuted
}
