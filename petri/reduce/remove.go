package reduce

import (
	"slices"

	"pnmc/internal/hashing"
)

// removeDead removes transitions that can never fire: a place of their pre-set
// can never have enough tokens, even if tokens were never consumed. Nothing that
// can happen is removed.
func removeDead(d *draft) int {
	// enough is for how many tokens a place may do: many once something produces.
	enough := slices.Clone(d.initial)
	const many = int64(1) << 62
	missing := make([]int, len(d.transitions))
	var ready []int32
	for t := range d.transitions {
		u := &d.transitions[t]
		if u.removed {
			continue
		}
		for _, a := range u.pre {
			if enough[a.place] < a.weight {
				missing[t]++
			}
		}
		if missing[t] == 0 {
			ready = append(ready, int32(t))
		}
	}
	for len(ready) > 0 {
		t := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		work := 1
		d.transitions[t].effects(func(p int32, consumed, produced int64) {
			if produced <= consumed || enough[p] == many {
				return
			}
			work += len(d.consumers[p])
			for _, c := range d.consumers[p] {
				if weightIn(d.transitions[c].pre, p) > enough[p] {
					if missing[c]--; missing[c] == 0 {
						ready = append(ready, c)
					}
				}
			}
			enough[p] = many
		})
		if d.over(work) {
			return 0 // which are dead is known in the end only
		}
	}
	n := 0
	for t := range d.transitions {
		if u := &d.transitions[t]; !u.removed && missing[t] > 0 {
			u.removed = true
			n++
		}
	}
	return n
}

// removeConstantPlaces removes places that no transition changes. Those that
// need more than the place has are dead and were removed before.
func removeConstantPlaces(d *draft) int {
	n := 0
	for p := range d.placeGone {
		if d.over(1 + len(d.consumers[p]) + len(d.producers[p])) {
			return n
		}
		if d.placeGone[p] || d.protected[p] || !d.constant(int32(p)) {
			continue
		}
		d.removePlace(int32(p))
		n++
	}
	return n
}

func (d *draft) constant(p int32) bool {
	for _, t := range d.consumers[p] {
		u := &d.transitions[t]
		if w := weightIn(u.pre, p); w != weightIn(u.post, p) || w > d.initial[p] {
			return false
		}
	}
	for _, t := range d.producers[p] {
		if weightIn(d.transitions[t].pre, p) == 0 {
			return false
		}
	}
	return true
}

// removeSinkPlaces removes places that nothing needs: they neither enable nor
// disable.
func removeSinkPlaces(d *draft) int {
	n := 0
	for p := range d.placeGone {
		if d.over(1 + len(d.producers[p])) {
			return n
		}
		if !d.placeGone[p] && !d.protected[p] && len(d.consumers[p]) == 0 {
			d.removePlace(int32(p))
			n++
		}
	}
	return n
}

// removeIdleTransitions removes transitions that change no place: a run without
// them reaches the same markings.
func removeIdleTransitions(d *draft) int {
	n := 0
	for t := range d.transitions {
		u := &d.transitions[t]
		if d.over(1 + len(u.pre)) {
			return n
		}
		if !u.removed && slices.Equal(u.pre, u.post) {
			u.removed = true
			n++
		}
	}
	return n
}

// removeDrainingTransitions removes transitions that add nothing anywhere and
// leave protected places alone: a run without them has at least as many tokens
// everywhere, and as many on protected places.
func removeDrainingTransitions(d *draft) int {
	n := 0
	for t := range d.transitions {
		u := &d.transitions[t]
		if d.over(1 + len(u.pre) + len(u.post)) {
			return n
		}
		if u.removed {
			continue
		}
		draining := true
		u.effects(func(p int32, consumed, produced int64) {
			if produced > consumed || d.protected[p] && produced != consumed {
				draining = false
			}
		})
		if draining {
			u.removed = true
			n++
		}
	}
	return n
}

