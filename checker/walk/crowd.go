package walk

import "pnmc/internal/subsets"

// Where places are few and transitions many, a token that comes to a place wakes hundreds of
// transitions that wait there, and nearly all of them go on to wait elsewhere. Each is somewhere
// else in memory, and that takes nearly all the time of a walk. In such a net nothing waits: what is
// enabled is found anew after each firing, with nothing known, and yet few transitions are looked at.
//
// The idea. A transition may be enabled only if the set of places that it needs lies within the set of marked
// places. Package subsets finds all of which that is so, by the two places of each that are the least likely to
// be marked, and by rows of bits those that are enabled at first, as walks often are near the initial marking.
//
// Why it is right. If a transition is enabled, all places that it needs are marked, so that it is found. Where some
// transition needs several tokens of a place, what is found is listed only if all its places have enough.
//
// Walks go back from dead ends and begin anew, so that they often are where they were before. What was enabled there
// is remembered (subsets.Memory).
//
// What it costs. Which places are likely to be marked, and whether crowds pay, is learned by a short walk
// (crowding.go). Nothing is kept for transitions that are not enabled, so that to go back many firings
// costs what one firing does.

// crowds is what is known of a net whose places have many consumers.
type crowds struct {
	words int // of a set of places
	index *subsets.Index
	heavy bool // some transition needs several tokens of a place: a look is one at the net
}

// changeInCrowds is change where there are crowds.
func (b *board) changeInCrowds(effect []change, times int64) {
	for _, e := range effect {
		b.marking[e.place] += e.delta * times
		bit := uint64(1) << (e.place % 64)
		if b.marking[e.place] > 0 {
			b.marked[e.place/64] |= bit
		} else {
			b.marked[e.place/64] &^= bit
		}
	}
	past, wasAble := b.enabled, b.able
	b.look()
	b.tell(past, wasAble)
}

// look finds what is enabled. What was found before stays until the next look.
func (b *board) look() {
	old := &b.found[b.turn]
	if len(old.enabled) < len(old.able)/4 {
		for _, t := range old.enabled {
			old.able[t/64] = 0
		}
	} else {
		clear(old.able)
	}
	c := b.game.crowds
	var found []uint32
	var looks int
	if b.memory != nil {
		found, looks = b.memory.Within(b.marked, old.enabled[:0])
	} else {
		found, looks = c.index.Within(b.marked, old.enabled[:0])
	}
	b.looks += looks
	if c.heavy {
		kept := found[:0]
		for _, t := range found {
			if b.game.hasNeeds(b.marking, t) {
				kept = append(kept, t)
			}
		}
		found = kept
	}
	for _, t := range found {
		old.able[t/64] |= 1 << (t % 64)
	}
	old.enabled = found
	b.enabled, b.able = old.enabled, old.able
	b.turn = 1 - b.turn
}

// tell finds what began and ceased to be enabled, if that is asked for.
func (b *board) tell(past []uint32, wasAble []uint64) {
	b.began, b.ceased = b.began[:0], b.ceased[:0]
	if !b.tells {
		return
	}
	for _, t := range past {
		if b.able[t/64]>>(t%64)&1 == 0 {
			b.ceased = append(b.ceased, t)
		}
	}
	for _, t := range b.enabled {
		if wasAble[t/64]>>(t%64)&1 == 0 {
			b.began = append(b.began, t)
		}
	}
}

// placeInCrowds finds what is enabled in the marking of the board.
func (b *board) placeInCrowds() {
	clear(b.marked)
	for p, tokens := range b.marking {
		if tokens > 0 {
			b.marked[p/64] |= 1 << (p % 64)
		}
	}
	b.look()
}
