package reduce

import "slices"

// Rules for the question whether a deadlock is reachable.

// keepSource keeps only one transition that needs nothing. Then no marking is a deadlock.
// Whatever else is removed leaves it as it is.
func keepSource(d *draft, rule int) int {
	source := int32(-1)
	for t := range d.dueTransitions(rule) {
		if d.over(1) {
			return 0
		}
		if len(d.at(t).pre) == 0 && !d.isFixed(t) {
			source = t
			break
		}
	}
	if source < 0 {
		return 0
	}
	n := 0
	for t := range d.transitions {
		u := &d.transitions[t]
		if u.removed || int32(t) == source {
			continue
		}
		if d.over(1 + len(u.pre) + len(u.post)) {
			return n
		}
		d.removeTransition(int32(t))
		n++
	}
	return n + d.removePlacesBut(d.protected)
}

// maxRivals bounds how many transitions at one place are looked at for one other.
const maxRivals = 128

// removeIdleBesideOthers removes a transition that changes nothing, if another can fire
// whenever it can. Reachable markings stay reachable, and no marking becomes a deadlock. (Runs
// are others: they may not stay for ever where they did.)
func removeIdleBesideOthers(d *draft, rule int) int {
	n := 0
	for t := range d.dueTransitions(rule) {
		u := d.at(t)
		if d.over(1 + len(u.pre)) {
			return n
		}
		switch {
		case d.isFixed(t) || len(u.pre) == 0:
		case !slices.Equal(u.pre, u.post):
			n += d.removeIdleBeside(t)
		case d.hasRival(t):
			d.removeTransition(t)
			n++
		}
	}
	return n
}

// hasRival reports whether another transition can fire whenever t can.
func (d *draft) hasRival(t int32) bool {
	u := d.at(t)
	for _, a := range u.pre {
		links := d.linksOf(a.place)
		for _, l := range links[:min(len(links), maxRivals)] {
			v := l.transition
			if v == t || l.consumed == 0 || l.consumed > a.weight || d.transitions[v].removed || d.isFixed(v) {
				continue
			}
			if rival := d.at(v); needsNoMore(rival, u) {
				return true
			}
			if d.over(1 + len(u.pre)) {
				return false
			}
		}
		d.work += min(len(links), maxRivals) / 8
	}
	return false
}

// removeIdleBeside removes transitions that change nothing where t can fire whenever they can,
// and returns how many. They need at least what t does of each of its places.
func (d *draft) removeIdleBeside(t int32) int {
	u := d.at(t)
	least := u.pre[0]
	for _, a := range u.pre {
		if len(d.links[a.place]) < len(d.links[least.place]) {
			least = a
		}
	}
	n := 0
	links := d.linksOf(least.place)
	for _, l := range links[:min(len(links), maxRivals)] {
		o := l.transition
		if o == t || l.consumed != l.produced || l.consumed < least.weight || d.transitions[o].removed || d.isFixed(o) {
			continue
		}
		if idle := d.at(o); slices.Equal(idle.pre, idle.post) && needsNoMore(u, idle) {
			d.removeTransition(o)
			n++
		}
		d.work += 1 + len(u.pre)
	}
	d.work += min(len(links), maxRivals) / 8
	return n
}
