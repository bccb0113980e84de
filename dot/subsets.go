package dot

import (
	"encoding/binary"
	"slices"

	"pnmc/automata"
)

// Bounds of the sets of states that are looked at, and of the edges out of them.
const (
	subsetsBound = 1 << 12
	subsetsSteps = 1 << 20
)

// subsets determinizes a drawing: it finds the sets of states that the same changes
// lead to.
//
// It answers two questions about all words at once, for guessNoSets. Is there a beginning of a word
// after which no state accepts livelocks? That is a set without such a state. And is every word read
// to its end? That is so if each set has an edge for each letter. Both could be asked of single states
// only if the drawing were deterministic, which drawings mostly are not.
type subsets struct {
	*drawn
	out   map[int32][]drawnEdge // of each state
	known map[string]bool       // the sets that were met
	todo  [][]int32
	steps int
}

// newSubsets groups the edges of a drawing by the state that they leave.
func newSubsets(d *drawn) *subsets {
	s := &subsets{drawn: d, out: map[int32][]drawnEdge{}, known: map[string]bool{}}
	for _, e := range d.edges {
		s.out[e.from] = append(s.out[e.from], e)
	}
	return s
}

// explore reports whether each set has a state that accepts livelocks, and whether each word of
// valuations leads to some set. Where there are too many sets, and where first valuations may
// overlap, it reports true for the former, as far as it looked, and false for the latter. That
// makes the drawing unsure. The error is that of the limit.
func (s *subsets) explore() (livelocks, all bool, err error) {
	for _, e := range s.starts {
		if l := s.starting[e.label].letters; len(l) != 1 || !isLetter(l[0], len(s.labels.names)) {
			return true, false, nil
		}
	}
	letters := letterCount(len(s.labels.names))
	found, err := s.follow(s.starts, s.starting)
	if err != nil {
		return true, false, err
	}
	livelocks, all = true, found == letters
	for len(s.todo) > 0 {
		set := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		livelocks = livelocks && slices.ContainsFunc(set, func(q int32) bool { return s.states[q].livelock })
		var out []drawnEdge
		for _, q := range set {
			out = append(out, s.out[q]...)
		}
		if found, err = s.follow(out, s.changing); err != nil {
			return livelocks, false, err
		}
		all = found == letters-1 && all // beside the empty changeset
		if s.steps += len(out); s.steps > subsetsSteps || len(s.known) > subsetsBound {
			return livelocks, false, nil
		}
	}
	return livelocks, all, nil
}

// follow finds the sets that edges lead to, and counts their letters.
func (s *subsets) follow(edges []drawnEdge, meanings []meaning) (int, error) {
	if err := s.ask((cycleBytes + wordBytes*automata.WordsFor(len(s.labels.names))) * len(edges)); err != nil {
		return 0, err
	}
	byLetter := map[string][]int32{}
	for _, e := range edges {
		key := letterKey(meanings[e.label].letters[0])
		byLetter[key] = append(byLetter[key], e.to)
	}
	for _, set := range byLetter {
		slices.Sort(set)
		set = slices.Compact(set)
		key := make([]byte, 0, 4*len(set))
		for _, q := range set {
			key = binary.LittleEndian.AppendUint32(key, uint32(q))
		}
		if !s.known[string(key)] {
			s.known[string(key)] = true
			s.todo = append(s.todo, set)
		}
	}
	return len(byLetter), nil
}

// isLetter reports whether c is one valuation of that many propositions.
func isLetter(c automata.Cube, propositions int) bool {
	for p := range propositions {
		if some, _ := c.Literal(p); !some {
			return false
		}
	}
	return true
}

// letterKey returns a letter as the key of a map: the values of its propositions.
func letterKey(c automata.Cube) string {
	var key []byte
	for _, w := range c[len(c)/2:] {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	return string(key)
}
