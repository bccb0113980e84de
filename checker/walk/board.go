package walk

import (
	"slices"

	"pnmc/checker/witness"
	"pnmc/internal/subsets"
	"pnmc/petri"
)

// A walk fires millions of transitions, and must know after each which ones are enabled. To look at
// all of them costs the whole net; but a firing changes a few places only.
//
// A board keeps what is enabled up to date as solvers of propositional logic keep clauses
// (Moskewicz et al., "Chaff", 2001). A transition that is not enabled waits at one place that has
// too few tokens for it. It is looked at again only when that place gets some. Then it is enabled,
// or it waits at another place. So transitions gather at places that are rarely marked. The
// alternative is a counter of missing places for each transition. Each firing would touch the
// counters of all transitions at each place that it changes, which are thousands where places are
// few.
//
// For example, let t need a, b and c, and only a be marked. t waits at b. That a loses and gets
// tokens is nothing to t. When b gets a token, t is looked at and goes on to wait at c. When b
// loses the token again, nothing happens, as t waits elsewhere. When c gets one, t is looked at
// from the start and waits at b.
//
// Why it is right. A waiting transition waits at a place that still has too few tokens: if it got
// enough, it was looked at. An enabled one is taken off the list when a place loses tokens that it
// needs.
//
// With inhibitor arcs a transition may also wait at a place that has too many tokens for it. It is
// looked at again when that place loses some.
//
// Where places have many consumers, nothing waits: what is enabled is found by crowds (crowd.go).

// board is a marking being played on, with the enabled transitions kept up to date.
type board struct {
	game    *tokenGame
	marking petri.Marking
	// enabled lists the transitions that may fire, in no order; position is where in the
	// list a transition is, or notEnabled.
	enabled  []uint32
	position []int32
	// waiting is, for each place, the first transition that waits there, or nobody. next is, for
	// each transition that waits, the one behind it, or nobody.
	waiting, next []int32
	// Where there are crowds, able is the set of transitions that are enabled, in place of position, and
	// marked that of marked places. These are those of the initial marking, or one of found, of which the other
	// is for the next look.
	able, marked []uint64
	found        [2]found
	memory       *subsets.Memory // or nil: of what was enabled where
	turn         int
	looks        int  // in crowds, so far
	tells        bool // whether began and ceased are asked for
	// began and ceased are what the last firing enabled and disabled, where there are crowds only if tells says so.
	began, ceased []uint32

	total   []int64 // by place, what firings change that are taken back together; else zero
	changes []change
}

// found is what is enabled, as a list and as a set.
type found struct {
	enabled []uint32
	able    []uint64
}

const (
	notEnabled = -1
	nobody     = -1
)

// newBoard returns a board at the initial marking.
func newBoard(g *tokenGame) *board {
	b := emptyBoard(g)
	if g.crowds != nil {
		b.memory = subsets.NewMemory(g.crowds.index, rememberedPerArc*len(g.watches))
	}
	b.restart()
	return b
}

// emptyBoard returns a board without a marking.
func emptyBoard(g *tokenGame) *board {
	n := g.net
	b := &board{game: g, marking: make(petri.Marking, n.Places())}
	if g.crowds != nil {
		for i := range b.found {
			b.found[i].able = make([]uint64, (n.Transitions()+63)/64)
		}
		b.able = b.found[1].able
		b.marked = make([]uint64, g.crowds.words)
	} else {
		b.position, b.waiting, b.next = make([]int32, n.Transitions()), make([]int32, n.Places()), make([]int32, n.Transitions())
	}
	return b
}

// place puts m on the board. Linear in the size of the net.
func (b *board) place(m petri.Marking) {
	copy(b.marking, m)
	b.enabled, b.began, b.ceased = b.enabled[:0], b.began[:0], b.ceased[:0]
	if b.game.crowds != nil {
		b.placeInCrowds()
		return
	}
	for p := range b.waiting {
		b.waiting[p] = nobody
	}
	for t := range b.position {
		b.settle(uint32(t))
	}
	b.began = b.began[:0]
}

