package reduce

import (
	"slices"

	"pnmc/internal/hashing"
)

// maxFirst bounds how many transitions at each place that another takes from are tried as the
// first of two that do the same as it, and maxLooks at all of its places. After maxFruitless
// transitions in a row that are not composed the others are taken not to be either.
const (
	maxFirst     = 64
	maxLooks     = 256
	maxFruitless = 4096
)

// removeComposed removes a transition t if two others, or one twice, do the same one after the
// other, and can do so whenever t can fire. Reachable markings stay reachable. No marking
// becomes a deadlock, as the first of the two can fire there. (Runs are others: they see the
// marking between the two.) (Thierry-Mieg 2020.)
func removeComposed(d *draft, rule int) int {
	if !d.netDue(rule) {
		return 0
	}
	c := composition{draft: d, groups: make(map[uint64][]int32)}
	for t := range d.transitions {
		if d.transitions[t].removed || d.isFixed(int32(t)) {
			continue
		}
		c.one = d.changes(c.one[:0], int32(t))
		if d.over(1+len(c.one)) || len(c.one) == 0 {
			continue
		}
		hash := hashing.Numbers(c.one)
		if group := c.groups[hash]; len(group) < maxFirst {
			c.groups[hash] = append(group, int32(t))
		}
	}
	n, fruitless := 0, 0
	for t := len(d.transitions) - 1; t >= 0 && fruitless < maxFruitless && !d.isOver(); t-- { // those made last are composed most
		if d.transitions[t].removed || d.isFixed(int32(t)) {
			continue
		}
		if fruitless++; c.finds(int32(t)) {
			d.removeTransition(int32(t))
			n, fruitless = n+1, 0
		}
	}
	if !d.isOver() {
		d.due.net &^= 1 << rule // fewer transitions compose no more
	}
	return n
}

// composition is the search for two transitions that do what another does.
type composition struct {
	*draft
	groups          map[uint64][]int32 // transitions by the hash of what they change
	one, first, two []int64
}

// finds reports whether there are two for t.
func (c *composition) finds(t int32) bool {
	u := c.at(t)
	c.one = c.changes(c.one[:0], t)
	if len(c.one) == 0 {
		return false
	}
	looks := maxLooks
	for _, a := range u.pre {
		links := c.linksOf(a.place)
		links = links[:min(len(links), maxFirst, looks)]
		looks -= len(links)
		for _, l := range links {
			v := l.transition
			if v == t || l.consumed == 0 || l.consumed > a.weight || c.transitions[v].removed || c.isFixed(v) {
				continue
			}
			first := c.at(v)
			if c.over(1 + len(u.pre)) {
				return false
			}
			// One with more places is asked about at the first of them only.
			if first.pre[0].place == a.place && needsNoMore(first, u) && c.hasSecond(t, v) {
				return true
			}
		}
	}
	return false
}

// hasSecond reports whether a transition does what t does beyond what v does, and can fire
// after v wherever t can.
func (c *composition) hasSecond(t, v int32) bool {
	c.first = c.changes(c.first[:0], v)
	c.two = difference(c.two[:0], c.one, c.first)
	if c.over(len(c.one)+len(c.first)) || len(c.first) == 0 || len(c.two) == 0 {
		return false
	}
	for _, w := range c.groups[hashing.Numbers(c.two)] {
		if w == t || c.transitions[w].removed {
			continue
		}
		c.scratch.others = c.changes(c.scratch.others[:0], w)
		if slices.Equal(c.scratch.others, c.two) && c.followsAfter(t, v, w) {
			return true
		}
	}
	return false
}

// followsAfter reports whether w can fire after v wherever t can.
func (c *composition) followsAfter(t, v, w int32) bool {
	at := func(arcs []arc, p int32) int64 {
		if i, found := slices.BinarySearchFunc(arcs, p, func(a arc, p int32) int { return int(a.place) - int(p) }); found {
			return arcs[i].weight
		}
		return 0
	}
	u, first := c.at(t), c.at(v)
	return !slices.ContainsFunc(c.at(w).pre, func(a arc) bool {
		return at(u.pre, a.place)-at(first.pre, a.place)+at(first.post, a.place) < a.weight
	})
}

// difference appends what is changed by one and not by other; both ascend by place, which is
// followed by how much it changes.
func difference(numbers, one, other []int64) []int64 {
	for len(one)+len(other) > 0 {
		switch {
		case len(other) == 0 || len(one) > 0 && one[0] < other[0]:
			numbers, one = append(numbers, one[0], one[1]), one[2:]
		case len(one) == 0 || other[0] < one[0]:
			numbers, other = append(numbers, other[0], -other[1]), other[2:]
		default:
			if one[1] != other[1] {
				numbers = append(numbers, one[0], one[1]-other[1])
			}
			one, other = one[2:], other[2:]
		}
	}
	return numbers
}
