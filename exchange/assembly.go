package exchange

import (
	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/petri"
)

// An assembly is a net while its text is read: nodes are numbered as they are met, since arcs
// may name them before their own line.
type assembly struct {
	id          string
	places      []assembledPlace
	transitions []assembledTransition
	placeOf     map[string]int
	transitOf   map[string]int
	arcs        []assembledArc
}

type assembledPlace struct {
	id, name string
	tokens   int64
	at       lexer.Position
}

type assembledTransition struct {
	id, name string
	at       lexer.Position
}

// arcSort is what an arc does.
type arcSort uint8

const (
	consumes arcSort = iota
	produces
	reads
	inhibits
)

type assembledArc struct {
	sort              arcSort
	place, transition int
	weight            int64
	at                lexer.Position
}

func newAssembly() *assembly {
	return &assembly{placeOf: make(map[string]int), transitOf: make(map[string]int)}
}

// place is the number of the place of that identifier, which is new if there is none.
func (a *assembly) place(id string, at lexer.Position) int {
	n, known := a.placeOf[id]
	if !known {
		n = len(a.places)
		a.placeOf[id] = n
		a.places = append(a.places, assembledPlace{id: id, at: at})
	}
	return n
}

// transition is likewise the number of a transition.
func (a *assembly) transition(id string, at lexer.Position) int {
	n, known := a.transitOf[id]
	if !known {
		n = len(a.transitions)
		a.transitOf[id] = n
		a.transitions = append(a.transitions, assembledTransition{id: id, at: at})
	}
	return n
}

// build makes the net.
func (a *assembly) build() (*petri.Net, error) {
	b := &petri.Builder{ID: a.id}
	for _, p := range a.places {
		if _, err := b.AddPlace(p.id, p.name, p.tokens); err != nil {
			return nil, errorAt(p.at, err, "%v, expected another", err)
		}
	}
	for _, t := range a.transitions {
		if _, err := b.AddTransition(t.id, t.name); err != nil {
			return nil, errorAt(t.at, err, "%v, expected another", err)
		}
	}
	for _, arc := range a.arcs {
		p, t := petri.Place(arc.place), petri.Transition(arc.transition)
		var err error
		switch arc.sort {
		case consumes:
			err = b.AddInput(p, t, arc.weight)
		case produces:
			err = b.AddOutput(t, p, arc.weight)
		case reads:
			err = b.AddRead(p, t, arc.weight)
		default:
			err = b.AddInhibitor(p, t, arc.weight)
		}
		if err != nil {
			return nil, errorAt(arc.at, err, "%v, expected an arc that can be added", err)
		}
	}
	net, err := b.Build()
	if err != nil {
		return nil, errorAt(lexer.Position{}, err, "%v, expected less", err)
	}
	return net, nil
}