// restart goes back to the initial marking. Linear in the places and transitions.
func (b *board) restart() {
	from := b.game.begin
	copy(b.marking, from.marking)
	b.began, b.ceased = b.began[:0], b.ceased[:0]
	if b.game.crowds != nil {
		copy(b.marked, from.marked)
		b.enabled, b.able = from.enabled, from.able
		return
	}
	copy(b.position, from.position)
	copy(b.waiting, from.waiting)
	copy(b.next, from.next)
	b.enabled = append(b.enabled[:0], from.enabled...)
}

// settle puts t, which is neither enabled nor waiting, on the list of those enabled, or makes it wait.
func (b *board) settle(t uint32) {
	for _, n := range b.game.preSet(t) {
		if b.marking[n.Place] < n.Weight {
			b.wait(t, uint32(n.Place))
			return
		}
	}
	b.settleBelow(t)
}

// settleBelow settles a transition that has all tokens which it needs: ceilings are left to be looked
// at.
func (b *board) settleBelow(t uint32) {
	if b.game.ceilings != nil {
		for _, n := range b.game.ceilings[t] {
			if b.marking[n.Place] >= n.Weight {
				b.wait(t, uint32(n.Place))
				return
			}
		}
	}
	b.position[t] = int32(len(b.enabled))
	b.enabled = append(b.enabled, t)
	b.began = append(b.began, t)
}

// wait makes t wait at p.
func (b *board) wait(t, p uint32) {
	b.position[t], b.next[t], b.waiting[p] = notEnabled, b.waiting[p], int32(t)
}

// fire fires the enabled t as often as times says, which is no more than most returns. A negative
// times undoes so many firings. It reports false and does nothing if a count would get too large.
// It looks at the places that change, at the transitions that wait there, and at those that need them.
// If more need them than are enabled, it looks at the enabled ones instead.
func (b *board) fire(t uint32, times int64) bool {
	if b.game.empties(t) {
		return b.fireAndEmpty(t, times)
	}
	effect := b.game.effect(t)
	if times > 0 {
		for _, c := range effect {
			if c.delta > 0 && (c.delta > witness.TokenLimit/times || b.marking[c.place] > witness.TokenLimit-c.delta*times) {
				return false
			}
		}
	}
	b.change(effect, times)
	return true
}

// change changes the marking, and what is enabled.
func (b *board) change(effect []change, times int64) {
	if b.game.crowds != nil {
		b.changeInCrowds(effect, times)
		return
	}
	b.began, b.ceased = b.began[:0], b.ceased[:0]
	watches := 0 // of places that lose tokens
	for _, c := range effect {
		b.marking[c.place] += c.delta * times
		if c.delta > 0 != (times > 0) {
			watches += int(b.game.first[c.place+1] - b.game.first[c.place])
		}
	}
	if watches < len(b.enabled) {
		b.disableAround(effect, times)
	} else {
		b.disableAnywhere()
	}
	for _, c := range effect {
		if c.delta > 0 == (times > 0) {
			b.wake(c.place)
		}
	}
	if b.game.ceilings != nil {
		b.lookAbove(effect, times)
	}
}

// lookAbove handles ceilings. It disables transitions with a ceiling that a place has reached, and
// looks again at those that wait at places which lost tokens.
func (b *board) lookAbove(effect []change, times int64) {
	for _, c := range effect {
		if c.delta > 0 != (times > 0) {
			continue
		}
		for _, w := range b.game.above[c.place] {
			if w.weight > b.marking[c.place] {
				break
			}
			if b.position[w.transition] >= 0 {
				b.disable(w.transition, c.place)
			}
		}
	}
	for _, c := range effect {
		if c.delta > 0 != (times > 0) && len(b.game.above[c.place]) > 0 {
			b.wake(c.place)
		}
	}
}

