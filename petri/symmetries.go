package petri

import (
	"cmp"
	"slices"
)

// Symmetries are automorphisms of a net: permutations of its places, each with one of the
// transitions, that keep arcs and the initial marking. A marking and its image have the same future
// up to the permutation, and one is reachable if the other is. So an exploration may put one marking
// in the place of all its images (Starke, "Reachability analysis of Petri nets using symmetries",
// 1991; Junttila, "On the symmetry reduction method for Petri nets and similar formalisms", 2003).
//
// Markings are compared place by place, in an order of the places. A marking is lowered by one
// permutation after the other, as long as one of them makes it less: the marking at the end stands
// for it. If the permutations exchange neighbours in a row of identical components, that is sorting,
// and leads to the same marking from all images. So it does if the permutations are all of a group.
// Else several images may be left: then more is explored than is needed, never less.
//
// For example, let three machines have the places a1 and b1, a2 and b2, a3 and b3. Two permutations
// exchange the first with the second, and the second with the third. Of a marking with tokens in b1,
// a2 and a3 the first makes one with tokens in a1, b2 and a3, if a1 comes before b1, and the
// second one with tokens in a1, a2 and b3. Or the other way around, if b1 comes first.
//
// Symmetries do not change: several threads may use them.
type Symmetries struct {
	moves []Move
	rows  []permutation
}

// permutation is a row of moves: of one that exchanges pairs the first place of each, else all.
type permutation struct {
	start, end int32
	// again is the first permutation that may lower a marking which this one has lowered.
	again    int32
	exchange bool
}

// Move says that a place gets the tokens of another.
type Move struct{ Place, From Place }

// NewSymmetries returns symmetries by permutations, which must be automorphisms of a net. Each has
// the moves of all places that get the tokens of another. Places of lower rank are compared first;
// there is a rank for each place, and none twice.
func NewSymmetries(permutations [][]Move, rank []uint32) *Symmetries {
	s := new(Symmetries)
	touchedBy := make([]int32, len(rank)) // the first permutation that moves a place, plus one
	from := make([]Place, len(rank))
	for i, moves := range permutations {
		for _, x := range moves {
			from[x.Place] = x.From
		}
		r := permutation{start: int32(len(s.moves)), again: int32(i), exchange: true}
		for _, x := range moves {
			r.exchange = r.exchange && from[x.From] == x.Place
			if touchedBy[x.Place] == 0 {
				touchedBy[x.Place] = int32(i) + 1
			}
			r.again = min(r.again, touchedBy[x.Place]-1)
		}
		for _, x := range moves {
			if !r.exchange || rank[x.Place] < rank[x.From] {
				s.moves = append(s.moves, x)
			}
		}
		r.end = int32(len(s.moves))
		slices.SortFunc(s.moves[r.start:r.end], func(a, b Move) int { return cmp.Compare(rank[a.Place], rank[b.Place]) })
		s.rows = append(s.rows, r)
	}
	return s
}

// Len returns the number of permutations.
func (s *Symmetries) Len() int { return len(s.rows) }

// lowers reports whether permutation i makes m less.
func (s *Symmetries) lowers(i int, m Marking) bool {
	for _, x := range s.moves[s.rows[i].start:s.rows[i].end] {
		if a, b := m[x.Place], m[x.From]; a != b {
			return b < a
		}
	}
	return false
}

// lowersPacked reports the same of a packed marking.
func (s *Symmetries) lowersPacked(i int, l *Layout, packed []uint64) bool {
	for _, x := range s.moves[s.rows[i].start:s.rows[i].end] {
		if a, b := l.Tokens(packed, x.Place), l.Tokens(packed, x.From); a != b {
			return b < a
		}
	}
	return false
}

// apply permutes m by permutation i. scratch is as long as m.
func (s *Symmetries) apply(i int, m, scratch Marking) {
	moves := s.moves[s.rows[i].start:s.rows[i].end]
	if s.rows[i].exchange {
		for _, x := range moves {
			m[x.Place], m[x.From] = m[x.From], m[x.Place]
		}
		return
	}
	for _, x := range moves {
		scratch[x.Place] = m[x.From]
	}
	for _, x := range moves {
		m[x.Place] = scratch[x.Place]
	}
}

// Lower makes m the marking that stands for it, and reports whether that is another one. scratch is
// as long as m.
func (s *Symmetries) Lower(m, scratch Marking) (changed bool) {
	// The permutations before i don't lower m.
	for i := 0; i < len(s.rows); {
		if !s.lowers(i, m) {
			i++
			continue
		}
		s.apply(i, m, scratch)
		changed = true
		i = int(s.rows[i].again)
	}
	return changed
}

// lowerWith does what Lower does, and permutes another list of a number for each place alike.
func (s *Symmetries) lowerWith(m, other, scratch Marking) {
	for i := 0; i < len(s.rows); {
		if !s.lowers(i, m) {
			i++
			continue
		}
		s.apply(i, m, scratch)
		s.apply(i, other, scratch)
		i = int(s.rows[i].again)
	}
}

// Trail finds the firings of a net that a run through markings of an exploration by symmetries stands
// for. Each of these markings stands for a successor of the one before. The trail keeps the marking
// that the net has really reached, and which of its places each place of the other marking is.
type Trail struct {
	net        *Net
	symmetries *Symmetries

	reached Marking
	origin  Marking // place p of the marking that stands for reached has the tokens of origin[p]

	after, origins, next, scratch Marking
}

// NewTrail returns one that begins with the initial marking of net, which stands for itself: no
// automorphism changes it.
func NewTrail(net *Net, s *Symmetries) *Trail {
	t := &Trail{net: net, symmetries: s, reached: net.Initial()}
	for _, m := range []*Marking{&t.origin, &t.after, &t.origins, &t.next, &t.scratch} {
		*m = make(Marking, net.Places())
	}
	for p := range t.origin {
		t.origin[p] = int64(p)
	}
	return t
}

// Work returns about what it costs to follow a step, in nanoseconds.
func (t *Trail) Work() int {
	return 16*t.net.Transitions() + 8*t.net.Places()*(8+t.symmetries.Len())
}

// Follow follows a step of the exploration, and returns the transition that the net fires. ok is false
// if there is none.
func (t *Trail) Follow(before, after Marking) (fired Transition, ok bool) {
	for u := range Transition(t.net.Transitions()) {
		if !t.net.Enabled(before, u) {
			continue
		}
		copy(t.after, before)
		if !t.net.Fire(t.after, u) {
			continue
		}
		copy(t.origins, t.origin)
		t.symmetries.lowerWith(t.after, t.origins, t.scratch)
		if !slices.Equal(t.after, after) {
			continue
		}
		for p, q := range t.origins {
			t.next[q] = after[p]
		}
		fired, ok = t.net.FiringBetween(t.reached, t.next, t.scratch)
		t.reached, t.next = t.next, t.reached
		t.origin, t.origins = t.origins, t.origin
		return fired, ok
	}
	return 0, false
}
