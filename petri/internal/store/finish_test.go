package store

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestFinish: a finished store has the markings of all arenas, in whatever chunks they lie, with
// dense numbers, and finds them. What comes after is numbered on.
func TestFinish(t *testing.T) {
	before := 0 // chunks that were not full, with full ones after them
	property := func(t *rapid.T) {
		// Wide markings, of which a chunk has few: 4, 2, 1, or more.
		bytes := rapid.SampledFrom([]int{1 << 16, 1<<17 - 3, 1<<18 - 5, 1<<14 + 1}).Draw(t, "bytes")
		words, threads := (bytes+7)/8, rapid.IntRange(1, 4).Draw(t, "threads")
		s := NewShared(words, bytes, Options{Threads: threads})
		var arenas []*Arena
		for range threads {
			arenas = append(arenas, s.NewArena(nil))
		}
		marking := make([]uint64, words)
		write := func(key byte) []uint64 { // to both ends
			marking[0], marking[words-1] = uint64(key), uint64(key)
			return marking
		}
		numbers := map[byte]Number{}
		for range rapid.IntRange(1, 30).Draw(t, "markings") {
			a, key := arenas[rapid.IntRange(0, threads-1).Draw(t, "arena")], rapid.ByteMax(40).Draw(t, "key")
			a.Reserve(1)
			ids := make([]Number, 1)
			a.InternAll(write(key), []Number{0}, ids)
			numbers[key] = ids[0]
		}
		partial := false
		for _, a := range arenas {
			a.Publish()
		}
		for c := range s.Chunks() {
			full := s.shares[c].filled == 1<<s.shift
			if partial && full {
				before++
			}
			partial = partial || !full
		}
		f := s.Finish(arenas)
		for i := range f.Tables() {
			f.Renumber(i)
		}
		if f.Len() != len(numbers) {
			t.Fatalf("%d markings, expected %d", f.Len(), len(numbers))
		}
		loaded := make([]uint64, words)
		for key, n := range numbers {
			f.Load(f.Of(n), loaded)
			if !slices.Equal(loaded, write(key)) {
				t.Fatalf("number %d, which was %d, is that of %d and %d, expected %d", f.Of(n), n, loaded[0], loaded[words-1], key)
			}
		}
		for key := range 48 {
			n, known := numbers[byte(key)]
			if want := f.Len(); known {
				if found, isNew := f.Intern(write(byte(key))); isNew || found != f.Of(n) {
					t.Fatalf("%d is found as %d, new: %v; should be %d", key, found, isNew, f.Of(n))
				}
			} else if found, isNew := f.Intern(write(byte(key))); !isNew || int(found) != want {
				t.Fatalf("%d is interned as %d, new: %v; should be %d", key, found, isNew, want)
			}
		}
	}
	for rounds := 0; before < 5; rounds++ {
		if rounds == 100 { // with -short a round has few draws
			t.Fatalf("only %d chunks that are not full lie before full ones", before)
		}
		rapid.Check(t, property)
	}
}
