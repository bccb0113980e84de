package store

import (
	"math/bits"
	"slices"
)

// Recent remembers markings that a thread has met lately, so it need not look for them in the
// table again. Often that is half of the markings that it finds. Leaving a marking out there
// touches no cache line that another thread writes to. It is a cache of one place for each hash,
// small enough for the caches that a core has for itself. Not safe for concurrent use.
type Recent struct {
	words   int
	mask    uint64
	entries []uint64 // markings one after the other, each where its hash says
}

// recentWords bounds the words that a Recent remembers, but for a single marking.
const recentWords = 1 << 15

// NewRecent returns one of markings of as many words as known, which is one that is in the table:
// a Recent remembers it until it has met others.
func NewRecent(known []uint64) *Recent {
	places := 1 << (bits.Len(max(1, uint(recentWords/len(known)))) - 1) // a power of two
	return &Recent{words: len(known), mask: uint64(places - 1), entries: slices.Repeat(known, places)}
}

// Sift leaves out what it remembers of the markings that lie one after the other in packed, and returns how
// many others there are. They come to lie first, in order, with their parents in from, unless
// that is nil, and their hashes in hashes. It remembers them from now on, so that the caller
// has to intern them all.
func (r *Recent) Sift(packed []uint64, from []Number, hashes []uint64) (n int) {
	if r.words == 1 {
		return r.siftWords(packed, from, hashes)
	}
	words := r.words
	for i := range len(packed) / words {
		p := packed[i*words : (i+1)*words]
		h := hashWords(p)
		at := int(h&r.mask) * words
		entry := r.entries[at : at+words]
		if slices.Equal(entry, p) {
			continue
		}
		copy(entry, p)
		copy(packed[n*words:(n+1)*words], p)
		hashes[n] = h
		if from != nil {
			from[n] = from[i]
		}
		n++
	}
	return n
}

// siftWords sifts markings of one word. It has no branch, since none
// could be predicted.
func (r *Recent) siftWords(packed []uint64, from []Number, hashes []uint64) (n int) {
	for i, p := range packed {
		h := mix(0, p)
		entry := &r.entries[h&r.mask]
		known := *entry
		*entry = p
		packed[n], hashes[n] = p, h
		if from != nil {
			from[n] = from[i]
		}
		if known != p {
			n++
		}
	}
	return n
}
