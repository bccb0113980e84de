package store

import (
	"math/rand/v2"
	"testing"
)

// widths are those that stores are tried with.
var widths = []struct{ words, bytes int }{{1, 1}, {1, 3}, {1, 8}, {2, 9}, {3, 24}}

// TestStoreKeepsWhatItInterned fills stores of several widths past a few
// resizings, with close markings, and compares with a map.
func TestStoreKeepsWhatItInterned(t *testing.T) {
	for _, layout := range widths {
		random := rand.New(rand.NewPCG(1, uint64(layout.bytes)))
		s := New(layout.words, layout.bytes)
		number := map[[3]uint64]Number{}
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
		ids := make([]Number, len(batch)/layout.words)
		s.InternAll(batch, ids)
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
