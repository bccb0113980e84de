package walk

import "math/bits"

// Where places are few and transitions many, a token that comes to a place wakes hundreds of
// transitions that wait there, and nearly all of them go on to wait elsewhere. Each is somewhere
// else in memory, and that takes nearly all the time of a walk. In such a net nothing waits: what is
// enabled is found anew after each firing, with nothing known, and yet few transitions are looked at.
//
// The idea. Most transitions need some place that is seldom marked. So a transition is listed under
// the two places of its own that are the least likely to be marked, its pair. Those of one pair are a
// group, a crowd. For each marked place, the set of places that it makes a pair with is met with the set
// of marked places, 64 at a time, and only the groups of those in both are looked at.
//
// Transitions that are enabled at first do not need such a place, and walks often are near the initial
// marking. They are bits in rows: each place that has lost its tokens since takes away those that need it,
// 64 at a time.
//
// For example, let a thousand transitions need a, and each one of a hundred places b0 to b99 as well, of which
// only b7 is marked. With a token on a, ten transitions are looked at, those that need b7, too.
//
// Why it is right. If a transition is enabled, both places of its pair are marked, and so are all others
// that it needs. So it is looked at, or its bit is left. What is looked at is listed only if all places
// that it needs have enough tokens.
//
// What it costs. Which places are likely to be marked, and whether crowds pay, is learned by a short walk
// (crowding.go). Nothing is kept for transitions that are not enabled, so that to go back many firings
// costs what one firing does. Tables are small and lie in one piece each, since misses of the cache
// took most of the time.

// crowds is what is known of a net whose places have many consumers. What is looked at most lies in the
// smallest pieces.
type crowds struct {
	words int // of a set of places
	// firsts are the places that are the least likely one of a transition, and partners, by place and word,
	// those that follow it in a pair.
	firsts   []uint64
	partners []partners
	group    []uint32    // by group, where its members begin
	further  [][2]uint16 // by member, two other places that it needs, or places of its pair
	members  []member
	rest     []uint16 // what members need beyond that
	heavy    bool     // some transition needs several tokens of a place: a look is one at the net

	// home lists the transitions that are enabled at first, and atHome is the set of places that some of these
	// need. rows are the sets of those that need such a place, as indices of home, and row says by place where.
	home   []uint32
	atHome []uint64
	row    []uint32
	rows   []uint64
	all    []uint64 // the set of all indices
}

// partners are up to 64 places, and how many groups come before theirs.
type partners struct {
	set    uint64
	before uint32
}

// member is a transition in the group of its pair: it needs the places of rest from first to end, too.
type member struct{ transition, first, end uint32 }

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
	b.enabled, b.able = old.enabled[:0], old.able
	b.lookHome()
	b.lookAtPairs()
	old.enabled = b.enabled
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

// enable lists t.
func (b *board) enable(t uint32) {
	b.able[t/64] |= 1 << (t % 64)
	b.enabled = append(b.enabled, t)
}

// lookHome lists the transitions that are enabled still, or again, of those that were so at first.
func (b *board) lookHome() {
	c, left := b.game.crowds, b.left
	copy(left, c.all)
	for i, word := range c.atHome {
		for word &^= b.marked[i]; word != 0; word &= word - 1 {
			some := uint64(0)
			b.looks += len(left)
			row := c.rows[c.row[i*64+bits.TrailingZeros64(word)]:][:len(left)]
			for w := range row {
				left[w] &^= row[w]
				some |= left[w]
			}
			if some == 0 {
				return
			}
		}
	}
	for w, word := range left {
		for ; word != 0; word &= word - 1 {
			if t := c.home[w*64+bits.TrailingZeros64(word)]; !c.heavy || b.game.hasNeeds(b.marking, t) {
				b.enable(t)
			}
		}
	}
}

// lookAtPairs lists the other transitions that are enabled.
func (b *board) lookAtPairs() {
	c, marked := b.game.crowds, b.marked
	n, looks := 0, 0
	for i, word := range c.firsts {
		for word &= marked[i]; word != 0; word &= word - 1 {
			from := (i*64 + bits.TrailingZeros64(word)) * c.words
			for j, of := range c.partners[from : from+c.words] {
				for both := of.set & marked[j]; both != 0; both &= both - 1 {
					group := of.before + uint32(bits.OnesCount64(of.set&(both&-both-1)))
					first, end := c.group[group], c.group[group+1]
					looks += int(end - first)
					for k, p := range c.further[first:end] { // a branch here would be guessed wrongly too often
						b.likely[n] = first + uint32(k)
						n += int(marked[p[0]/64] >> (p[0] % 64) & (marked[p[1]/64] >> (p[1] % 64)) & 1)
					}
				}
			}
		}
	}
	b.looks += looks
	for _, i := range b.likely[:n] {
		b.lookAtMember(&c.members[i])
	}
}

// lookAtMember lists a transition if it is enabled. The places of its pair, and the further two, are marked.
func (b *board) lookAtMember(m *member) {
	c := b.game.crowds
	for _, p := range c.rest[m.first:m.end] {
		if b.marking[p] == 0 {
			return
		}
	}
	if !c.heavy || b.game.hasNeeds(b.marking, m.transition) {
		b.enable(m.transition)
	}
}