// fireAndEmpty fires a transition that resets places. It fires once and cannot
// be undone. For any other number of times it reports false. It is linear in the net.
func (b *board) fireAndEmpty(t uint32, times int64) bool {
	if times != 1 || slices.ContainsFunc(b.marking, func(tokens int64) bool { return tokens > witness.TokenLimit }) ||
		!b.game.net.Fire(b.marking, petri.Transition(t)) {
		return false
	}
	before := slices.Clone(b.enabled)
	b.place(slices.Clone(b.marking))
	b.began, b.ceased = b.began[:0], b.ceased[:0]
	was := make(map[uint32]bool, len(before))
	for _, u := range before {
		if was[u] = true; b.position[u] < 0 {
			b.ceased = append(b.ceased, u)
		}
	}
	for _, u := range b.enabled {
		if !was[u] {
			b.began = append(b.began, u)
		}
	}
	return true
}

// disableAround disables transitions that need more tokens than the places have which lost some.
// Watches of a place ascend by weight, so that it stops at the first with a weight small enough.
func (b *board) disableAround(effect []change, times int64) {
	for _, c := range effect {
		if c.delta > 0 == (times > 0) {
			continue
		}
		watches := b.game.watches[b.game.first[c.place]:b.game.first[c.place+1]]
		for i := len(watches) - 1; i >= 0 && watches[i].weight > b.marking[c.place]; i-- {
			if t := watches[i].transition; b.position[t] >= 0 {
				b.disable(t, c.place)
			}
		}
	}
}

// disableAnywhere does the same by a look at all transitions that were enabled, where these are fewer.
func (b *board) disableAnywhere() {
	for i := len(b.enabled) - 1; i >= 0; i-- {
		t := b.enabled[i]
		for _, n := range b.game.preSet(t) {
			if b.marking[n.Place] < n.Weight {
				b.disable(t, uint32(n.Place))
				break
			}
		}
	}
}

// disable takes t off the list of those enabled, and makes it wait at p.
func (b *board) disable(t, p uint32) {
	last := b.enabled[len(b.enabled)-1]
	b.enabled[b.position[t]] = last
	b.position[last] = b.position[t]
	b.enabled = b.enabled[:len(b.enabled)-1]
	b.ceased = append(b.ceased, t)
	b.wait(t, p)
}

// wake looks again at all transitions that wait at p, whose tokens have changed.
func (b *board) wake(p uint32) {
	t := b.waiting[p]
	b.waiting[p] = nobody
	for t != nobody {
		next := b.next[t]
		b.settle(uint32(t))
		t = next
	}
}

// isEnabled reports whether t is enabled. A board that was made for one marking has no list; it
// looks at the marking.
func (b *board) isEnabled(t uint32) bool {
	switch {
	case b.position != nil:
		return b.position[t] >= 0
	case b.able != nil:
		return b.able[t/64]>>(t%64)&1 != 0
	}
	return b.game.net.Enabled(b.marking, petri.Transition(t))
}

// isDeadlock reports whether no transition is enabled.
func (b *board) isDeadlock() bool {
	if b.position != nil || b.able != nil {
		return len(b.enabled) == 0
	}
	return b.game.net.Deadlock(b.marking)
}

// most returns how often the enabled t can fire in a row, but at most limit. It is once if that
// changes nothing.
func (b *board) most(t uint32, limit int64) int64 {
	if b.game.empties(t) || len(b.game.effect(t)) == 0 {
		return 1
	}
	pre := b.game.net.Pre(petri.Transition(t))
	i := 0
	for _, c := range b.game.effect(t) {
		if c.delta >= 0 {
			if c.delta > 0 {
				limit = min(limit, max(1, (witness.TokenLimit-b.marking[c.place])/c.delta))
			}
			continue
		}
		for pre[i].Place != petri.Place(c.place) {
			i++
		}
		limit = min(limit, (b.marking[c.place]-pre[i].Weight)/-c.delta+1)
	}
	if b.game.ceilings != nil {
		for _, n := range b.game.ceilings[t] {
			for _, c := range b.game.effect(t) {
				if c.place == uint32(n.Place) && c.delta > 0 {
					limit = min(limit, (n.Weight-1-b.marking[n.Place])/c.delta+1)
				}
			}
		}
	}
	return max(1, limit)
}
