package petri

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Arcs beyond those that move tokens, and capacities.
//
// An inhibitor arc of weight w lets its transition fire only while its place has fewer
// than w tokens. A reset arc empties its place: firing takes what the input arcs take,
// then all that is left in the place, then gives what the output arcs give. A capacity of
// k lets no transition fire that would leave more than k tokens in the place. It acts like
// an inhibitor arc at each transition that adds to the place. A read arc of weight w needs
// w tokens and leaves them there: it is an arc in either direction.
//
// Such nets are not monotone: with more tokens, fewer transitions may be enabled, and
// fewer tokens may be left in the end. Some engines assume that more tokens do no harm:
// they ask Plain, or Watched for the places in question. Others assume that a firing
// has the same effect everywhere: they ask HasResets.

// specialArcs are what a net has beyond arcs that move tokens. Rows are laid out as those of
// Net are.
type specialArcs struct {
	inhibitors     []Arc
	inhibitorStart []uint32
	resets         []Place
	resetStart     []uint32
	capacities     []int64 // by place; nil: none has one

	// ceilings are inhibitors and what capacities amount to, together.
	ceilings     []Arc
	ceilingStart []uint32
	// below gives each place the transitions that have a ceiling there.
	below      []Transition
	belowStart []uint32
	// emptied says of each place whether some transition resets it.
	emptied []bool
}

// Plain reports whether the net has neither inhibitor nor reset arcs nor capacities.
func (n *Net) Plain() bool { return n.special == nil }

// Inhibitors returns the inhibitor arcs of t, sorted by place; not to be modified.
func (n *Net) Inhibitors(t Transition) []Arc {
	if n.special == nil {
		return nil
	}
	return n.special.inhibitors[n.special.inhibitorStart[t]:n.special.inhibitorStart[t+1]]
}

// Ceilings returns the places where t needs fewer tokens than a weight, sorted by place.
// They are the places of its inhibitor arcs, and those with a capacity to which it adds. A
// weight of 0 says that t can never fire. They are not to be modified.
func (n *Net) Ceilings(t Transition) []Arc {
	if n.special == nil {
		return nil
	}
	return n.special.ceilings[n.special.ceilingStart[t]:n.special.ceilingStart[t+1]]
}

// Below returns the transitions that have a ceiling at p, ascending; not to be modified.
func (n *Net) Below(p Place) []Transition {
	if n.special == nil {
		return nil
	}
	return n.special.below[n.special.belowStart[p]:n.special.belowStart[p+1]]
}

// Resets returns the places that t empties, sorted; not to be modified.
func (n *Net) Resets(t Transition) []Place {
	if n.special == nil {
		return nil
	}
	return n.special.resets[n.special.resetStart[t]:n.special.resetStart[t+1]]
}

// Empties reports whether t resets p. It looks by halves: a transition may reset as many places as it
// has other arcs, and to go through all for each arc would cost the square.
func (n *Net) Empties(t Transition, p Place) bool {
	_, empties := slices.BinarySearch(n.Resets(t), p)
	return empties
}

// Capacity returns the most tokens that p may hold, or Unbounded.
func (n *Net) Capacity(p Place) int64 {
	if n.special == nil || n.special.capacities == nil {
		return Unbounded
	}
	return n.special.capacities[p]
}

// HasResets reports whether some transition resets a place.
func (n *Net) HasResets() bool { return n.special != nil && len(n.special.resets) > 0 }

// Emptied reports whether some transition resets p.
func (n *Net) Emptied(p Place) bool { return n.special != nil && n.special.emptied[p] }

// Watched reports whether more tokens in p may disable a transition, or be lost by one: some
// transition has a ceiling there, or resets it.
func (n *Net) Watched(p Place) bool {
	return n.special != nil && (n.special.emptied[p] || n.special.belowStart[p] < n.special.belowStart[p+1])
}

// Pumps reports whether the firings from one marking to another can be repeated for ever,
// and add as much each time. That is so if after has at least the tokens of before
// everywhere, more somewhere, and equally many in each watched place. For then each marking
// on the way is met again with more tokens only where these neither disable anything nor
// are lost.
func (n *Net) Pumps(before, after Marking) bool {
	return strictlyCovers(after, before) && n.sameWatched(before, after)
}

// Repeats reports whether what leads from one marking to another can be fired again and
// again, as Pumps does, but adds perhaps nothing.
func (n *Net) Repeats(before, after Marking) bool {
	_, hindered := n.Hindrance(before, after)
	return !hindered
}

// RepeatsBy reports whether firing these transitions, which led from one marking to another, can be
// repeated for ever and adds as much each time. It knows more than Repeats: tokens may be added to
// a place that is watched, if none of these transitions watches it. Then each marking on the way is
// met again, with more tokens only where the next transition has no ceiling and does not take all.
// So that transition is enabled as before, and changes as much. Others may be disabled.
func (n *Net) RepeatsBy(before, after Marking, fired iter.Seq[Transition]) bool {
	grown := false // in a place that is watched
	for p := range before {
		if after[p] < before[p] {
			return false
		}
		grown = grown || after[p] > before[p] && n.Watched(Place(p))
	}
	if !grown {
		return true
	}
	for t := range fired {
		for _, a := range n.Ceilings(t) {
			if after[a.Place] > before[a.Place] {
				return false
			}
		}
		for _, p := range n.Resets(t) {
			if after[p] > before[p] {
				return false
			}
		}
	}
	return true
}

