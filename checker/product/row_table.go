package product

import "pnmc/internal/hashing"

// rowTable maps pairs of a label and an automaton state to numbers, by open addressing with linear
// probing. Of the many pairs there could be, few occur, so that a table with a place for each would
// be mostly empty. It is at most three quarters full; no pair is ever removed.
type rowTable struct {
	keys   []uint64 // label and state, plus one; 0 is free
	values []uint32
	used   int
}

// slot returns where the number of the pair lies. The number of a new pair is 0. The pointer is valid
// until the next call.
func (t *rowTable) slot(label, state uint32) *uint32 {
	if 4*t.used >= 3*len(t.keys) {
		t.grow()
	}
	key := uint64(label)<<32 | uint64(state) + 1
	i := t.find(key)
	if t.keys[i] == 0 {
		t.keys[i] = key
		t.used++
	}
	return &t.values[i]
}

// find returns the place of key, or the free place where it belongs. The length of the table is a
// power of two.
func (t *rowTable) find(key uint64) uint64 {
	mask := uint64(len(t.keys) - 1)
	i := key * hashing.Golden >> 32 & mask
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

// grow doubles the table, or makes the first one, and files all pairs again.
func (t *rowTable) grow() {
	old := *t
	t.keys = make([]uint64, max(64, 2*len(old.keys)))
	t.values = make([]uint32, len(t.keys))
	for i, key := range old.keys {
		if key != 0 {
			j := t.find(key)
			t.keys[j], t.values[j] = key, old.values[i]
		}
	}
}
