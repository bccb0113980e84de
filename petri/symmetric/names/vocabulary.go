package names

import (
	"slices"

	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// Vocabulary lets formulas name the nodes of a coloured net. The name of a coloured
// place stands for all places that its colours became, so a token count is the sum over
// colours. The name of a coloured transition stands for all its bindings, so it is
// fireable if one binding is.
//
// Nodes of the unfolded net have identifiers of their own, other than those of the
// coloured net. A node that was never built can be named, too: no token ever gets
// there. Identifiers go before names; a name that coloured nodes share stands for none.
// It has the methods that package logic asks of a vocabulary.
type Vocabulary struct {
	unfolding           *symmetric.Unfolding
	places, transitions colouredTable
}

// colouredTable finds the unfolded nodes that stand for a coloured one.
type colouredTable struct {
	byID, byName map[string][]uint32
	nodes        map[string]int      // numbers of coloured nodes, by identifier
	longest      int                 // the length of the longest identifier
	homonyms     map[string][]string // names that several share, with their identifiers
	names        []string            // identifiers and names known
}

// Of makes the vocabulary of the coloured net that was unfolded, in time linear in the size
// of both nets.
func Of(u *symmetric.Unfolding) *Vocabulary {
	v := &Vocabulary{unfolding: u}
	var places, transitions []labelled
	for i := range u.Coloured.Places {
		p := &u.Coloured.Places[i]
		places = append(places, labelled{petri.Label{ID: p.ID, Name: p.Name}, numbers(u.Places[i])})
	}
	for i := range u.Coloured.Transitions {
		t := &u.Coloured.Transitions[i]
		transitions = append(transitions, labelled{petri.Label{ID: t.ID, Name: t.Name}, numbers(u.Transitions[i])})
	}
	v.places = tableOf(places, func(id string) bool { _, ok := placeByID(u, id); return ok })
	v.transitions = tableOf(transitions, func(id string) bool { _, ok := u.Net.TransitionByID(id); return ok })
	return v
}

// placeByID returns the unfolded place of an identifier, unless it is a sum, which stands for no
// colour.
func placeByID(u *symmetric.Unfolding, id string) (petri.Place, bool) {
	p, ok := u.Net.PlaceByID(id)
	return p, ok && !slices.Contains(u.Sums, p)
}

// labelled is a coloured node and the unfolded nodes that stand for it.
type labelled struct {
	label   petri.Label
	numbers []uint32
}

// numbers returns the numbers of nodes. The result is not nil even if it is empty: such a node is
// known, but its colours are never marked, or its bindings never enabled.
func numbers[N petri.Place | petri.Transition](nodes []N) []uint32 {
	list := make([]uint32, len(nodes))
	for i, n := range nodes {
		list[i] = uint32(n)
	}
	return list
}

// tableOf enters coloured nodes, by their identifiers, and by those of their names that are no
// identifier of any node, coloured or unfolded.
func tableOf(nodes []labelled, unfolded func(id string) bool) colouredTable {
	t := colouredTable{
		byID: make(map[string][]uint32), byName: make(map[string][]uint32),
		nodes: make(map[string]int), homonyms: make(map[string][]string),
	}
	sharing := make(map[string][]string)
	for i, n := range nodes {
		t.byID[n.label.ID], t.nodes[n.label.ID] = n.numbers, i
		t.longest = max(t.longest, len(n.label.ID))
		t.names = append(t.names, n.label.ID)
		sharing[n.label.Name] = append(sharing[n.label.Name], n.label.ID)
	}
	for _, n := range nodes {
		name := n.label.Name
		if _, taken := t.byID[name]; taken || name == "" || unfolded(name) {
			continue
		}
		if identifiers := sharing[name]; len(identifiers) > 1 {
			t.homonyms[name] = identifiers
			continue
		}
		t.byName[name] = n.numbers
		t.names = append(t.names, name)
	}
	return t
}

// find looks a name up, by unfolded nodes between identifiers and names.
func (t *colouredTable) find(name string, unfolded func() []uint32) []uint32 {
	if list, ok := t.byID[name]; ok {
		return list
	}
	if list := unfolded(); list != nil {
		return list
	}
	return t.byName[name]
}

// Places returns the numbers of the places that a name stands for. They are nil if
// there is no such place; empty, but not nil, if none of its colours can ever be
// marked.
func (v *Vocabulary) Places(name string) []uint32 {
	return v.places.find(name, func() []uint32 {
		if p, ok := placeByID(v.unfolding, name); ok {
			return []uint32{uint32(p)}
		}
		places := v.unfolding.Coloured.Places
		if v.neverBuilt(name, &v.places, func(place int) symmetric.Domain { return places[place].Domain }) {
			return []uint32{}
		}
		return nil
	})
}

// Transitions returns the numbers of the transitions that a name stands for. They are nil if there
// is no such transition; empty, but not nil, if no binding can ever be enabled.
func (v *Vocabulary) Transitions(name string) []uint32 {
	return v.transitions.find(name, func() []uint32 {
		if t, ok := v.unfolding.Net.TransitionByID(name); ok {
			return []uint32{uint32(t)}
		}
		if v.neverBuilt(name, &v.transitions, v.classesOf) {
			return []uint32{}
		}
		return nil
	})
}

// classesOf returns the classes of a coloured transition's variables.
func (v *Vocabulary) classesOf(transition int) symmetric.Domain {
	variables := v.unfolding.Coloured.Transitions[transition].Variables
	classes := make(symmetric.Domain, len(variables))
	for i, variable := range variables {
		classes[i] = variable.Class
	}
	return classes
}

// neverBuilt reports whether name is that of a node of a table, by its identifier and some colours of its
// classes, which is not in the unfolded net since no token ever gets there. It gives up a name that takes more
// than mostSteps: that stands for nothing.
func (v *Vocabulary) neverBuilt(name string, t *colouredTable, classes func(node int) symmetric.Domain) bool {
	if v.unfolding.Options.Merge || v.unfolding.Options.DropConstant {
		return false // that is not why
	}
	s := spelling{left: mostSteps}
	for i := 0; i < len(name) && i <= t.longest; i++ {
		if name[i] != '_' {
			continue
		}
		if node, known := t.nodes[name[:i]]; s.take(i) && known && s.isTuple(name[i+1:], classes(node)) {
			return true
		}
	}
	return false
}

// Homonyms returns the identifiers of the coloured places and transitions called
// name, if there are several of a kind.
func (v *Vocabulary) Homonyms(name string) (places, transitions []string) {
	return v.places.homonyms[name], v.transitions.homonyms[name]
}

// PlaceName returns the identifier of an unfolded place.
func (v *Vocabulary) PlaceName(p uint32) string {
	return v.unfolding.Net.PlaceLabel(petri.Place(p)).ID
}

// TransitionName returns the identifier of an unfolded transition.
func (v *Vocabulary) TransitionName(t uint32) string {
	return v.unfolding.Net.TransitionLabel(petri.Transition(t)).ID
}

// PlaceNames returns the identifiers and names of the coloured places.
func (v *Vocabulary) PlaceNames() []string { return v.places.names }

// TransitionNames returns the identifiers and names of the coloured transitions.
func (v *Vocabulary) TransitionNames() []string { return v.transitions.names }
