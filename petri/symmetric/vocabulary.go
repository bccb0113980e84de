package symmetric

import "pnmc/petri"

// Vocabulary lets formulas name the nodes of a coloured net: the name of a
// coloured place stands for all places that its colours became, so that a token
// count is the sum over colours; that of a coloured transition for all its
// bindings, so that it is fireable if one binding is. Names of unfolded nodes
// are known, too. Identifiers go before names, and coloured nodes before
// unfolded ones; a name that coloured nodes share stands for none. It has the methods that package logic asks of a vocabulary.
type Vocabulary struct {
	unfolding       *Unfolding
	places          map[string][]uint32
	transitions     map[string][]uint32
	placeNames      []string
	transitionNames []string
}

// Vocabulary makes the vocabulary of the coloured net in time linear in the size
// of both nets.
func (u *Unfolding) Vocabulary() *Vocabulary {
	v := &Vocabulary{
		unfolding:   u,
		places:      make(map[string][]uint32),
		transitions: make(map[string][]uint32),
	}
	var places, transitions []labelled
	for i := range u.Coloured.Places {
		p := &u.Coloured.Places[i]
		places = append(places, labelled{petri.Label{ID: p.ID, Name: p.Name}, numbers(u.Places[i])})
	}
	for i := range u.Coloured.Transitions {
		t := &u.Coloured.Transitions[i]
		transitions = append(transitions, labelled{petri.Label{ID: t.ID, Name: t.Name}, numbers(u.Transitions[i])})
	}
	v.placeNames = enter(v.places, places)
	v.transitionNames = enter(v.transitions, transitions)
	return v
}

// labelled is a coloured node and the unfolded nodes that stand for it.
type labelled struct {
	label   petri.Label
	numbers []uint32
}

// numbers is not nil even if it is empty: such a node is known, but its colours
// are never marked, or its bindings never enabled.
func numbers[N petri.Place | petri.Transition](nodes []N) []uint32 {
	list := make([]uint32, len(nodes))
	for i, n := range nodes {
		list[i] = uint32(n)
	}
	return list
}

// enter adds nodes to a table, identifiers before names, and lists the names.
func enter(table map[string][]uint32, nodes []labelled) []string {
	var names []string
	for _, n := range nodes {
		if _, ok := table[n.label.ID]; !ok {
			table[n.label.ID] = n.numbers
			names = append(names, n.label.ID)
		}
	}
	count := make(map[string]int)
	for _, n := range nodes {
		count[n.label.Name]++
	}
	for _, n := range nodes {
		if _, ok := table[n.label.Name]; !ok && n.label.Name != "" && count[n.label.Name] == 1 {
			table[n.label.Name] = n.numbers
			names = append(names, n.label.Name)
		}
	}
	return names
}

// Places are the numbers of the places that a name stands for. They are nil if
// there is no such place; empty, but not nil, if none of its colours can ever be
// marked.
func (v *Vocabulary) Places(name string) []uint32 {
	if list, ok := v.places[name]; ok {
		return list
	}
	if p, ok := v.unfolding.Net.PlaceByID(name); ok {
		return []uint32{uint32(p)}
	}
	return nil
}

// Transitions are likewise the numbers of the transitions that a name stands
// for; empty, but not nil, if no binding can ever be enabled.
func (v *Vocabulary) Transitions(name string) []uint32 {
	if list, ok := v.transitions[name]; ok {
		return list
	}
	if t, ok := v.unfolding.Net.TransitionByID(name); ok {
		return []uint32{uint32(t)}
	}
	return nil
}

// PlaceName is the identifier of an unfolded place.
func (v *Vocabulary) PlaceName(p uint32) string {
	return v.unfolding.Net.PlaceLabel(petri.Place(p)).ID
}

// TransitionName is the identifier of an unfolded transition.
func (v *Vocabulary) TransitionName(t uint32) string {
	return v.unfolding.Net.TransitionLabel(petri.Transition(t)).ID
}

// PlaceNames are the identifiers and names of the coloured places.
func (v *Vocabulary) PlaceNames() []string { return v.placeNames }

// TransitionNames are the identifiers and names of the coloured transitions.
func (v *Vocabulary) TransitionNames() []string { return v.transitionNames }
