package petri

import (
	"math/rand/v2"
	"testing"
)

// TestStoreKeepsWhatItInterned fills stores of several widths past a few
// resizings, with close markings, and compares with a map.
func TestStoreKeepsWhatItInterned(t *testing.T) {
	for _, layout := range []*Layout{
		{words: 1, bytes: 1}, {words: 1, bytes: 3}, {words: 1, bytes: 8}, {words: 2, bytes: 9}, {words: 3, bytes: 24},
	} {
		random := rand.New(rand.NewPCG(1, uint64(layout.bytes)))
		s := NewStore(layout)
		number := map[[3]uint64]StateID{}
		var batch []uint64
		for range 90_000 {
			var key [3]uint64
			for w := range layout.words {
				key[w] = random.Uint64N(300)
			}
			key[layout.words-1] &= s.lastMask
			id, isNew := s.Intern(key[:layout.words])
			want, known := number[key]
			if known == isNew || known && id != want || !known && int(id) != len(number) {
				t.Fatalf("%d bytes: %v interned as %d, new: %v; expected %d, known: %v", layout.bytes, key, id, isNew, want, known)
			}
			number[key] = id
			batch = append(batch, key[:layout.words]...)
		}
		ids := make([]StateID, len(batch)/layout.words)
		s.internAll(batch, ids)
		packed := make([]uint64, layout.words)
		for i, id := range ids {
			var key [3]uint64
			copy(key[:], batch[i*layout.words:(i+1)*layout.words])
			if id != number[key] {
				t.Fatalf("%d bytes: the batch interned %v as %d, expected %d", layout.bytes, key, id, number[key])
			}
			if s.Load(id, packed); [3]uint64(append(packed[:layout.words:layout.words], 0, 0, 0)[:3]) != key {
				t.Fatalf("%d bytes: state %d is %v, expected %v", layout.bytes, id, packed, key)
			}
		}
		if s.Len() != len(number) {
			t.Errorf("%d bytes: %d states, expected %d", layout.bytes, s.Len(), len(number))
		}
	}
}
