package symmetric

import "slices"

// colourSet holds the colours that a place may have. It also says which of them change: the others
// have the same number of tokens in all reachable markings.
type colourSet struct {
	size   int64                 // tuples are below
	dense  []colourState         // by tuple, of small domains
	sparse map[int64]colourState // of large ones
	count  int
}

// colourState is what is known of a colour of a place.
type colourState uint8

const (
	absent   colourState = iota // no token can get here
	constant                    // tokens never move
	changing
)

// mostDense bounds domains that are held as one slice, to 256 KB for each place.
const mostDense = 1 << 18

// newColourSet returns an empty set of tuples below size.
func newColourSet(size int64) *colourSet { return &colourSet{size: size} }

// bytes returns about how many bytes a set takes that is to have so many tuples.
func (s *colourSet) bytes(tuples int) int {
	const sparseBytes = 36 // an entry of a map that doubles
	if s.size <= mostDense {
		return int(s.size)
	}
	return tuples * sparseBytes
}

// state returns what is known of a tuple.
func (s *colourSet) state(tuple int64) colourState {
	if s.dense != nil {
		return s.dense[tuple]
	}
	return s.sparse[tuple]
}

// has reports whether a token may get to a tuple.
func (s *colourSet) has(tuple int64) bool { return s.state(tuple) != absent }

// raise sets the state of a tuple, unless it is higher; it reports whether the
// tuple is new.
func (s *colourSet) raise(tuple int64, state colourState) bool {
	before := s.state(tuple)
	if before >= state {
		return false
	}
	switch {
	case s.dense != nil:
	case s.size <= mostDense:
		s.dense = make([]colourState, s.size) // places that no token gets to take none
	case s.sparse == nil:
		s.sparse = make(map[int64]colourState)
	}
	if s.dense != nil {
		s.dense[tuple] = state
	} else {
		s.sparse[tuple] = state
	}
	if before == absent {
		s.count++
	}
	return before == absent
}

// sorted returns the tuples whose state is at least the given one, ascending.
func (s *colourSet) sorted(least colourState) []int64 {
	list := make([]int64, 0, s.count)
	for tuple, state := range s.dense {
		if state >= least {
			list = append(list, int64(tuple))
		}
	}
	for tuple, state := range s.sparse {
		if state >= least {
			list = append(list, tuple)
		}
	}
	if s.dense == nil {
		slices.Sort(list)
	}
	return list
}
