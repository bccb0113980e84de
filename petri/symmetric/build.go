package symmetric

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unsafe"

	"pnmc/petri"
)

// This file makes the net once all reachable colours and bindings are known. For example, let the
// place fork have the tuples 0, 1 and 2 of the class Phil, whose colours are ann, bob and eve. There
// are three places fork_ann, fork_bob and fork_eve, with numbers in a row. A transition take whose
// binding has x = bob becomes take_bob, and its arc from fork with x becomes an arc from fork_bob.
//
// Colours that never change may be left out (DropConstant). What a binding needs of them is decided
// now: if there are enough tokens for ever, the arc is left out, and otherwise the binding is (lacks).

// build makes the unfolded net from the colours and bindings found.
func (u *unfolder) build() (*Unfolding, error) {
	b := &petri.Builder{ID: u.net.ID, Name: u.net.Name}
	result := &Unfolding{
		Coloured:    u.net,
		Places:      make([][]petri.Place, len(u.net.Places)),
		Transitions: make([][]petri.Transition, len(u.net.Transitions)),
		Options:     u.options,
	}
	names := &namer{b, make(map[string]int), make(map[string]bool)}
	for i := range u.net.Places {
		names.coloured[u.net.Places[i].ID] = true
	}
	for i := range u.net.Transitions {
		names.coloured[u.net.Transitions[i].ID] = true
	}
	places := make([]numbering, len(u.net.Places))
	for p := range u.net.Places {
		if u.err != nil {
			return nil, u.err
		}
		place := &u.net.Places[p]
		least := constant
		if u.options.DropConstant && !u.options.KeepAll {
			least = changing
		}
		const tupleBytes = 8 + int(unsafe.Sizeof(petri.Place(0)))
		if !u.look(1+len(u.facts[p].dense)/16) || !u.reserve(u.facts[p].count*tupleBytes) {
			return nil, u.err
		}
		tuples := u.facts[p].sorted(least)
		initial := u.initial[p]
		result.Places[p] = make([]petri.Place, 0, len(tuples))
		for _, tuple := range tuples {
			if !u.look(16) {
				return nil, u.err
			}
			for len(initial) > 0 && initial[0].tuple < tuple {
				initial = initial[1:] // of a place that is dropped
			}
			count := int64(0)
			if len(initial) > 0 && initial[0].tuple == tuple {
				count, initial = initial[0].count, initial[1:]
			}
			colours := place.Domain.Colours(tuple)
			if !u.roomForNames(place.ID, place.Name, colours) {
				return nil, u.err
			}
			name := title(place.ID, place.Name, strings.Join(colours, ","))
			number, err := b.AddPlace(names.identifier(place.ID, colours), name, count)
			if err != nil {
				return nil, err
			}
			result.Places[p] = append(result.Places[p], number)
		}
		places[p].tuples = tuples
		if len(tuples) > 0 {
			places[p].first = result.Places[p][0]
		}
	}
	if err := u.inhibit(b, names, result); err != nil {
		return nil, err
	}
	for i := range u.net.Transitions {
		if err := u.buildTransition(b, i, names, places, result); err != nil {
			return nil, err
		}
	}
	if !u.reserve(u.nodes*nodeBytes + u.arcs*arcBytes) {
		return nil, u.err
	}
	var err error
	result.Net, err = b.Build()
	return result, err
}

// nodeBytes and arcBytes are about what a net takes for each of its nodes and arcs.
const (
	nodeBytes = 24
	arcBytes  = 16
)

// roomForNames asks for room for the identifier and the name of a node, which have those of the coloured
// one, and its colours. It reports false if there is none: long names are repeated for each node.
func (u *unfolder) roomForNames(id, name string, colours []string) bool {
	bytes := len(id) + max(len(id), len(name))
	for _, c := range colours {
		bytes += 2 * len(c)
	}
	return u.reserve(bytes)
}

