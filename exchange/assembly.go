package exchange

import (
	"unsafe"

	"pnmc/petri"
)

// An assembly is a net while its text is read: nodes are numbered as they are met, since arcs may
// name them before their own line. Positions are kept with nodes and arcs. Some mistakes, such as
// an identifier that a place and a transition share, are found only when the net is built, and the
// error must say where they are.
type assembly struct {
	limit       Limit
	file, id    string
	places      []assembledPlace
	transitions []assembledTransition
	placeOf     map[string]int
	transitOf   map[string]int
	arcs        []assembledArc
}

// assembledPlace is a place as far as it was read, and where it was met first.
type assembledPlace struct {
	id, name string
	tokens   int64
	at       position
}

// assembledTransition is a transition, likewise.
type assembledTransition struct {
	id, name string
	at       position
}

// arcSort is what an arc does.
type arcSort uint8

const (
	consumes arcSort = iota
	produces
	reads
	inhibits
)

// assembledArc is an arc between nodes by their numbers, which take less than pointers: nets may
// have many millions of arcs.
type assembledArc struct {
	weight            int64
	place, transition int32
	at                position
	sort              arcSort
}

// addTo adds the arc to a net whose nodes have the numbers that the assembly gave them.
func (a assembledArc) addTo(b *petri.Builder) error {
	p, t := petri.Place(a.place), petri.Transition(a.transition)
	switch a.sort {
	case consumes:
		return b.AddInput(p, t, a.weight)
	case produces:
		return b.AddOutput(t, p, a.weight)
	case reads:
		return b.AddRead(p, t, a.weight)
	}
	return b.AddInhibitor(p, t, a.weight)
}

func newAssembly(file string, limit Limit) *assembly {
	return &assembly{limit: limit, file: file, placeOf: make(map[string]int), transitOf: make(map[string]int)}
}

// place returns the number of the place of that identifier, which is new if there is none.
func (a *assembly) place(id string, at position) int {
	return numbered(a.placeOf, &a.places, id, assembledPlace{id: id, at: at})
}

// transition returns the number of the transition of that identifier, likewise.
func (a *assembly) transition(id string, at position) int {
	return numbered(a.transitOf, &a.transitions, id, assembledTransition{id: id, at: at})
}

// numbered returns the number of a node in list. If there is none of that identifier, it is fresh.
func numbered[T any](numberOf map[string]int, list *[]T, id string, fresh T) int {
	n, known := numberOf[id]
	if !known {
		n = len(*list)
		numberOf[id] = n
		*list = append(*list, fresh)
	}
	return n
}

// arc adds an arc, if there is room to copy the others where they outgrow their place.
func (a *assembly) arc(arc assembledArc) error {
	if n := len(a.arcs); n == cap(a.arcs) && n > 0 {
		if err := a.limit.ask((n + n/4) * int(unsafe.Sizeof(arc))); err != nil {
			return err
		}
	}
	a.arcs = append(a.arcs, arc)
	return nil
}

// arcBytes and nodeBytes are about the memory that the net takes for each arc and node,
// besides that of the assembly.
const (
	arcBytes  = 128
	nodeBytes = 256
)

// build makes the net.
//
// The list of arcs and the maps are dropped before the builder indexes arcs, which needs memory
// of its own: so large nets have a lower peak.
func (a *assembly) build() (*petri.Net, error) {
	if err := a.limit.ask(arcBytes*len(a.arcs) + nodeBytes*(len(a.places)+len(a.transitions))); err != nil {
		return nil, err
	}
	b := &petri.Builder{ID: a.id}
	for _, p := range a.places {
		if _, err := b.AddPlace(p.id, p.name, p.tokens); err != nil {
			return nil, errorAt(a.file, p.at, err, "%v, expected another", err)
		}
	}
	for _, t := range a.transitions {
		if _, err := b.AddTransition(t.id, t.name); err != nil {
			return nil, errorAt(a.file, t.at, err, "%v, expected another", err)
		}
	}
	for _, arc := range a.arcs {
		if err := arc.addTo(b); err != nil {
			return nil, errorAt(a.file, arc.at, err, "%v, expected an arc that can be added", err)
		}
	}
	a.arcs, a.placeOf, a.transitOf = nil, nil, nil // which the garbage collector may take
	net, err := b.Build()
	if err != nil {
		return nil, errorAt(a.file, position{}, err, "%v, expected less", err)
	}
	return net, nil
}