// Hindrance returns the first place that may keep what leads from one marking to another from being
// fired again and again: it has fewer tokens then, or it is watched and has more. hindered is
// false if there is none.
func (n *Net) Hindrance(before, after Marking) (p Place, hindered bool) {
	for p := range before {
		if after[p] < before[p] || after[p] > before[p] && n.Watched(Place(p)) {
			return Place(p), true
		}
	}
	return 0, false
}

// sameWatched reports whether two markings agree on all places that are watched.
func (n *Net) sameWatched(a, b Marking) bool {
	if n.special == nil {
		return true
	}
	for p := range a {
		if a[p] != b[p] && n.Watched(Place(p)) {
			return false
		}
	}
	return true
}

// SameArcs reports whether transition t of n and u of other do the same: they have the same
// input and output arcs, ceilings and reset arcs.
func (n *Net) SameArcs(t Transition, other *Net, u Transition) bool {
	return slices.Equal(n.Pre(t), other.Pre(u)) && slices.Equal(n.Post(t), other.Post(u)) &&
		(n.special == nil && other.special == nil ||
			slices.Equal(n.Ceilings(t), other.Ceilings(u)) && slices.Equal(n.Resets(t), other.Resets(u)))
}

// allows reports whether m keeps below the ceilings of t.
func (s *specialArcs) allows(m Marking, t Transition) bool {
	for _, a := range s.ceilings[s.ceilingStart[t]:s.ceilingStart[t+1]] {
		if m[a.Place] >= a.Weight {
			return false
		}
	}
	return true
}

// fire changes m to the marking after t, which is enabled. It reports what Net.Fire
// does.
func (s *specialArcs) fire(n *Net, m Marking, t Transition) bool {
	for _, a := range n.Post(t) {
		before := m[a.Place]
		if n.Empties(t, a.Place) {
			continue
		}
		if i, found := slices.BinarySearchFunc(n.Pre(t), a.Place, func(b Arc, p Place) int { return cmp.Compare(b.Place, p) }); found {
			before -= n.Pre(t)[i].Weight
		}
		if before > math.MaxInt64-a.Weight {
			return false
		}
	}
	for _, a := range n.Pre(t) {
		m[a.Place] -= a.Weight
	}
	for _, p := range n.Resets(t) {
		m[p] = 0
	}
	for _, a := range n.Post(t) {
		m[a.Place] += a.Weight
	}
	return true
}

// AddInhibitor lets t fire only while p has fewer than weight tokens; of parallel arcs the
// least weight counts.
func (b *Builder) AddInhibitor(p Place, t Transition, weight int64) error {
	return b.addArc(&b.inhibitors, p, t, weight)
}

// AddReset lets t empty p.
func (b *Builder) AddReset(p Place, t Transition) error {
	return b.addArc(&b.resets, p, t, 1)
}

// AddRead lets t fire only while p has weight tokens, and leaves them there. Beside an input
// arc the larger of the two weights is needed, and the input arc's is taken; beside a reset arc all
// is taken.
func (b *Builder) AddRead(p Place, t Transition, weight int64) error {
	return b.addArc(&b.reads, p, t, weight)
}

// SetCapacity lets p hold at most so many tokens. The error says that it has more at first.
func (b *Builder) SetCapacity(p Place, tokens int64) error {
	switch {
	case int(p) >= len(b.places):
		return fmt.Errorf("capacity of unknown place number %d", p)
	case tokens < b.initial[p]:
		return fmt.Errorf("place %q: initial marking %d exceeds the capacity %d", b.places[p].ID, b.initial[p], tokens)
	}
	if b.capacities == nil {
		b.capacities = map[Place]int64{}
	}
	b.capacities[p] = tokens
	return nil
}

// CopyArcs gives t the arcs of transition u of net, whose place p is place(p) here.
// Capacities of net become inhibitor arcs.
func (b *Builder) CopyArcs(t Transition, net *Net, u Transition, place func(Place) Place) error {
	for _, a := range net.Pre(u) {
		if err := b.AddInput(place(a.Place), t, a.Weight); err != nil {
			return err
		}
	}
	for _, a := range net.Post(u) {
		if err := b.AddOutput(t, place(a.Place), a.Weight); err != nil {
			return err
		}
	}
	b.CopyCeilings(t, net, u, place)
	return nil
}

// CopyCeilings gives t the ceilings and the reset arcs of transition u of net, as CopyArcs
// does. A ceiling of 0 stays one.
func (b *Builder) CopyCeilings(t Transition, net *Net, u Transition, place func(Place) Place) {
	for _, a := range net.Ceilings(u) {
		b.inhibitors = append(b.inhibitors, builderArc{t, Arc{place(a.Place), a.Weight}})
	}
	for _, p := range net.Resets(u) {
		b.resets = append(b.resets, builderArc{t, Arc{place(p), 1}})
	}
}

