package product

import "pnmc/internal/hashing"

// rowTable maps pairs of a label and an automaton state to numbers, by open
// addressing: of the many pairs there could be, few occur.
type rowTable struct {
	keys   []uint64 // label and state, plus one; 0 is free
	values []uint32
	used   int
}

// slot is where the number of the pair lies, which is 0 if it is new. It is valid
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

// find is where key lies, or the free place where it belongs. The length of the
// table is a power of two.
func (t *rowTable) find(key uint64) uint64 {
	mask := uint64(len(t.keys) - 1)
	i := key * hashing.Golden >> 32 & mask
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

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
