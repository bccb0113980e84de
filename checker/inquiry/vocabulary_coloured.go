package inquiry

import (
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// Vocabulary lets formulas name the places and transitions of the problem's net, of a
// coloured one the coloured nodes. A problem without net has none.
func (p Problem) Vocabulary() logic.Vocabulary {
	switch {
	case p.Coloured != nil:
		return newColouredVocabulary(p.Coloured)
	case p.Net == nil:
		return Vocabulary(new(petri.Net))
	}
	return Vocabulary(p.Net)
}

// colouredVocabulary is the vocabulary of a net's coloured nodes.
type colouredVocabulary struct {
	net                 *symmetric.Net
	places, transitions nodeTable
}

// nodeTable finds nodes by identifier, or else by a name that is no other's.
type nodeTable struct {
	byID, byName map[string][]uint32
	ids          []string
}

// newColouredVocabulary takes in the nodes of a net, by their numbers there.
func newColouredVocabulary(net *symmetric.Net) *colouredVocabulary {
	v := &colouredVocabulary{net, newNodeTable(), newNodeTable()}
	for i := range net.Places {
		v.places.add(uint32(i), net.Places[i].ID, net.Places[i].Name)
	}
	for i := range net.Transitions {
		v.transitions.add(uint32(i), net.Transitions[i].ID, net.Transitions[i].Name)
	}
	return v
}

func newNodeTable() nodeTable {
	return nodeTable{byID: make(map[string][]uint32), byName: make(map[string][]uint32)}
}

// add takes in a node. Nodes come in the order of their numbers.
func (t *nodeTable) add(number uint32, id, name string) {
	t.byID[id] = []uint32{number}
	t.byName[name] = append(t.byName[name], number)
	t.ids = append(t.ids, id)
}

// find returns the node of this identifier, or else the only node of this name.
func (t *nodeTable) find(name string) []uint32 {
	if list := t.byID[name]; list != nil {
		return list
	}
	return only(t.byName[name])
}

// homonyms returns the identifiers of the nodes called name, if there are several.
func (t *nodeTable) homonyms(name string) (ids []string) {
	if nodes := t.byName[name]; name != "" && len(nodes) > 1 {
		for _, n := range nodes {
			ids = append(ids, t.ids[n])
		}
	}
	return ids
}

func (v *colouredVocabulary) Places(name string) []uint32      { return v.places.find(name) }
func (v *colouredVocabulary) Transitions(name string) []uint32 { return v.transitions.find(name) }
func (v *colouredVocabulary) PlaceName(p uint32) string        { return v.places.ids[p] }
func (v *colouredVocabulary) TransitionName(t uint32) string   { return v.transitions.ids[t] }

// PlaceNames returns the identifiers of the places, and those names that stand for one
// place.
func (v *colouredVocabulary) PlaceNames() []string {
	return appendUnique(append([]string(nil), v.places.ids...), v.places.byName)
}

// TransitionNames returns those of the transitions in the same way.
func (v *colouredVocabulary) TransitionNames() []string {
	return appendUnique(append([]string(nil), v.transitions.ids...), v.transitions.byName)
}

// Homonyms returns the identifiers of the places and transitions called name, if there are
// several of a kind.
func (v *colouredVocabulary) Homonyms(name string) (places, transitions []string) {
	return v.places.homonyms(name), v.transitions.homonyms(name)
}