// buildTransition adds a transition for each binding of transition i.
func (u *unfolder) buildTransition(b *petri.Builder, i int, names *namer,
	places []numbering, result *Unfolding) error {
	t := &u.net.Transitions[i]
	if u.inhibition.never(t) {
		u.bindings[i] = nil
		return nil
	}
	bindings := &bindingList{u.bindings[i], len(t.Variables), u.count[i], u.look}
	if bindings.width > 0 {
		if sort.Sort(bindings); u.err != nil {
			return u.err
		}
	}
	colours := make([]string, len(t.Variables))
	for k := range bindings.count {
		if !u.look(16) {
			return u.err
		}
		binding := bindings.at(k)
		for v := range colours {
			colours[v] = t.Variables[v].Class.Colour(binding[v])
		}
		if u.options.DropConstant && u.lacks(i, binding) {
			continue
		}
		if !u.roomForNames(t.ID, t.Name, colours) {
			return u.err
		}
		name := title(t.ID, t.Name, t.Binding(binding))
		number, err := b.AddTransition(names.identifier(t.ID, colours), name)
		if err != nil {
			return err
		}
		result.Transitions[i] = append(result.Transitions[i], number)
		for a := range t.Pre {
			tokens := u.arcTokens(i, &t.Pre[a], binding)
			if !u.room(b.Room(u.account, len(tokens), 0)) {
				return u.err
			}
			for _, token := range tokens {
				if u.dropped(t.Pre[a].Place, token.tuple) {
					continue
				}
				if err := b.AddInput(places[t.Pre[a].Place].place(token.tuple), number, token.count); err != nil {
					return err
				}
				if !u.inhibition.moved(t.Pre[a].Place, -token.count) {
					u.exceed("%q loses more than 2^63-1 tokens", u.net.Places[t.Pre[a].Place].ID)
				}
			}
		}
		for a := range t.Post {
			tokens := u.arcTokens(i, &t.Post[a], binding)
			if !u.room(b.Room(u.account, 0, len(tokens))) {
				return u.err
			}
			for _, token := range tokens {
				if u.dropped(t.Post[a].Place, token.tuple) {
					continue
				}
				if err := b.AddOutput(number, places[t.Post[a].Place].place(token.tuple), token.count); err != nil {
					return err
				}
				if !u.inhibition.moved(t.Post[a].Place, token.count) {
					u.exceed("%q gets more than 2^63-1 tokens", u.net.Places[t.Post[a].Place].ID)
				}
			}
		}
		if arcs := u.inhibition.arcs(t); !u.grow(0, arcs) || !u.reserve(arcs*arcBytes) {
			return u.err
		}
		if err := u.inhibition.finish(t, number); err != nil {
			return err
		}
	}
	u.bindings[i] = nil
	return nil
}

// dropped reports whether a colour of a place is left out because it never changes.
func (u *unfolder) dropped(place int, tuple int64) bool {
	return u.options.DropConstant && !u.options.KeepAll && u.facts[place].state(tuple) == constant
}

// lacks reports whether a binding needs more tokens than there are of a colour that
// never changes.
func (u *unfolder) lacks(i int, binding []int64) bool {
	for k := range u.moves[i] {
		m := &u.moves[i][k]
		u.before = u.gather(u.before[:0], i, m.pre, binding)
		for _, t := range u.before {
			if !u.dropped(m.place, t.tuple) {
				continue
			}
			initial := u.initial[m.place]
			at, ok := slices.BinarySearchFunc(initial, t.tuple, func(a token, tuple int64) int { return cmp.Compare(a.tuple, tuple) })
			if !ok || initial[at].count < t.count {
				return true
			}
		}
	}
	return false
}

// bindingList sorts bindings that lie one after the other in one slice, without a slice for each.
type bindingList struct {
	values []int64
	width  int
	count  int
	look   func(work int) bool // false: the order does not matter any more
}

// at returns binding i: a colour for each variable.
func (l *bindingList) at(i int) []int64 { return l.values[i*l.width : (i+1)*l.width] }
func (l *bindingList) Len() int         { return l.count }
func (l *bindingList) Less(i, j int) bool {
	return l.look(1+l.width/16) && slices.Compare(l.at(i), l.at(j)) < 0
}
func (l *bindingList) Swap(i, j int) {
	x, y := l.at(i), l.at(j)
	for k := range x {
		x[k], y[k] = y[k], x[k]
	}
}

// numbering finds the unfolded place that stands for a tuple of a coloured place. Places are
// numbered in the order of tuples, so that a search by halves finds the number.
type numbering struct {
	tuples []int64 // ascending
	first  petri.Place
}

// place returns the unfolded place of a tuple, which must be among tuples.
func (n *numbering) place(tuple int64) petri.Place {
	if last := len(n.tuples) - 1; n.tuples[last] == int64(last) {
		return n.first + petri.Place(tuple) // all tuples are there
	}
	i, _ := slices.BinarySearch(n.tuples, tuple)
	return n.first + petri.Place(i)
}

// namer makes identifiers that are not in use.
type namer struct {
	b    *petri.Builder
	next map[string]int // the number that follows identifiers in use
	// coloured are the identifiers of the coloured net: a formula that names one
	// means the coloured node.
	coloured map[string]bool
}

// identifier returns id followed by the colours, which is the contest's way:
// "Fork_3". Identifiers and colours may contain the separator, and colours may
// share a name: a with b_c, and a_b with c, would both be a_b_c. Then the second one gets a number,
// a_b_c.2, and so does a node that would be called as one of the coloured net. A node without colours
// keeps its identifier.
func (n *namer) identifier(id string, colours []string) string {
	if len(colours) == 0 {
		return id
	}
	id += "_" + strings.Join(colours, "_")
	if !n.b.Has(id) && !n.coloured[id] {
		return id
	}
	for {
		n.next[id]++
		if numbered := fmt.Sprintf("%s.%d", id, n.next[id]+1); !n.b.Has(numbered) && !n.coloured[numbered] {
			return numbered
		}
	}
}

// title returns the name of an unfolded node: that of the coloured node, or its
// identifier, with the colour or binding in brackets.
func title(id, name, colour string) string {
	if name == "" {
		name = id
	}
	if colour == "" {
		return name
	}
	return name + "[" + colour + "]"
}
