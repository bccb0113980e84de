package reduce

import (
	"iter"
	"slices"

	"pnmc/petri"
)

// removeDead removes transitions that can never fire. Either a place of the pre-set can
// never have enough tokens, even if tokens were never consumed or reset, and nothing were
// inhibited. Or a place with a ceiling for the transition never has few enough. Nothing
// that can happen is removed.
func removeDead(d *draft, rule int) int {
	if !d.netDue(rule) {
		return 0
	}
	// enough is for how many tokens a place may do: many once something produces.
	enough := slices.Clone(d.initial)
	const many = int64(1) << 62
	missing := make([]int32, len(d.transitions))
	var ready []int32
	for t := range d.transitions {
		if d.transitions[t].removed {
			continue
		}
		u := d.at(int32(t))
		for _, a := range u.pre {
			if enough[a.place] < a.weight {
				missing[t]++
			}
		}
		if missing[t] == 0 {
			ready = append(ready, int32(t))
		}
		if d.over(1 + len(u.pre)) {
			return 0
		}
	}
	for len(ready) > 0 {
		t := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		effects := d.effects(t)
		work := 1 + len(effects)
		for _, e := range effects {
			if e.produced <= e.consumed || enough[e.place] == many {
				continue
			}
			links := d.linksOf(e.place)
			work += len(links)
			for _, l := range links {
				if l.consumed > enough[e.place] && !d.transitions[l.transition].removed {
					if missing[l.transition]--; missing[l.transition] == 0 {
						ready = append(ready, l.transition)
					}
				}
			}
			enough[e.place] = many
		}
		if d.over(work) {
			return 0 // which are dead is known in the end only
		}
	}
	n := 0
	for t := range missing {
		if d.over(1) {
			return n // each of these is dead, whatever is left
		}
		if !d.transitions[t].removed && (missing[t] > 0 || d.inhibitedForever(int32(t))) {
			d.counting.noteDead(d.transitions[t].of)
			d.removeTransition(int32(t))
			n++
		}
	}
	if n == 0 || d.fixed == nil {
		d.due.net &^= 1 << rule // the others can fire without the dead
	} // but a place may keep its tokens without them, and inhibit for ever
	return n
}

// inhibitedForever reports whether t has a ceiling of w tokens at a place that never has fewer.
// That is so if the place has w at first, nothing empties it, and each transition that takes more
// than it gives gives w back at least. If w is 2, for example, a transition that takes 3 and gives
// 2 is none to worry about, as it leaves 2 or more.
func (d *draft) inhibitedForever(t int32) bool {
	if !d.isFixed(t) {
		return false
	}
	return slices.ContainsFunc(d.net.Ceilings(petri.Transition(t)), func(c petri.Arc) bool {
		p := int32(c.Place)
		if d.initial[p] < c.Weight || d.net.Emptied(c.Place) {
			return c.Weight == 0
		}
		links := d.linksOf(p)
		return !d.over(len(links)) && !slices.ContainsFunc(links, func(l link) bool {
			return !d.transitions[l.transition].removed && l.produced < l.consumed && l.produced < c.Weight
		})
	})
}

// removeAmplePlaces removes places that never disable anything: they have as many tokens
// at first as any transition needs, and no transition takes more from them than it gives
// back.
func removeAmplePlaces(d *draft, rule int) int {
	return d.removeDue(d.duePlaces(rule), d.removePlace, func(p int32) (bool, int) {
		return !d.protected[p] && d.ample(p), 1 + len(d.links[p])
	})
}

// removeDue removes what is due and satisfies when. when also returns how much work the
// look was. It returns how often it did.
func (d *draft) removeDue(due iter.Seq[int32], remove func(int32), when func(int32) (holds bool, work int)) int {
	n := 0
	for i := range due {
		holds, work := when(i)
		if d.over(work) {
			return n
		}
		if holds {
			remove(i)
			n++
		}
	}
	return n
}

// ample reports whether p has at first as many tokens as any of its consumers needs, and none of
// them takes more than it gives back.
func (d *draft) ample(p int32) bool {
	for _, l := range d.linksOf(p) {
		if !d.transitions[l.transition].removed && (l.consumed > l.produced || l.consumed > d.initial[p]) {
			return false
		}
	}
	return true
}

// removeSinkPlaces removes places that nothing needs: they neither enable nor
// disable.
func removeSinkPlaces(d *draft, rule int) int {
	return d.removeDue(d.duePlaces(rule), d.removePlace, func(p int32) (bool, int) {
		return !d.protected[p] && d.consumers[p] == 0, 1
	})
}

// removeIdleTransitions removes transitions that change no place: a run without
// them reaches the same markings.
func removeIdleTransitions(d *draft, rule int) int {
	return d.removeDue(d.dueTransitions(rule), d.removeTransition, func(t int32) (bool, int) {
		u := d.at(t)
		return !d.isFixed(t) && slices.Equal(u.pre, u.post), 1 + len(u.pre)
	})
}

// removeDrainingTransitions removes transitions that add nothing anywhere and
// leave protected places alone: a run without them has at least as many tokens
// everywhere, and as many on protected places.
func removeDrainingTransitions(d *draft, rule int) int {
	return d.removeDue(d.dueTransitions(rule), d.removeTransition, func(t int32) (bool, int) {
		effects := d.effects(t)
		return !d.isFixed(t) && !slices.ContainsFunc(effects, func(e effect) bool {
			return e.produced > e.consumed || d.protected[e.place] && e.produced != e.consumed
		}), 1 + len(effects)
	})
}

// removeIrrelevant keeps what can influence protected places: transitions that
// change one, the places they need, the transitions that add to those, and so
// on. A run without the others has the same protected places and at least as
// many tokens on the needed ones. Whoever resets a place changes one that is protected.
func removeIrrelevant(d *draft, rule int) int {
	if !d.netDue(rule) {
		return 0
	}
	relevant := slices.Clone(d.protected)
	useful := make([]bool, len(d.transitions))
	var places []int32
	for p, is := range relevant {
		if is && !d.placeGone[p] {
			places = append(places, int32(p))
		}
	}
	need := func(u *transition) {
		d.work += len(u.pre)
		for _, a := range u.pre {
			if !relevant[a.place] {
				relevant[a.place] = true
				places = append(places, a.place)
			}
		}
	}
	for t := range d.fixed {
		if !d.transitions[t].removed && len(d.net.Resets(petri.Transition(t))) > 0 {
			useful[t] = true
			need(d.at(int32(t)))
		}
	}
	for len(places) > 0 {
		p := places[len(places)-1]
		places = places[:len(places)-1]
		links := d.linksOf(p)
		if d.over(1 + len(links)) {
			return 0 // what is needed is known in the end only
		}
		for _, l := range links {
			t := l.transition
			changes := l.produced > l.consumed || d.protected[p] && l.produced != l.consumed
			if !changes || useful[t] || d.transitions[t].removed {
				continue
			}
			useful[t] = true
			need(d.at(t))
		}
	}
	n := 0
	for t := range useful {
		if !useful[t] && !d.transitions[t].removed {
			d.removeTransition(int32(t))
			n++
		}
	}
	for p := range relevant {
		if !relevant[p] && !d.placeGone[p] {
			d.removePlace(int32(p))
			n++
		}
	}
	d.due.net &^= 1 << rule // what is left is relevant without the rest
	return n
}
