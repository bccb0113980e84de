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

// LeaveOut has k, of which nothing is explored yet, leave out firings that the property can't
// tell from others. The language of its automaton must be closed under stuttering, as the
// caller has found out; k is then of use for properties that look at the same places or fewer.
// It reports false, and changes nothing, if the property looks at deadlocks, as each firing may
// matter to it, if the net is not plain, or if ctx ends.
func LeaveOut(ctx context.Context, k *petri.Kripke, property properties.Property) bool {
	net := k.Net()
	if !net.Plain() {
		return false
	}
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
	selection, err := stubborn.NewInvisible(ctx, net, places)
	if err != nil {
		return false
	}
	k.Select(selection, true)
	return true
}

// stutters reports whether the language of a is known to be closed under stuttering, whatever
// a claims.
func stutters(ctx context.Context, a *automata.Automaton) bool {
	if a.Kind != automata.Plain {
		return false
	}
	v, err := stutter.DecideInvariance(ctx, a)
	return err == nil && v.Whole && !v.Refuted
}
