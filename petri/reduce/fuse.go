package reduce

import (
	"slices"

	"pnmc/internal/components"
	"pnmc/petri"
)

// fuseCycles makes one place of places between which a token can move around, by transitions
// that each take one token of one place and give one to another, none of them protected. What
// another transition takes from any of them it takes from the first, where tokens rest: it
// stands for moves from there, the transition, and moves back to it.
//
// Markings that differ by such moves are reached from each other without changing a protected
// place. A run may also move a token for ever; so a transition stays that does that, and
// changes nothing. So they are stuttering bisimilar, and none of them is a deadlock. (The rule
// of loops of Bønneland et al., "Stubborn versus structural reductions for Petri nets", 2019,
// and of components in Thierry-Mieg 2020, for more classes.)
func fuseCycles(d *draft, rule int) int {
	if !d.netDue(rule) {
		return 0
	}
	n := 0
	for _, places := range d.cyclesOfMoves() {
		if d.over(1) {
			return n
		}
		if d.fuse(places) {
			n++
		}
	}
	return n
}

// move reports whether a link of p is of a transition that moves a token from it to another
// place, and to which.
func (d *draft) move(l link) (to int32, is bool) {
	if l.consumed != 1 || l.produced != 0 || d.transitions[l.transition].removed {
		return 0, false
	}
	t := d.at(l.transition)
	if len(t.pre) != 1 || len(t.post) != 1 || t.post[0].weight != 1 || d.protected[t.post[0].place] || d.isFixed(l.transition) {
		return 0, false
	}
	return t.post[0].place, true
}

// cyclesOfMoves returns the sets of more than one place between which tokens move, or nil
// if the context ended.
func (d *draft) cyclesOfMoves() (cycles [][]uint32) {
	var search components.Search
	search.Grow(len(d.placeGone))
	for p := range d.placeGone {
		if d.placeGone[p] || d.protected[p] || search.Met(uint32(p)) {
			continue
		}
		search.Enter(uint32(p), 0)
		for search.Active() {
			if d.over(1) {
				return nil
			}
			top := search.Top()
			links := d.links[top.Node]
			if int(top.Next) < len(links) {
				l := links[top.Next]
				top.Next++
				if to, is := d.move(l); is && search.Look(top, uint32(to)) == components.New {
					search.Enter(uint32(to), 0)
				}
			} else if members := search.Leave(); len(members) > 1 {
				cycles = append(cycles, slices.Clone(members))
			}
		}
	}
	return cycles
}

// fusion is a set of places to become the first of them. Together they may be most of the net.
// Until places are fused, it looks at the context like a rule does between two removals.
type fusion struct {
	*draft
	places   []uint32
	to, from []*recipe // moves from the first place to each, and back, as places are ordered
	involved []int32   // transitions with arcs at the places
}

// fuse makes one place of the given places, and reports whether it did. It does not if
// weights would grow out of bounds, a fixed transition is around, or the context ended.
func (d *draft) fuse(places []uint32) bool {
	f := fusion{draft: d, places: places}
	f.enter()
	defer f.leave()
	if !f.gather() {
		return false
	}
	f.to, f.from = f.paths(true), f.paths(false)
	made, ok := f.rebuilt()
	if !ok {
		return false
	}
	tokens := int64(0)
	for _, p := range places {
		if tokens += d.initial[p]; tokens > maxWeight || d.initial[p] > maxWeight {
			return false
		}
	}
	if d.over(1) || !d.hasRoom(made) {
		return false
	}
	f.replace(made, tokens)
	return true
}

// replace removes the places but the first, which gets their tokens, and what is around them, for which
// it puts in the transitions that were made. It goes through with it: a half of it would be another net.
// That is linear in the arcs around, of which a million take some tens of milliseconds.
func (f *fusion) replace(made []transition, tokens int64) {
	d, first := f.draft, int32(f.places[0])
	for i, p := range f.places[1:] {
		d.prefix = d.prefix.then(f.from[1+i].times(d.initial[p]))
		d.initial[p] = 0
		d.over(1)
	}
	d.initial[first] = tokens
	for _, t := range f.involved {
		d.removeTransition(t)
		d.over(len(d.transitions[t].pre) + len(d.transitions[t].post))
	}
	for _, p := range f.places[1:] {
		d.placeGone[p] = true
		d.counting.merge(first, int32(p))
	}
	for _, t := range made {
		d.transitions = append(d.transitions, t)
		d.link(int32(len(d.transitions) - 1))
		d.over(len(t.pre) + len(t.post))
	}
	d.linksChanged(first)
}

// enter notes where each place is among the places. leave takes that back.
func (f *fusion) enter() {
	if f.scratch.position == nil {
		f.scratch.position = make([]int32, len(f.placeGone))
	}
	for i, p := range f.places {
		f.scratch.position[p] = int32(i + 1)
	}
}