// removeIrrelevant keeps what can influence protected places: transitions that
// change one, the places they need, the transitions that add to those, and so
// on. A run without the others has the same protected places and at least as
// many tokens on the needed ones.
func removeIrrelevant(d *draft) int {
	relevant := slices.Clone(d.protected)
	useful := make([]bool, len(d.transitions))
	var places []int32
	for p, is := range relevant {
		if is && !d.placeGone[p] {
			places = append(places, int32(p))
		}
	}
	use := func(t int32) {
		if useful[t] {
			return
		}
		useful[t] = true
		for _, a := range d.transitions[t].pre {
			if !relevant[a.place] {
				relevant[a.place] = true
				places = append(places, a.place)
			}
		}
	}
	for len(places) > 0 {
		p := places[len(places)-1]
		places = places[:len(places)-1]
		if d.over(1 + len(d.producers[p]) + len(d.consumers[p])) {
			return 0 // what is needed is known in the end only
		}
		for _, t := range d.producers[p] {
			u := &d.transitions[t]
			if out, in := weightIn(u.post, p), weightIn(u.pre, p); out > in || d.protected[p] && out != in {
				use(t)
			}
		}
		if d.protected[p] {
			for _, t := range d.consumers[p] {
				if u := &d.transitions[t]; weightIn(u.post, p) != weightIn(u.pre, p) {
					use(t)
				}
			}
		}
	}
	n := 0
	for t := range d.transitions {
		if u := &d.transitions[t]; !u.removed && !useful[t] {
			u.removed = true
			n++
		}
	}
	if n > 0 {
		d.index()
	}
	for p := range relevant {
		if !relevant[p] && !d.placeGone[p] {
			d.removePlace(int32(p))
			n++
		}
	}
	return n
}

// maxGroup bounds how many nodes of one hash are compared with each other.
const maxGroup = 64

// removeDominatedTransitions removes a transition where another has the same
// effect and needs no more: whenever the one may fire, so may the other, to the
// same marking.
func removeDominatedTransitions(d *draft) int {
	groups := make(map[uint64][]int32)
	var numbers []int64
	n := 0
	for t := range d.transitions {
		u := &d.transitions[t]
		if u.removed {
			continue
		}
		numbers = effectNumbers(u, numbers[:0])
		h := hashing.Numbers(numbers)
		group := groups[h]
		if d.over((1 + len(group)) * (1 + len(u.pre) + len(u.post))) {
			return n
		}
		for i, o := range group {
			v := &d.transitions[o]
			if !sameEffect(u, v) {
				continue
			}
			if needsNoMore(v, u) {
				u.removed = true
			} else if needsNoMore(u, v) {
				v.removed = true
				group[i] = int32(t)
			} else {
				continue
			}
			n++
			break
		}
		if !u.removed && len(group) < maxGroup && !slices.Contains(group, int32(t)) {
			groups[h] = append(group, int32(t))
		}
	}
	return n
}

func effectNumbers(t *transition, numbers []int64) []int64 {
	t.effects(func(p int32, consumed, produced int64) {
		if consumed != produced {
			numbers = append(numbers, int64(p), produced-consumed)
		}
	})
	return numbers
}

func sameEffect(t, u *transition) bool {
	return slices.Equal(effectNumbers(t, nil), effectNumbers(u, nil))
}

// needsNoMore reports whether the pre-set of t is within that of u.
func needsNoMore(t, u *transition) bool {
	for _, a := range t.pre {
		if weightIn(u.pre, a.place) < a.weight {
			return false
		}
	}
	return true
}

// removeParallelPlaces removes a place whose arcs are those of another that has
// no more tokens at first: it always has at least as many, so that it never is
// what disables a transition.
func removeParallelPlaces(d *draft) int {
	groups := make(map[uint64][]int32)
	var numbers []int64
	n := 0
	column := func(p int32, numbers []int64) []int64 {
		for _, t := range d.consumers[p] {
			numbers = append(numbers, int64(t), weightIn(d.transitions[t].pre, p))
		}
		numbers = append(numbers, -1)
		for _, t := range d.producers[p] {
			numbers = append(numbers, int64(t), weightIn(d.transitions[t].post, p))
		}
		return numbers
	}
	var drop []int32
	for p := range d.placeGone {
		if d.placeGone[p] {
			continue
		}
		numbers = column(int32(p), numbers[:0])
		h := hashing.Numbers(numbers)
		group, dropped := groups[h], false
		if d.over((1 + len(group)) * len(numbers)) {
			break
		}
		for i, q := range group {
			if !slices.Equal(numbers, column(q, nil)) {
				continue
			}
			if !d.protected[p] && d.initial[p] >= d.initial[q] {
				drop, dropped = append(drop, int32(p)), true
				break
			}
			if !d.protected[q] && d.initial[q] >= d.initial[p] {
				drop, dropped = append(drop, q), true
				group[i] = int32(p)
				break
			}
		}
		if !dropped && len(group) < maxGroup {
			groups[h] = append(group, int32(p))
		}
	}
	for _, p := range drop {
		d.removePlace(p)
		n++
	}
	return n
}
