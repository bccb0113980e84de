package inquiry

import (
	"pnmc/logic"
	"pnmc/petri"
)

// netVocabulary lets formulas name the places and transitions of a net.
type netVocabulary struct {
	net               *petri.Net
	placesByName      map[string][]uint32
	transitionsByName map[string][]uint32
}

// Vocabulary returns the places and transitions of net as formulas name them: by
// identifier, or else by name. A name that several nodes share stands for none
// of them: it would be a guess.
func Vocabulary(net *petri.Net) logic.Vocabulary {
	v := &netVocabulary{net: net, placesByName: map[string][]uint32{}, transitionsByName: map[string][]uint32{}}
	for p := range uint32(net.Places()) {
		name := net.PlaceLabel(petri.Place(p)).Name
		v.placesByName[name] = append(v.placesByName[name], p)
	}
	for t := range uint32(net.Transitions()) {
		name := net.TransitionLabel(petri.Transition(t)).Name
		v.transitionsByName[name] = append(v.transitionsByName[name], t)
	}
	return v
}

// Places returns the place of this identifier, or else the only place of this name.
func (v *netVocabulary) Places(name string) []uint32 {
	if p, ok := v.net.PlaceByID(name); ok {
		return []uint32{uint32(p)}
	}
	return only(v.placesByName[name])
}

// Transitions returns the transition of this identifier, or else the only transition of this name.
func (v *netVocabulary) Transitions(name string) []uint32 {
	if t, ok := v.net.TransitionByID(name); ok {
		return []uint32{uint32(t)}
	}
	return only(v.transitionsByName[name])
}

// only returns nodes if there is one, and nil otherwise: a name that several nodes have means none.
func only(nodes []uint32) []uint32 {
	if len(nodes) != 1 {
		return nil
	}
	return nodes
}

// PlaceName returns the identifier of a place.
func (v *netVocabulary) PlaceName(p uint32) string {
	return v.net.PlaceLabel(petri.Place(p)).ID
}

// TransitionName returns the identifier of a transition.
func (v *netVocabulary) TransitionName(t uint32) string {
	return v.net.TransitionLabel(petri.Transition(t)).ID
}

// PlaceNames returns the identifiers of the places, and those names that stand for
// one place.
func (v *netVocabulary) PlaceNames() []string {
	names := make([]string, v.net.Places())
	for p := range names {
		names[p] = v.PlaceName(uint32(p))
	}
	return appendUnique(names, v.placesByName)
}

// TransitionNames returns those of the transitions in the same way.
func (v *netVocabulary) TransitionNames() []string {
	names := make([]string, v.net.Transitions())
	for t := range names {
		names[t] = v.TransitionName(uint32(t))
	}
	return appendUnique(names, v.transitionsByName)
}

// appendUnique appends to identifiers the names of single nodes that aren't
// identifiers themselves.
func appendUnique(identifiers []string, byName map[string][]uint32) []string {
	known := make(map[string]bool, len(identifiers))
	for _, identifier := range identifiers {
		known[identifier] = true
	}
	for name, nodes := range byName {
		if len(nodes) == 1 && name != "" && !known[name] {
			identifiers = append(identifiers, name)
		}
	}
	return identifiers
}

// Homonyms returns the identifiers of the places and transitions called name, if
// there are several of a kind.
func (v *netVocabulary) Homonyms(name string) (places, transitions []string) {
	if nodes := v.placesByName[name]; name != "" && len(nodes) > 1 {
		for _, p := range nodes {
			places = append(places, v.PlaceName(p))
		}
	}
	if nodes := v.transitionsByName[name]; name != "" && len(nodes) > 1 {
		for _, t := range nodes {
			transitions = append(transitions, v.TransitionName(t))
		}
	}
	return places, transitions
}
