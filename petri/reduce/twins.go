package reduce

import (
	"slices"

	"pnmc/internal/hashing"
)

// Twins are transitions with the same effect, and places with the same arcs. One of two may go.
//
// To compare each node with each other would cost the square of the net. So nodes are put into
// groups by the hash of what twins share. For a transition, that is the places that it changes,
// and by how much. For a place, it is the arcs. Only nodes of one group are compared, and then in
// full, as different nodes may have the same hash.
//
// For example, t: p → q and u: p + r → q + r have the same effect: one from p to q. Both are in one
// group, and u needs more than t. Wherever u can fire, t can, and leads to the same marking: u
// goes. If r has no other arcs, it then has none at all, and goes as a sink place.

// twins has the nodes of each hash. A node whose hash has changed stays in its old group until the
// next look at that group, which drops it.
type twins struct {
	groups map[uint64][]int32
	hash   []uint64 // by node, of the group it belongs to; 0 for none
}

// The kinds of twins.
const (
	transitionTwins = iota
	placeTwins
	twinKinds
)

// maxGroup bounds how many nodes of one hash are compared with each other.
const maxGroup = 1024

// group returns the nodes of that hash, without n and those that are gone. Node n then belongs to
// no group, until add.
func (w *twins) group(n int32, hash uint64, gone func(int32) bool) []int32 {
	if w.groups == nil {
		w.groups = make(map[uint64][]int32)
	}
	for len(w.hash) <= int(n) {
		w.hash = append(w.hash, 0)
	}
	w.hash[n] = 0
	group := slices.DeleteFunc(w.groups[hash], func(o int32) bool { return w.hash[o] != hash || gone(o) })
	w.groups[hash] = group
	return group
}

// add adds node n to the group of that hash, unless it is full.
func (w *twins) add(n int32, hash uint64) {
	if group := w.groups[hash]; len(group) < maxGroup {
		w.groups[hash], w.hash[n] = append(group, n), hash
	}
}

// removeDominatedTransitions removes a transition if another has the same effect and needs no more:
// whenever the one may fire, so may the other, to the same marking.
func removeDominatedTransitions(d *draft, rule int) int {
	same := &d.twins[transitionTwins]
	gone := func(o int32) bool { return d.transitions[o].removed }
	n := 0
	for t := range d.dueTransitions(rule) {
		if d.isFixed(t) {
			continue
		}
		u := d.at(t)
		changes := d.changes(d.scratch.changes[:0], t)
		d.scratch.changes = changes
		h := hashing.Numbers(changes) | 1
		group := same.group(t, h, gone)
		if d.over((1 + len(group)) * (1 + len(u.pre) + len(u.post))) {
			return n
		}
		for _, o := range group {
			v := d.at(o)
			dominated := needsNoMore(v, u)
			if !dominated && !needsNoMore(u, v) {
				continue
			}
			if d.scratch.others = d.changes(d.scratch.others[:0], o); !slices.Equal(changes, d.scratch.others) {
				continue
			}
			n++
			if dominated {
				d.removeTransition(t)
				break
			}
			d.removeTransition(o)
		}
		if !u.removed {
			same.add(t, h)
		}
	}
	return n
}

// changes appends the places that t changes, each followed by how much it adds.
func (d *draft) changes(numbers []int64, t int32) []int64 {
	for _, e := range d.effects(t) {
		if e.consumed != e.produced {
			numbers = append(numbers, int64(e.place), e.produced-e.consumed)
		}
	}
	return numbers
}

// needsNoMore reports whether the pre-set of t is within that of u.
func needsNoMore(t, u *transition) bool { return within(t.pre, u.pre) }

// within reports whether each arc of some has one in all of the same place and no less weight.
func within(some, all []arc) bool {
	i := 0
	for _, a := range some {
		for i < len(all) && all[i].place < a.place {
			i++
		}
		if i == len(all) || all[i].place != a.place || all[i].weight < a.weight {
			return false
		}
	}
	return true
}

// removeParallelPlaces removes a place if another has the same arcs and no more tokens at first.
// Each firing changes both in the same way, so that the place always has at least as many tokens as
// the other. It is never what disables a transition. (Only the other may be reset: then it has
// fewer still.)
func removeParallelPlaces(d *draft, rule int) int {
	same := &d.twins[placeTwins]
	gone := func(q int32) bool { return d.placeGone[q] }
	n := 0
	for p := range d.duePlaces(rule) {
		links := d.liveLinks(p)
		h := hashing.Numbers(linkNumbers(links)) | 1
		group := same.group(p, h, gone)
		if d.over((1 + len(group)) * (1 + len(links))) {
			return n
		}
		for _, q := range group {
			if !slices.Equal(links, d.liveLinks(q)) {
				continue
			}
			if !d.protected[p] && d.initial[p] >= d.initial[q] {
				d.removePlace(p)
				n++
				break
			}
			if !d.protected[q] && d.initial[q] >= d.initial[p] {
				d.removePlace(q)
				n++
			}
		}
		if !d.placeGone[p] {
			same.add(p, h)
		}
	}
	return n
}

// linkNumbers returns links as numbers, to be hashed.
func linkNumbers(links []link) []int64 {
	numbers := make([]int64, 0, 3*len(links))
	for _, l := range links {
		numbers = append(numbers, int64(l.transition), l.consumed, l.produced)
	}
	return numbers
}
