package walk

import (
	"cmp"
	"slices"

	"pnmc/checker/witness"
	"pnmc/petri"
)

// tokenGame is a net laid out for playing: the effect of each transition, and
// for each place who watches it. It is immutable and shared by walkers.
type tokenGame struct {
	net     *petri.Net
	changes []change // by transition, see start
	start   []uint32
	watches []watch // by place, ascending by weight, see first
	first   []uint32
	inputs  []int32 // number of places in the pre-set of each transition
}

// change is what a transition adds to a place.
type change struct {
	place uint32
	delta int64
}

// watch is a transition that needs weight tokens of a place.
type watch struct {
	transition uint32
	weight     int64
}

func newTokenGame(net *petri.Net) *tokenGame {
	g := &tokenGame{net: net, start: make([]uint32, 1, net.Transitions()+1), first: make([]uint32, 1, net.Places()+1)}
	for t := range petri.Transition(net.Transitions()) {
		for _, a := range net.Effect(t) {
			g.changes = append(g.changes, change{uint32(a.Place), a.Weight})
		}
		g.start = append(g.start, uint32(len(g.changes)))
		g.inputs = append(g.inputs, int32(len(net.Pre(t))))
	}
	for p := range petri.Place(net.Places()) {
		from := len(g.watches)
		for _, t := range net.Consumers(p) {
			pre := net.Pre(t)
			i, _ := slices.BinarySearchFunc(pre, p, func(a petri.Arc, p petri.Place) int { return cmp.Compare(a.Place, p) })
			g.watches = append(g.watches, watch{uint32(t), pre[i].Weight})
		}
		slices.SortStableFunc(g.watches[from:], func(a, b watch) int { return cmp.Compare(a.weight, b.weight) })
		g.first = append(g.first, uint32(len(g.watches)))
	}
	return g
}

// effect is what t changes; not to be modified.
func (g *tokenGame) effect(t uint32) []change { return g.changes[g.start[t]:g.start[t+1]] }

// board is a marking being played on, with the enabled transitions kept up to
// date: firing costs the watchers of the places changed, not the whole net.
type board struct {
	game    *tokenGame
	marking petri.Marking
	// missing counts, for each transition, the places that have too few tokens.
	missing []int32
	// enabled lists the transitions that miss nothing, in no order; position is
	// where in the list a transition is.
	enabled  []uint32
	position []int32
}

func newBoard(g *tokenGame) *board {
	b := &board{game: g, missing: make([]int32, g.net.Transitions()), position: make([]int32, g.net.Transitions())}
	b.set(g.net.Initial())
	return b
}

// set puts m on the board, which then owns it. Linear in the size of the net.
func (b *board) set(m petri.Marking) {
	b.marking = m
	b.enabled = b.enabled[:0]
	copy(b.missing, b.game.inputs)
	for p, tokens := range m {
		for _, w := range b.game.watches[b.game.first[p]:b.game.first[p+1]] {
			if w.weight > tokens {
				break
			}
			b.missing[w.transition]--
		}
	}
	for t, missing := range b.missing {
		if missing == 0 {
			b.position[t] = int32(len(b.enabled))
			b.enabled = append(b.enabled, uint32(t))
		}
	}
}

// fire fires the enabled t times times, at most what most says; -1 undoes one
// firing. It reports false and does nothing if a count would get too large.
func (b *board) fire(t uint32, times int64) bool {
	effect := b.game.effect(t)
	if times > 0 {
		for _, c := range effect {
			if c.delta > 0 && (c.delta > witness.TokenLimit/times || b.marking[c.place] > witness.TokenLimit-c.delta*times) {
				return false
			}
		}
	}
	for _, c := range effect {
		b.change(c.place, c.delta*times)
	}
	return true
}

// change adds delta tokens to p.
func (b *board) change(p uint32, delta int64) {
	before := b.marking[p]
	after := before + delta
	b.marking[p] = after
	watches := b.game.watches[b.game.first[p]:b.game.first[p+1]]
	if delta > 0 {
		for _, w := range watches {
			if w.weight > after {
				return
			}
			if w.weight > before {
				if b.missing[w.transition]--; b.missing[w.transition] == 0 {
					b.position[w.transition] = int32(len(b.enabled))
					b.enabled = append(b.enabled, w.transition)
				}
			}
		}
		return
	}
	for _, w := range watches {
		if w.weight > before {
			return
		}
		if w.weight > after {
			if b.missing[w.transition]++; b.missing[w.transition] == 1 {
				b.disable(w.transition)
			}
		}
	}
}

func (b *board) disable(t uint32) {
	last := b.enabled[len(b.enabled)-1]
	b.enabled[b.position[t]] = last
	b.position[last] = b.position[t]
	b.enabled = b.enabled[:len(b.enabled)-1]
}

// most is how often the enabled t can fire in a row, at most limit.
func (b *board) most(t uint32, limit int64) int64 {
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
	return max(1, limit)
}