// turnReads makes read arcs input and output arcs, where the input arcs do not need as much. If a
// reset arc takes the rest, nothing is put back.
func (b *Builder) turnReads() {
	type place struct {
		transition Transition
		place      Place
	}
	need, taken := map[place]int64{}, map[place]int64{}
	emptied := map[place]bool{}
	if len(b.reads) > 0 {
		for _, a := range b.resets {
			emptied[place{a.transition, a.Place}] = true
		}
	}
	for _, a := range b.reads {
		at := place{a.transition, a.Place}
		need[at] = max(need[at], a.Weight)
	}
	for _, a := range b.pre {
		at := place{a.transition, a.Place}
		if _, read := need[at]; read && taken[at] >= 0 {
			taken[at] += a.Weight // what gets too large is below 0 from then on, and found by rows
		}
	}
	for _, a := range b.reads {
		at := place{a.transition, a.Place}
		if more := need[at] - taken[at]; more > 0 && taken[at] >= 0 {
			b.pre = append(b.pre, builderArc{a.transition, Arc{a.Place, more}})
			if !emptied[at] {
				b.post = append(b.post, builderArc{a.transition, Arc{a.Place, more}})
			}
			taken[at] = need[at]
		}
	}
	b.reads = nil
}

// specialArcs returns those that were added to b, for n, whose other arcs are known; nil if none
// was added.
func (b *Builder) specialArcs(n *Net) *specialArcs {
	if len(b.inhibitors) == 0 && len(b.resets) == 0 && len(b.capacities) == 0 {
		return nil
	}
	s := &specialArcs{emptied: make([]bool, len(b.places)), resetStart: make([]uint32, len(b.transitions)+1)}
	sortArcs(b.resets)
	for i, a := range b.resets {
		if i == 0 || b.resets[i-1] != a {
			s.resets = append(s.resets, a.Place)
			s.emptied[a.Place] = true
		}
		s.resetStart[a.transition+1] = uint32(len(s.resets))
	}
	for t := range b.transitions {
		s.resetStart[t+1] = max(s.resetStart[t+1], s.resetStart[t])
	}
	n.special = s // which Resets reads from now on
	s.inhibitors, s.inhibitorStart = leastRows(b.inhibitors, len(b.transitions))
	ceilings := slices.Clone(b.inhibitors)
	if len(b.capacities) > 0 {
		s.capacities = make([]int64, len(b.places))
		for p := range s.capacities {
			s.capacities[p] = Unbounded
		}
		for p, tokens := range b.capacities {
			s.capacities[p] = tokens
		}
		for t := range Transition(len(b.transitions)) {
			ceilings = append(ceilings, s.capacityCeilings(n, t)...)
		}
	}
	s.ceilings, s.ceilingStart = leastRows(ceilings, len(b.transitions))
	s.below, s.belowStart = columns(len(b.places), s.ceilings, s.ceilingStart)
	return s
}

// capacityCeilings returns the ceilings of t that capacities amount to: after it has taken its
// tokens, what it gives must fit.
func (s *specialArcs) capacityCeilings(n *Net, t Transition) (ceilings []builderArc) {
	for _, a := range n.Post(t) {
		capacity := s.capacities[a.Place]
		if capacity == Unbounded {
			continue
		}
		added := a.Weight
		emptied := n.Empties(t, a.Place)
		if i, found := slices.BinarySearchFunc(n.Pre(t), a.Place, func(b Arc, p Place) int { return cmp.Compare(b.Place, p) }); found && !emptied {
			added -= n.Pre(t)[i].Weight
		}
		switch {
		case added > capacity:
			ceilings = append(ceilings, builderArc{t, Arc{a.Place, 0}})
		case added > 0 && !emptied && capacity-added < math.MaxInt64:
			ceilings = append(ceilings, builderArc{t, Arc{a.Place, capacity - added + 1}})
		}
	}
	return ceilings
}

// sortArcs sorts arcs by transition, then by place, then by weight.
func sortArcs(arcs []builderArc) {
	slices.SortStableFunc(arcs, func(x, y builderArc) int {
		return cmp.Or(cmp.Compare(x.transition, y.transition), cmp.Compare(x.Place, y.Place), cmp.Compare(x.Weight, y.Weight))
	})
}

// leastRows sorts arcs into compressed rows, one a transition; of parallel arcs the one of the
// least weight stays.
func leastRows(arcs []builderArc, transitions int) ([]Arc, []uint32) {
	sortArcs(arcs)
	var flat []Arc
	start := make([]uint32, transitions+1)
	for i, a := range arcs {
		if i == 0 || arcs[i-1].transition != a.transition || arcs[i-1].Place != a.Place {
			flat = append(flat, a.Arc)
		}
		start[a.transition+1] = uint32(len(flat))
	}
	for t := range transitions {
		start[t+1] = max(start[t+1], start[t])
	}
	return flat, start
}
