package hoa

import (
	"strings"

	"pnmc/automata"
	"pnmc/internal/longtoken"
)

const (
	// setsBound and propositionsBound are beyond what any automaton has, and
	// keep the marks and cubes of a single edge small.
	setsBound         = 1 << 20
	propositionsBound = 1 << 20
)

// header is what the headers of one automaton say.
type header struct {
	at           Position // of "HOA:"
	name         string
	states       int // -1 when not given
	start        []start
	starts       map[int]bool // the states of start
	propositions []string
	places       []Position // of the propositions
	acceptance   automata.Acceptance
	kind         automata.Kind
	properties   []property
	claimedAt    map[string]Position // where a property stands first, by its key

	given   map[string]Position // the headers that may be there once
	accName *accNameItem
	accAt   Position
	aliases []aliasDefinition
	numbers []int // of the file's propositions in propositions
}

// start is an initial state.
type start struct {
	state int
	at    Position
}

// aliasDefinition is an alias that is defined when all headers were read.
type aliasDefinition struct {
	item *aliasItem
	at   Position
}

// property is one word of "properties:", without its '!'.
type property struct {
	name    string
	negated bool
	at      Position
}

// readHeader reads the headers from "HOA:", which is the current token, to past
// --BODY--. It reports false where the current token is another one, not reported yet,
// or where the limit stopped it.
func (r *Reader) readHeader() bool {
	r.header = header{at: r.position, states: -1, given: make(map[string]Position), starts: make(map[int]bool), claimedAt: make(map[string]Position)}
	for first := true; r.kind == tokenHeader; first = false {
		if !first && string(r.text) == "HOA:" {
			return false
		}
		item := r.readItem()
		if item != nil {
			r.use(item)
		} else if r.stopped != nil {
			return false // what the header says is not known
		}
	}
	if r.kind != tokenBody {
		return false
	}
	r.finishHeader()
	return true
}

// once notes a header that may be given once, and reports a second one.
func (r *Reader) once(name string, at Position) bool {
	if before, ok := r.header.given[name]; ok {
		r.report(at, "a second header %s, the first one being at %d:%d", name, before.Line, before.Column)
		return false
	}
	r.header.given[name] = at
	return true
}

// use takes over what an item says.
//
// Headers come in any order: an alias, for example, may stand before AP:, whose propositions it
// means. So most items are only noted, with where they stand, and finishHeader does what needs
// all of them. A header that may be given once is reported when it comes again, and the first one
// counts.
func (r *Reader) use(item *headerItem) {
	h, at := &r.header, r.base
	switch {
	case item.Version != nil:
		if v := *item.Version; v != "v1" && !(strings.HasPrefix(v, "v1") && (v[2] < '0' || v[2] > '9')) {
			r.report(at, "version %s of the format, expected v1 or v1.1", longtoken.Shorten(v))
		}
	case item.States != nil:
		if r.once("States:", at) {
			h.states = *item.States
		}
	case item.Start != nil:
		if len(item.Start) > 1 {
			r.report(at, "universal branching is not supported: a conjunction of initial states")
			return
		}
		if h.starts[item.Start[0]] {
			r.doubt(at, "initial state %d is given twice, expected a different one", item.Start[0])
			return
		}
		h.start = append(h.start, start{item.Start[0], at})
		h.starts[item.Start[0]] = true
	case item.Propositions != nil:
		if r.once("AP:", at) {
			r.usePropositions(item.Propositions, at)
		}
	case item.Alias != nil:
		h.aliases = append(h.aliases, aliasDefinition{item.Alias, at})
	case item.Acceptance != nil:
		if r.once("Acceptance:", at) {
			r.useAcceptance(item.Acceptance, at)
		}
	case item.AccName != nil:
		if r.once("acc-name:", at) {
			h.accName, h.accAt = item.AccName, at
		}
	case item.Tool != nil:
		r.once("tool:", at)
	case item.Name != nil:
		if r.once("name:", at) {
			h.name = unquote(*item.Name)
		}
	case item.Properties != nil:
		for _, p := range item.Properties.Names {
			if p.Name == "t" || p.Name == "f" {
				r.report(r.place(p.Pos), "property %s, expected an identifier, which the Booleans t and f are not", p.Name)
				continue
			}
			h.claim(property{p.Name, p.Negated, r.place(p.Pos)})
		}
	case item.Testing != nil:
		if r.once(testingHeader, at) {
			r.useTesting(*item.Testing, at)
		}
	case item.Other != nil:
		if item.Other.Name == "Alphabet:" {
			r.report(at, "alphabets are not supported: header Alphabet: of version 1.1, expected AP:, as labels are over propositions")
			return
		}
		if c := item.Other.Name[0]; c >= 'A' && c <= 'Z' {
			r.report(at, "unknown header %s, whose capital letter says that it must not be ignored", longtoken.Shorten(item.Other.Name))
			return
		}
		for _, v := range item.Other.Values {
			if v.Foreign != "" {
				r.doubt(r.place(v.Pos), "%s in the unknown header %s, expected Booleans, integers, strings and identifiers; the header is ignored", longtoken.Shorten(v.Foreign), longtoken.Shorten(item.Other.Name))
				break
			}
		}
	}
}

