package names

import (
	"strings"

	"pnmc/internal/bitset"
	"pnmc/petri/symmetric"
)

// mostSteps bounds the steps of finding out what colours a name ends in. That is a millisecond or so. Two
// classes of 100,000 constants are within it.
const mostSteps = 1 << 18

// spelling takes the names of tuples apart, in the steps that are left.
//
// The names of colours may contain the separator, so that where one ends is not known: of the constants a, b and a_b, the name
// a_b_a may be of two colours or of three. A set has all places where the next colour may begin. Each constant is compared with the
// text there, which is a step. Few names have several such places, but one may have been made to have thousands: so steps are bounded.
type spelling struct{ left int }

// take takes the steps of comparing so many bytes, and reports whether there were any left.
func (s *spelling) take(bytes int) bool {
	s.left -= 1 + bytes/64
	return s.left >= 0
}

// isTuple reports whether text has the names of colours, one of each class, between separators. It does not if
// that takes too many steps.
func (s *spelling) isTuple(text string, classes symmetric.Domain) bool {
	begins := make([]uint64, bitset.WordsFor(len(text)+2)) // where the next colour may
	bitset.Add(begins, 0)
	for i, class := range classes {
		next := make([]uint64, len(begins))
		at, some := bitset.First(begins, 0)
		for ; some && at <= len(text); at, some = bitset.First(begins, at+1) {
			names := class.Constants
			if names == nil { // a number ends at the next separator
				number, _, _ := strings.Cut(text[at:min(len(text), at+21)], "_")
				if names = []string{number}; !has(class, number) {
					names = nil
				}
			}
			for _, name := range names {
				if !s.take(len(name)) {
					return false
				}
				if end := at + len(name); strings.HasPrefix(text[at:], name) && (end == len(text)) == (i == len(classes)-1) &&
					(end == len(text) || text[end] == '_') {
					bitset.Add(next, end+1)
				}
			}
			if !s.take(0) {
				return false
			}
		}
		if begins = next; !s.take(len(next)) {
			return false
		}
	}
	return len(classes) > 0 && bitset.Has(begins, len(text)+1)
}

// has reports whether a class has a colour with that name.
func has(class *symmetric.Class, name string) bool {
	_, known := class.Number(name)
	return known
}
