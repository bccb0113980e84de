package symmetric

import (
	"strings"

	"pnmc/internal/bitset"
)

// mostSteps bounds the steps of finding out what colours a name ends in. That is a millisecond or so. Two
// classes of 100,000 constants are within it.
const mostSteps = 1 << 18

// spelling takes the names of tuples apart.
//
// The names of colours may contain the separator, so that where one ends is not known: of the constants a,
// b and a_b, the name a_b_a may be of two colours or of three. A set has all places where the next colour may
// begin. A class of numbers has one end for each of these. Of other classes, each constant is compared with
// the text there. That is a step, and may have to be done for each place and each constant: few names have
// several such places, but one may have been made to have thousands, and so steps are bounded.
type spelling struct {
	left int // steps
}

// take takes the steps of comparing so many bytes, and reports whether there were any left.
func (s *spelling) take(bytes int) bool {
	const bytesOfStep = 64
	s.left -= 1 + bytes/bytesOfStep
	return s.left >= 0
}

// isTuple reports whether text has the names of colours, one of each class, between separators. It does not if
// that takes too many steps.
func (s *spelling) isTuple(text string, classes Domain) bool {
	if len(classes) == 0 {
		return false
	}
	begins := make([]uint64, bitset.WordsFor(len(text)+2)) // where the next colour may
	bitset.Add(begins, 0)
	for i, class := range classes {
		next := make([]uint64, len(begins))
		end := func(at int) {
			if last := i == len(classes)-1; (at == len(text)) == last && (last || text[at] == '_') {
				bitset.Add(next, at+1)
			}
		}
		at, some := bitset.First(begins, 0)
		if !some {
			return false
		}
		for ; some; at, some = bitset.First(begins, at+1) {
			if at <= len(text) && !s.eachEnd(text, at, class, end) {
				return false
			}
		}
		if begins = next; !s.take(len(next)) {
			return false
		}
	}
	return bitset.Has(begins, len(text)+1)
}

// longestNumber is how many bytes a colour has that is a number.
const longestNumber = 20

// eachEnd calls end for each place of text where a colour of the class may end that begins at some place. It reports
// whether there were steps enough.
func (s *spelling) eachEnd(text string, at int, class *Class, end func(at int)) bool {
	if class.Constants == nil {
		number, _, _ := strings.Cut(text[at:min(len(text), at+longestNumber+1)], "_")
		if class.has(number) {
			end(at + len(number))
		}
		return s.take(0)
	}
	for _, name := range class.Constants {
		if !s.take(min(len(name), len(text)-at)) {
			return false
		}
		if strings.HasPrefix(text[at:], name) {
			end(at + len(name))
		}
	}
	return true
}