// useTesting sets the kind of the automaton from the value of the header for testing automata.
func (r *Reader) useTesting(kind string, at Position) {
	switch kind {
	case "tgta":
		r.header.kind = automata.TGTA
	case "ta":
		r.header.kind = automata.TA
	default:
		r.report(at, "header %s %s, expected tgta or ta", testingHeader, longtoken.Shorten(kind))
	}
}

// usePropositions keeps each name once. A file with a name that occurs twice is
// not valid, but tools write it, and what it means is clear: both numbers are
// the same proposition.
func (r *Reader) usePropositions(item *propositionsItem, at Position) {
	h := &r.header
	if item.Count != len(item.Names) {
		r.report(at, "AP: announces %d propositions, and %d follow", item.Count, len(item.Names))
	}
	if len(item.Names) > propositionsBound {
		r.report(at, "%d propositions, more than %d", len(item.Names), propositionsBound)
		return
	}
	numbers := make(map[string]int, len(item.Names))
	for _, n := range item.Names {
		name := unquote(n.Name)
		number, ok := numbers[name]
		if ok {
			r.doubt(r.place(n.Pos), "proposition %s occurs twice; both are taken as one", longtoken.Shorten(n.Name))
		} else {
			number = len(h.propositions)
			numbers[name] = number
			h.propositions = append(h.propositions, name)
			h.places = append(h.places, r.place(n.Pos))
		}
		h.numbers = append(h.numbers, number)
	}
}

// useAcceptance takes the acceptance condition over.
func (r *Reader) useAcceptance(item *acceptanceItem, at Position) {
	if item.Sets > setsBound {
		r.report(at, "%d acceptance sets, more than %d", item.Sets, setsBound)
		return
	}
	r.header.acceptance = automata.Acceptance{Sets: item.Sets, Condition: r.condition(item.Condition, item.Sets)}
}

// finishHeader does what needs all headers.
func (r *Reader) finishHeader() {
	h := &r.header
	for _, s := range h.start {
		if h.states >= 0 && s.state >= h.states {
			r.report(s.at, "initial state %d, but States: announces %d", s.state, h.states)
		}
	}
	if _, ok := h.given["Acceptance:"]; !ok {
		r.report(h.at, "the header Acceptance: is missing")
	} else if len(r.errors) == 0 {
		r.nameAcceptance()
	}
	r.checkProperties()
	r.labels.start(h)
	for _, definition := range h.aliases {
		if r.stopped == nil {
			r.defineAlias(definition)
		}
	}
}
