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

// fusion is a set of places to become the first of them.
type fusion struct {
	*draft
	places   []uint32
	to, from map[int32]*recipe // moves from the first place to each, and back
	involved []int32           // transitions with arcs at the places
}

// fuse makes one place of the given places, and reports whether it did. It does not if
// weights would grow out of bounds, or a fixed transition is around.
func (d *draft) fuse(places []uint32) bool {
	f := fusion{draft: d, places: places}
	if !f.gather() {
		return false
	}
	f.to, f.from = f.paths(true), f.paths(false)
	made, ok := f.rebuilt()
	if !ok {
		return false
	}
	first := int32(places[0])
	tokens := int64(0)
	for _, p := range places {
		if tokens += d.initial[p]; tokens > maxWeight || d.initial[p] > maxWeight {
			return false
		}
	}
	for _, p := range places[1:] {
		d.prefix = d.prefix.then(f.from[int32(p)].times(d.initial[p]))
		d.initial[p] = 0
	}
	d.initial[first] = tokens
	for _, t := range f.involved {
		d.removeTransition(t)
	}
	for _, p := range places[1:] {
		d.placeGone[p] = true
	}
	for _, t := range made {
		d.transitions = append(d.transitions, t)
		d.link(int32(len(d.transitions) - 1))
	}
	d.linksChanged(first)
	return true
}

// has reports whether p is one of the places that are fused.
func (f *fusion) has(p int32) bool { return f.to[p] != nil || uint32(p) == f.places[0] }

// gather finds the transitions around the places. It reports false if one is fixed.
func (f *fusion) gather() bool {
	for _, p := range f.places {
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
// first, as few as possible.
func (f *fusion) paths(forward bool) map[int32]*recipe {
	type step struct {
		from, to int32
		by       *recipe
	}
	inside := make(map[int32]bool, len(f.places))
	for _, p := range f.places {
		inside[int32(p)] = true
	}
	steps := make(map[int32][]step)
	for _, p := range f.places {
		for _, l := range f.links[p] {
			if to, is := f.move(l); is && inside[to] {
				s := step{int32(p), to, f.transitions[l.transition].recipe}
				if !forward {
					s.from, s.to = s.to, s.from
				}
				steps[s.from] = append(steps[s.from], s)
			}
		}
	}
	paths := make(map[int32]*recipe, len(f.places))
	queue := []int32{int32(f.places[0])}
	for i := 0; i < len(queue); i++ {
		for _, s := range steps[queue[i]] {
			if paths[s.to] != nil || s.to == queue[0] {
				continue
			}
			if paths[s.to] = paths[s.from].then(s.by); !forward {
				paths[s.to] = s.by.then(paths[s.from])
			}
			queue = append(queue, s.to)
		}
	}
	return paths
}

// rebuilt returns the transitions around the places, rewritten for one place, and one that
// moves a token around. Those between the places are left out. It reports false if a weight
// grows out of bounds.
func (f *fusion) rebuilt() (made []transition, ok bool) {
	first := int32(f.places[0])
	for _, t := range f.involved {
		old := f.at(t)
		f.work += 8 * (len(old.pre) + len(old.post))
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
		made = append(made, transition{pre: pre, post: post, recipe: before.then(old.recipe).then(after), id: old.id})
	}
	other := int32(f.places[1])
	around := []arc{{first, 1}}
	return append(made, transition{
		pre: around, post: slices.Clone(around),
		recipe: f.to[other].then(f.from[other]), id: f.net.PlaceLabel(petri.Place(first)).ID + ".around",
	}), true
}

// gathered returns arcs in which those of the places are put together at the first place, and
// the moves for each of their tokens.
func (f *fusion) gathered(arcs []arc, moves map[int32]*recipe, first int32) (list []arc, moved *recipe, ok bool) {
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
		moved = moved.then(moves[a.place].times(a.weight))
	}
	if weight > 0 {
		at, _ := slices.BinarySearchFunc(list, first, func(a arc, p int32) int { return int(a.place) - int(p) })
		list = slices.Insert(list, at, arc{first, weight})
	}
	return list, moved, true
}
