package mcc

import (
	"maps"
	"slices"

	"pnmc/petri"
	"pnmc/pnml"
)

// names are the identifiers by which property files name the nodes of a net, each with its
// number. The contest does not go by the names that nodes may have besides. A property of a coloured
// net speaks of coloured places and transitions.
type names struct {
	places, transitions     map[string][]uint32
	placeIDs, transitionIDs []string
}

// namesOf returns the identifiers of the nodes of a net, of a coloured one as it stands.
func namesOf(document pnml.Document) *names {
	n := &names{places: make(map[string][]uint32), transitions: make(map[string][]uint32)}
	if net := document.Symmetric; net != nil {
		for i := range net.Places {
			n.addPlace(net.Places[i].ID)
		}
		for i := range net.Transitions {
			n.addTransition(net.Transitions[i].ID)
		}
		return n
	}
	for p := range petri.Place(document.Net.Places()) {
		n.addPlace(document.Net.PlaceLabel(p).ID)
	}
	for t := range petri.Transition(document.Net.Transitions()) {
		n.addTransition(document.Net.TransitionLabel(t).ID)
	}
	return n
}

// addPlace gives a place the next number.
func (n *names) addPlace(id string) {
	n.places[id] = []uint32{uint32(len(n.placeIDs))}
	n.placeIDs = append(n.placeIDs, id)
}

// addTransition gives a transition the next number.
func (n *names) addTransition(id string) {
	n.transitions[id] = []uint32{uint32(len(n.transitionIDs))}
	n.transitionIDs = append(n.transitionIDs, id)
}

// Places returns the number of the place called name.
func (n *names) Places(name string) []uint32 { return n.places[name] }

// Transitions returns the number of the transition called name.
func (n *names) Transitions(name string) []uint32 { return n.transitions[name] }

// PlaceName returns the identifier of a place.
func (n *names) PlaceName(p uint32) string { return n.placeIDs[p] }

// TransitionName returns the identifier of a transition.
func (n *names) TransitionName(t uint32) string { return n.transitionIDs[t] }

// PlaceNames returns the identifiers of all places.
func (n *names) PlaceNames() []string { return slices.Sorted(maps.Keys(n.places)) }

// TransitionNames returns the identifiers of all transitions.
func (n *names) TransitionNames() []string { return slices.Sorted(maps.Keys(n.transitions)) }
