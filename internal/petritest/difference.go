package petritest

import (
	"fmt"

	"pnmc/petri"
)

// Difference returns in what two nets differ, beside nested units; "" if in nothing. Names are
// compared if named is true, identifiers always.
func Difference(a, b *petri.Net, named bool) string {
	label := func(l petri.Label) petri.Label {
		if !named {
			l.Name = ""
		}
		return l
	}
	switch {
	case a.Places() != b.Places():
		return fmt.Sprintf("%d and %d places", a.Places(), b.Places())
	case a.Transitions() != b.Transitions():
		return fmt.Sprintf("%d and %d transitions", a.Transitions(), b.Transitions())
	}
	for p := range petri.Place(a.Places()) {
		switch {
		case label(a.PlaceLabel(p)) != label(b.PlaceLabel(p)):
			return fmt.Sprintf("places %v and %v", a.PlaceLabel(p), b.PlaceLabel(p))
		case a.InitialTokens(p) != b.InitialTokens(p) || a.Capacity(p) != b.Capacity(p):
			return fmt.Sprintf("place %v has %d tokens of %d and %d of %d", a.PlaceLabel(p),
				a.InitialTokens(p), a.Capacity(p), b.InitialTokens(p), b.Capacity(p))
		}
	}
	for t := range petri.Transition(a.Transitions()) {
		switch {
		case label(a.TransitionLabel(t)) != label(b.TransitionLabel(t)):
			return fmt.Sprintf("transitions %v and %v", a.TransitionLabel(t), b.TransitionLabel(t))
		case !a.SameArcs(t, b, t):
			return fmt.Sprintf("the arcs of transition %v", a.TransitionLabel(t))
		}
	}
	return ""
}
