package mcc

import (
	"maps"
	"slices"

	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// names are the identifiers that property files use, each for the nodes it
// stands for: of a coloured net for the instances of a node, of which there may
// be none.
type names struct {
	places, transitions           map[string][]uint32
	placeName, transitionName     []string   // of the net's nodes
	placeGroups, transitionGroups [][]uint32 // of the file's nodes, in its order
}

// namesOf are the identifiers of the nodes of a place/transition net.
func namesOf(net *petri.Net) *names {
	n := newNames(net)
	for p := range uint32(net.Places()) {
		n.addPlace(net.PlaceLabel(petri.Place(p)).ID, []uint32{p})
	}
	for t := range uint32(net.Transitions()) {
		n.addTransition(net.TransitionLabel(petri.Transition(t)).ID, []uint32{t})
	}
	return n
}

// colouredNames are those of the nodes of a coloured net that was unfolded.
func colouredNames(u *symmetric.Unfolding) *names {
	n := newNames(u.Net)
	for i, p := range u.Coloured.Places {
		members := make([]uint32, len(u.Places[i]))
		for j, q := range u.Places[i] {
			members[j] = uint32(q)
		}
		n.addPlace(p.ID, members)
	}
	for i, t := range u.Coloured.Transitions {
		members := make([]uint32, len(u.Transitions[i]))
		for j, q := range u.Transitions[i] {
			members[j] = uint32(q)
		}
		n.addTransition(t.ID, members)
	}
	return n
}

// nodeNames are those of the nodes of a coloured net that is not unfolded, each for one
// node with its number.
func nodeNames(net *symmetric.Net) *names {
	n := &names{
		places: make(map[string][]uint32), transitions: make(map[string][]uint32),
		placeName: make([]string, len(net.Places)), transitionName: make([]string, len(net.Transitions)),
	}
	for i, p := range net.Places {
		n.addPlace(p.ID, []uint32{uint32(i)})
	}
	for i, t := range net.Transitions {
		n.addTransition(t.ID, []uint32{uint32(i)})
	}
	return n
}

func newNames(net *petri.Net) *names {
	return &names{
		places: make(map[string][]uint32), transitions: make(map[string][]uint32),
		placeName: make([]string, net.Places()), transitionName: make([]string, net.Transitions()),
	}
}

func (n *names) addPlace(id string, members []uint32) {
	n.places[id] = members
	n.placeGroups = append(n.placeGroups, members)
	for _, p := range members {
		n.placeName[p] = id
	}
}

func (n *names) addTransition(id string, members []uint32) {
	n.transitions[id] = members
	n.transitionGroups = append(n.transitionGroups, members)
	for _, t := range members {
		n.transitionName[t] = id
	}
}

// Places are the numbers of the places called name. A coloured place that no colour ever
// marks has none, which is not the same as no place.
func (n *names) Places(name string) []uint32 { return known(n.places, name) }

// Transitions are the numbers of the transitions called name.
func (n *names) Transitions(name string) []uint32 { return known(n.transitions, name) }

func known(table map[string][]uint32, name string) []uint32 {
	members, known := table[name]
	if known && members == nil {
		return []uint32{}
	}
	return members
}

// PlaceName is the identifier of a place.
func (n *names) PlaceName(p uint32) string { return n.placeName[p] }

// TransitionName is the identifier of a transition.
func (n *names) TransitionName(t uint32) string { return n.transitionName[t] }

// PlaceNames are the identifiers of all places.
func (n *names) PlaceNames() []string { return slices.Sorted(maps.Keys(n.places)) }

// TransitionNames are the identifiers of all transitions.
func (n *names) TransitionNames() []string { return slices.Sorted(maps.Keys(n.transitions)) }
