package reduce

import (
	"slices"

	"pnmc/petri"
)

// counting is what a draft notes where markings are to be counted. All its methods do nothing
// where there is none.
type counting struct {
	groups    [][]petri.Place // by place: the original places whose tokens it has
	equations []Equation
	dead      []bool // by original transition
}

// keepCounts prepares the draft of a net without special arcs for rules that keep counts.
func (d *draft) keepCounts() {
	c := &counting{groups: make([][]petri.Place, len(d.placeGone)), dead: make([]bool, d.net.Transitions())}
	alone := make([]petri.Place, len(d.placeGone))
	for p := range c.groups {
		alone[p] = petri.Place(p)
		c.groups[p] = alone[p : p+1 : p+1]
	}
	d.counting = c
}

// noteDead notes that an original transition can never fire.
func (c *counting) noteDead(t int32) {
	if c != nil && t != noOriginal {
		c.dead[t] = true
	}
}

// merge gives the group of q to p. The smaller one is copied, so that all groups together are copied some
// times at most, however they come together.
func (c *counting) merge(p, q int32) {
	if c == nil {
		return
	}
	large, small := c.groups[p], c.groups[q]
	if len(large) < len(small) {
		large, small = small, large
	}
	c.groups[p], c.groups[q] = append(large, small...), nil
}

// counts returns what was noted, for the places that are left.
func (d *draft) counts(left []petri.Place) *Counts {
	if d.counting == nil {
		return nil
	}
	c := &Counts{net: d.net, Equations: d.counting.equations, dead: d.counting.dead, in: make([]int32, len(d.placeGone))}
	for p := range c.in {
		c.in[p] = -1
	}
	for i, p := range left {
		group := d.counting.groups[p]
		c.Groups = append(c.Groups, group)
		for _, q := range group {
			c.in[q] = int32(i)
		}
	}
	return c
}

// units returns the units of the original net for its groups: a group belongs to the unit of its first
// place, if that is in one. That they are safe is claimed if it is to be and they were, and each group lies within one
// unit, or in none: the tokens of some places of a unit are together no more than those of all. If it is not to be
// claimed, it is likely.
func (d *draft) units(groups [][]petri.Place, claim bool) *petri.NUPN {
	n := d.net.NUPN()
	if n == nil {
		return nil
	}
	units := &petri.NUPN{Units: make([]petri.Unit, len(n.Units)), Root: n.Root, Safe: n.Safe && claim, Likely: (n.Safe || n.Likely) && !claim}
	const none = -1
	unit := slices.Repeat([]int{none}, len(d.placeGone))
	for i, u := range n.Units {
		units.Units[i] = petri.Unit{ID: u.ID, Subunits: u.Subunits}
		for _, p := range u.Places {
			unit[p] = i
		}
	}
	for p, group := range groups {
		first := unit[group[0]]
		if first != none {
			units.Units[first].Places = append(units.Units[first].Places, petri.Place(p))
		}
		units.Safe = units.Safe && !slices.ContainsFunc(group, func(q petri.Place) bool { return unit[q] != first })
	}
	return units
}

// mergeFedPlaces merges a place q with the place p that feeds it: by one transition, which takes one token
// from p, gives it to q, and does nothing else. q is empty at first, and nothing else gives to it.
//
// Whatever needs tokens of q gets them from p just before. So q can be kept empty until then, and p has
// all tokens that a run has brought to both; from there any number of them goes to q. So with n
// tokens in both each way to share them out is reached, and the merged place has them together. What
// needs i tokens of p and j of q needs i+j of it: they can be shared out as needed.
//
// The transition itself changes nothing any more, and goes. (The rule of concatenation of Berthomieu,
// Le Botlan, Dal Zilio, 2020, without their condition on what p does else.)
//
// Where places feed each other in a row, those nearest to the first are merged first, so that each
// transition is rewritten once for the place it needs, and not once for each place of the row.
func mergeFedPlaces(d *draft, rule int) int {
	if d.counting == nil {
		return 0
	}
	n := 0
	var row []int32
	for q := range d.duePlaces(rule) {
		row = d.feedingRow(row[:0], q)
		for i := len(row) - 1; i >= 0; i-- {
			feeding, p, is := d.feeder(row[i])
			if d.over(1 + len(d.links[row[i]])) {
				return n
			}
			if is && p != row[i] && d.mergeInto(p, row[i], feeding) {
				n++
			}
		}
	}
	return n
}

// feedingRow appends q, the place that feeds it, the one that feeds that, and so on, as long as they are fed.
// Of a ring it appends each once.
func (d *draft) feedingRow(row []int32, q int32) []int32 {
	var met map[int32]bool
	for {
		_, p, is := d.feeder(q)
		if !is || met[q] || d.over(1+len(d.links[q])) {
			return row
		}
		if row = append(row, q); met == nil {
			met = make(map[int32]bool)
		}
		met[q] = true
		q = p
	}
}

// feeder returns the transition that feeds q, and the place that it takes from. It reports false if q
// is not fed as mergeFedPlaces needs it.
func (d *draft) feeder(q int32) (feeding, p int32, is bool) {
	if d.protected[q] || d.initial[q] != 0 {
		return 0, 0, false
	}
	feeding = -1
	for _, l := range d.linksOf(q) {
		switch {
		case d.transitions[l.transition].removed || l.produced == 0:
		case feeding >= 0 || l.consumed > 0 || l.produced != 1:
			return 0, 0, false
		default:
			feeding = l.transition
		}
	}
	if feeding < 0 {
		return 0, 0, false
	}
	t := d.at(feeding)
	if len(t.pre) != 1 || len(t.post) != 1 || t.pre[0].weight != 1 || d.protected[t.pre[0].place] || d.isFixed(feeding) {
		return 0, 0, false
	}
	return feeding, t.pre[0].place, true
}

// mergeInto merges q into p. It reports false if weights would grow out of bounds.
func (d *draft) mergeInto(p, q, feeding int32) bool {
	move := d.transitions[feeding].recipe
	var made []transition
	var old []int32
	for _, l := range d.linksOf(q) {
		if d.transitions[l.transition].removed || l.transition == feeding {
			continue
		}
		u := d.at(l.transition)
		d.over(1 + len(u.pre) + len(u.post))
		pre, ok := withMore(u.pre, q, p, l.consumed)
		if !ok {
			return false
		}
		made = append(made, transition{pre: pre, post: slices.Clone(u.post), recipe: move.times(l.consumed).then(u.recipe), id: u.id, of: u.of})
		old = append(old, l.transition)
	}
	if !d.hasRoom(made) {
		return false
	}
	d.removeTransition(feeding)
	for _, t := range old {
		d.removeTransition(t)
	}
	d.placeGone[q] = true
	for _, t := range made {
		d.transitions = append(d.transitions, t)
		d.link(int32(len(d.transitions) - 1))
	}
	d.counting.merge(p, q)
	d.linksChanged(p)
	return true
}

// withMore returns arcs without the one of q and with so many tokens more of p. It reports false
// if these are too many.
func withMore(arcs []arc, q, p int32, tokens int64) (list []arc, ok bool) {
	put := false
	for _, a := range arcs {
		if a.place == q {
			continue
		}
		if a.weight > maxWeight || tokens > maxWeight {
			return nil, false
		}
		switch {
		case !put && a.place == p:
			a.weight += tokens
			put = true
		case !put && a.place > p:
			list = append(list, arc{p, tokens})
			put = true
		}
		list = append(list, a)
	}
	if !put {
		list = append(list, arc{p, tokens})
	}
	return list, true
}
