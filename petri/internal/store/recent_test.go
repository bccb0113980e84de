package store

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestRecent sifts markings one list after the other, and compares with a twin that remembers one marking
// for each place.
func TestRecent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.IntRange(1, 4).Draw(t, "words")
		marking := rapid.SliceOfN(rapid.SampledFrom([]uint64{0, 1, 2, 1 << 40, 1<<64 - 1}), words, words)
		known := marking.Draw(t, "known")
		r := NewRecent(known)
		if rapid.Bool().Draw(t, "few places") {
			r.mask = rapid.SampledFrom([]uint64{0, 1, 7}).Draw(t, "mask")
		}
		remembered := map[uint64][]uint64{}
		for range rapid.IntRange(1, 10).Draw(t, "lists") {
			list := rapid.SliceOf(marking).Draw(t, "markings")
			var from []Number
			if rapid.Bool().Draw(t, "with parents") {
				from = make([]Number, len(list))
			}
			var packed, want []uint64
			var parents []Number
			for i, m := range list {
				packed = append(packed, m...)
				if from != nil {
					from[i] = Number(i)
				}
				place := hashWords(m) & r.mask
				if last, ok := remembered[place]; !ok && slices.Equal(m, known) || slices.Equal(m, last) {
					continue
				}
				remembered[place] = m
				want, parents = append(want, m...), append(parents, Number(i))
			}
			hashes := make([]uint64, len(list))
			n := r.Sift(packed, from, hashes)
			if !slices.Equal(packed[:n*words], want) {
				t.Fatalf("%v: %v is left, expected %v", list, packed[:n*words], want)
			}
			if from != nil && !slices.Equal(from[:n], parents) {
				t.Fatalf("%v: %v are the parents, expected %v", list, from[:n], parents)
			}
			for i := range n {
				if h := hashWords(want[i*words : (i+1)*words]); hashes[i] != h {
					t.Fatalf("%v: hash %d is %x, expected %x", list, i, hashes[i], h)
				}
			}
		}
	})
}

// TestRecentSize: what is remembered takes little room, but for a single marking, whatever its width.
func TestRecentSize(t *testing.T) {
	for _, words := range []int{1, 2, 3, 100, recentWords, recentWords + 1, 3 * recentWords} {
		r := NewRecent(make([]uint64, words))
		if n := len(r.entries); n > max(words, recentWords) || 2*n <= recentWords || uint64(n) != (r.mask+1)*uint64(words) {
			t.Errorf("markings of %d words take %d words, mask %x", words, n, r.mask)
		}
	}
}
