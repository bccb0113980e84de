package symmetric

import "slices"

// index finds the tuples that a place holds, or may hold, by the colours at some positions. Take
// the tokens (1, 2), (1, 3) and (2, 3). The index by the first position has the list (1, 2), (1, 3)
// at 1, and the list (2, 3) at 2. The index by no position has one list with all tokens.
type index struct {
	domain    Domain
	positions []int
	tuples    map[int64][]int64
	at        map[int64]int // where a tuple is in its list; nil if none is ever removed
}

// key returns the number of the colours at the index's positions.
func (x *index) key(colours []int64) int64 {
	key := int64(0)
	for _, i := range x.positions {
		key = key*x.domain[i].Size + colours[i]
	}
	return key
}

// add enters a tuple, which is given with its colours.
func (x *index) add(tuple int64, colours []int64) {
	key := x.key(colours)
	if x.at != nil {
		x.at[tuple] = len(x.tuples[key])
	}
	x.tuples[key] = append(x.tuples[key], tuple)
}

// remove takes a tuple out, and moves the last one of its list to its place.
func (x *index) remove(tuple int64, colours []int64) {
	key := x.key(colours)
	list := x.tuples[key]
	last := len(list) - 1
	i := x.at[tuple]
	list[i] = list[last]
	x.at[list[i]] = i
	delete(x.at, tuple)
	if last == 0 {
		delete(x.tuples, key)
	} else {
		x.tuples[key] = list[:last]
	}
}

// indexes has the indexes of each place.
type indexes [][]*index

// register finds or makes the index of a place by the given positions, from
// which tuples can be taken out if it is so wished.
func (x indexes) register(net *Net, place int, positions []int, removable bool) *index {
	for _, known := range x[place] {
		if slices.Equal(known.positions, positions) {
			return known
		}
	}
	made := &index{domain: net.Places[place].Domain, positions: positions, tuples: make(map[int64][]int64)}
	if removable {
		made.at = make(map[int64]int)
	}
	x[place] = append(x[place], made)
	return made
}
