package hoa

import (
	"math/bits"

	"pnmc/internal/bitset"
)

// stateSet is a set of state numbers, in pages that are allocated when first
// needed: a file may number few states with large numbers, or in any order.
type stateSet struct {
	pages []*[stateSetPage / bitset.WordBits]uint64
	count int
	end   int // one more than the largest member
}

const stateSetPage = 1 << 15

// add adds a member, and reports whether it is new.
func (s *stateSet) add(state int) bool {
	page := state / stateSetPage
	for len(s.pages) <= page {
		s.pages = append(s.pages, nil)
	}
	if s.pages[page] == nil {
		s.pages[page] = new([stateSetPage / bitset.WordBits]uint64)
	}
	members, number := s.pages[page][:], state%stateSetPage
	if bitset.Has(members, number) {
		return false
	}
	bitset.Add(members, number)
	s.count++
	s.end = max(s.end, state+1)
	return true
}

// missing returns the smallest member that isn't in t, and reports whether there is one. It finds out
// whether all states that edges lead to are defined, page by page.
func (s *stateSet) missing(t *stateSet) (state int, found bool) {
	for p, page := range s.pages {
		if page == nil {
			continue
		}
		var there [stateSetPage / bitset.WordBits]uint64
		if p < len(t.pages) && t.pages[p] != nil {
			there = *t.pages[p]
		}
		for w := range min(len(page), bitset.WordsFor(s.end-p*stateSetPage)) {
			if missing := page[w] &^ there[w]; missing != 0 {
				return p*stateSetPage + 64*w + bits.TrailingZeros64(missing), true
			}
		}
	}
	return 0, false
}

// reset empties s. The first page is kept, since most automata need no other.
func (s *stateSet) reset() {
	if len(s.pages) > 0 && s.pages[0] != nil {
		clear(s.pages[0][:bitset.WordsFor(min(stateSetPage, s.end))])
	}
	s.pages = s.pages[:min(1, len(s.pages))]
	s.count, s.end = 0, 0
}
