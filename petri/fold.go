package petri

import (
	"math/bits"
	"slices"
)

// Folder makes packed successors those markings that stand for them. It is for one thread.
//
// To unpack each successor, lower it and pack it again would take most of the time of an exploration.
// But the marking that is gone on from is lowered by no permutation. A permutation that moves none of
// the places that a firing changes does not lower the successor, either: it compares the same tokens.
// So only those are tried that move such a place, on the packed marking. Mostly these are the exchanges
// of a component or two with their neighbours, and most comparisons end at the first place. Only a
// marking that some permutation lowers is unpacked.
//
// Which places were changed is seen from the words: their bits lead to fields, and a field to the
// permutations that move one of its places, or of those that are implied by it.
type Folder struct {
	by     *Symmetries
	layout *Layout // of what follows

	fieldAt []int32 // of bits, word after word
	movers  [][]int32
	tried   []uint32 // by permutation: the round in which it was tried last
	round   uint32

	marking, scratch Marking
}

// NewFolder returns one for a net with so many places.
func NewFolder(s *Symmetries, places int) *Folder {
	return &Folder{by: s, tried: make([]uint32, len(s.rows)), marking: make(Marking, places), scratch: make(Marking, places)}
}

// adopt has the folder know which permutations move what fields hold.
func (f *Folder) adopt(l *Layout) {
	f.layout = l
	f.fieldAt = make([]int32, 64*l.words)
	for i := range l.fields {
		x := &l.fields[i]
		for bit := range x.width {
			f.fieldAt[64*x.word+x.shift+bit] = int32(i)
		}
	}
	moversOf := make([][]int32, len(l.fieldOf)) // by place
	for i, r := range f.by.rows {
		for _, x := range f.by.moves[r.start:r.end] {
			for _, p := range [2]Place{x.Place, x.From} {
				if list := moversOf[p]; len(list) == 0 || list[len(list)-1] != int32(i) {
					moversOf[p] = append(list, int32(i))
				}
			}
		}
	}
	f.movers = make([][]int32, len(l.fields))
	impliedBy := make([][]int32, len(l.implied)) // fields from which places follow
	fieldsOf := func(p Place) []int32 {
		if at := l.fieldOf[p]; at < 0 {
			return impliedBy[-1-at]
		}
		return l.fieldOf[p : p+1]
	}
	for i, m := range l.implied {
		for _, a := range m.terms {
			impliedBy[i] = append(impliedBy[i], fieldsOf(a.Place)...)
		}
		slices.Sort(impliedBy[i])
		impliedBy[i] = slices.Compact(impliedBy[i])
	}
	for p, movers := range moversOf {
		for _, at := range fieldsOf(Place(p)) {
			f.movers[at] = append(f.movers[at], movers...)
		}
	}
	for i := range f.movers {
		slices.Sort(f.movers[i])
		f.movers[i] = slices.Compact(f.movers[i])
	}
}

// Fold makes packed successors of a marking, which lie one after the other, those that stand for them.
// No permutation lowers the marking. Fold returns -1, or the number of a field that is too narrow; the
// successors are lost then.
func (f *Folder) Fold(l *Layout, packed, successors []uint64) (narrow int) {
	if f.layout != l {
		f.adopt(l)
	}
	for ; len(successors) > 0; successors = successors[l.words:] {
		next := successors[:l.words]
		if !f.mayLower(packed, next) {
			continue
		}
		l.Unpack(next, f.marking)
		f.by.Lower(f.marking, f.scratch)
		if narrow := l.Pack(f.marking, next); narrow >= 0 {
			return narrow
		}
	}
	return -1
}

// mayLower reports whether some permutation lowers a successor of a packed marking.
func (f *Folder) mayLower(packed, next []uint64) bool {
	f.round++
	if f.round == 0 { // after 2^32 rounds
		clear(f.tried)
		f.round = 1
	}
	for i, w := range next {
		for changed := packed[i] ^ w; changed != 0; {
			at := f.fieldAt[64*i+bits.TrailingZeros64(changed)]
			changed &^= f.layout.fields[at].mask()
			for _, r := range f.movers[at] {
				if f.tried[r] == f.round {
					continue
				}
				f.tried[r] = f.round
				if f.by.lowersPacked(int(r), f.layout, next) {
					return true
				}
			}
		}
	}
	return false
}

// Work returns about what it costs to fold a successor, in nanoseconds.
func (f *Folder) Work() int { return 2*len(f.marking) + 64 }

// Fold has each state stand for all its images by symmetries of the net, which must be plain. Firing
// then does not find what leads from one state to the next; a Trail does. It is called before anything
// is explored.
//
// A place that is found unbounded is: the way between two states leads from a marking to an image of
// a larger one. The images of the way can be fired after it, one after the other, until the marking
// is larger than the first one itself. Then Successors says so with an error.
func (k *Kripke) Fold(s *Symmetries) {
	k.folder = NewFolder(s, k.space.net.Places())
	k.space.capGrowth = false // an image may have many tokens where a firing has left some out
}

// fold makes the packed successors in out, of the marking that is held, those that stand for them. It
// returns -1, or the number of a field that is too narrow for one of them.
func (k *Kripke) fold() (narrow int) {
	space := k.space
	if k.canonical != nil {
		return k.canonical.fold(space.account, space.layout, k.out)
	}
	if k.folder == nil {
		return -1
	}
	space.account.Add(len(k.out) / space.layout.words * k.folder.Work())
	return k.folder.Fold(space.layout, space.packed, k.out)
}