// leave forgets where the places are.
func (f *fusion) leave() {
	for _, p := range f.places {
		f.scratch.position[p] = 0
	}
}

// position returns where p is among the places, or -1.
func (f *fusion) position(p int32) int32 { return f.scratch.position[p] - 1 }

// has reports whether p is one of the places that are fused.
func (f *fusion) has(p int32) bool { return f.position(p) >= 0 }

// gather finds the transitions around the places. It reports false if one is fixed, or the
// context ended.
func (f *fusion) gather() bool {
	for _, p := range f.places {
		if f.over(1 + len(f.links[p])) {
			return false
		}
		for _, l := range f.linksOf(int32(p)) {
			if f.isFixed(l.transition) {
				return false
			}
			if !f.transitions[l.transition].removed {
				f.involved = append(f.involved, l.transition)
			}
		}
	}
	slices.Sort(f.involved)
	f.involved = slices.Compact(f.involved)
	return true
}

// paths returns the moves from the first place to each other, or from each other to the
// first, as few as possible; nil if the context ended.
func (f *fusion) paths(forward bool) []*recipe {
	type step struct {
		to int32
		by *recipe
	}
	// A step's ends are positions of places; out has where the steps of each begin in steps.
	each := func(visit func(from int32, s step)) bool {
		for i, p := range f.places {
			if f.over(1 + len(f.links[p])) {
				return false
			}
			for _, l := range f.links[p] {
				to, is := f.move(l)
				if !is || !f.has(to) {
					continue
				}
				if by := f.transitions[l.transition].recipe; forward {
					visit(int32(i), step{f.position(to), by})
				} else {
					visit(f.position(to), step{int32(i), by})
				}
			}
		}
		return true
	}
	out := make([]int32, len(f.places)+2)
	if !each(func(from int32, _ step) { out[from+2]++ }) {
		return nil
	}
	for i := range out[1:] {
		out[i+1] += out[i]
	}
	steps := make([]step, out[len(out)-1])
	if !each(func(from int32, s step) { steps[out[from+1]] = s; out[from+1]++ }) {
		return nil
	}
	paths := make([]*recipe, len(f.places))
	queue := make([]int32, 1, len(f.places))
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		if f.over(1 + int(out[at+1]-out[at])) {
			return nil
		}
		for _, s := range steps[out[at]:out[at+1]] {
			if paths[s.to] != nil || s.to == 0 {
				continue
			}
			if paths[s.to] = paths[at].then(s.by); !forward {
				paths[s.to] = s.by.then(paths[at])
			}
			queue = append(queue, s.to)
		}
	}
	return paths
}

// rebuilt returns the transitions around the places, rewritten for one place, and one that
// moves a token around. Those between the places are left out. It reports false if a weight
// grows out of bounds, or the context ended.
func (f *fusion) rebuilt() (made []transition, ok bool) {
	first := int32(f.places[0])
	for _, t := range f.involved {
		old := f.at(t)
		if f.over(8 * (len(old.pre) + len(old.post))) {
			return nil, false
		}
		if len(old.pre) == 1 && len(old.post) == 1 && old.pre[0].weight == 1 && old.post[0].weight == 1 &&
			f.has(old.pre[0].place) && f.has(old.post[0].place) {
			continue
		}
		pre, before, ok := f.gathered(old.pre, f.to, first)
		if !ok {
			return nil, false
		}
		post, after, ok := f.gathered(old.post, f.from, first)
		if !ok {
			return nil, false
		}
		made = append(made, transition{pre: pre, post: post, recipe: before.then(old.recipe).then(after), id: old.id, of: old.of})
	}
	around := []arc{{first, 1}}
	return append(made, transition{
		pre: around, post: slices.Clone(around), of: noOriginal,
		recipe: f.to[1].then(f.from[1]), id: f.net.PlaceLabel(petri.Place(first)).ID + ".around",
	}), true
}

// gathered returns arcs in which those of the places are put together at the first place, and
// the moves for each of their tokens.
func (f *fusion) gathered(arcs []arc, moves []*recipe, first int32) (list []arc, moved *recipe, ok bool) {
	weight := int64(0)
	for _, a := range arcs {
		if !f.has(a.place) {
			list = append(list, a)
			continue
		}
		if a.weight > maxWeight {
			return nil, nil, false
		}
		if weight += a.weight; weight > maxWeight {
			return nil, nil, false
		}
		moved = moved.then(moves[f.position(a.place)].times(a.weight))
	}
	if weight > 0 {
		at, _ := slices.BinarySearchFunc(list, first, func(a arc, p int32) int { return int(a.place) - int(p) })
		list = slices.Insert(list, at, arc{first, weight})
	}
	return list, moved, true
}
