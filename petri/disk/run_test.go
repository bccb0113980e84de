package disk

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
)

// drawKeys draws keys of so many words, of few and of many values, one after the other.
func drawKeys(t *rapid.T, words int) []uint64 {
	word := rapid.OneOf(rapid.Uint64Range(0, 3), rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 1 << 63, 1<<64 - 1, 0xff00, 1 << 32}))
	n := rapid.IntRange(0, 40).Draw(t, "keys")
	return rapid.SliceOfN(word, n*words, n*words).Draw(t, "words")
}

// naiveSet returns the keys ascending, each once.
func naiveSet(keys []uint64, words int) [][]uint64 {
	var list [][]uint64
	for key := range slices.Chunk(keys, words) {
		list = append(list, key)
	}
	slices.SortFunc(list, slices.Compare)
	return slices.CompactFunc(list, slices.Equal)
}

// TestRuns: what is put into buffers comes out of runs in order, each once; what is looked for is
// found if it is there.
func TestRuns(t *testing.T) {
	folder := newFolder(t, 0)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]int{1, 2, 3, 5, 9, 10, 19}).Draw(t, "word count")
		keys, others := drawKeys(t, words), drawKeys(t, words)
		s, a := *tiny(t), &account.Account{}
		e := &exploration{folder: folder, account: a, sizes: s, buffer: newBuffer(words, s), width: words}
		if err := e.collect(keys); err != nil {
			t.Fatal(err)
		}
		r, err := e.collected(false)
		if err != nil {
			t.Fatal(err)
		}
		want := naiveSet(keys, words)
		streams, err := e.openAll([]*run{r})
		if err != nil {
			t.Fatal(err)
		}
		for i, key := range want {
			if s := streams[0]; s.over() || !slices.Equal(s.current, key) {
				t.Fatalf("the %d. key is not %d", i, key)
			}
			if err := streams[0].next(); err != nil {
				t.Fatal(err)
			}
		}
		if !streams[0].over() || r.count != int64(len(want)) {
			t.Fatalf("%d keys, expected %d", r.count, len(want))
		}
		finding := e.begin([]*run{r})[0]
		for _, key := range naiveSet(append(others, keys[:len(keys)/words/2*words]...), words) {
			_, there := slices.BinarySearchFunc(want, key, slices.Compare)
			if found, err := finding.find(key); found != there || err != nil {
				t.Fatalf("%d: %t, %v", key, found, err)
			}
		}
		r.remove()
		if folder.used != 0 || len(folder.files) != 0 {
			t.Fatalf("%d bytes, %d files", folder.used, len(folder.files))
		}
	})
}

// TestDamagedRuns: a byte that changed, or is missing, is an error, wherever it is.
func TestDamagedRuns(t *testing.T) {
	for _, words := range []int{1, 3} {
		folder := newFolder(t, 0)
		s := sizes{slots: 100, piece: 10, blockBytes: 60, fanIn: 4}
		e := &exploration{folder: folder, account: &account.Account{}, sizes: s, buffer: newBuffer(words, s), width: words}
		for i := range uint64(60) {
			if err := e.collect(append(make([]uint64, words-1), i*i*i)); err != nil {
				t.Fatal(err)
			}
		}
		r, err := e.collected(false)
		if err != nil {
			t.Fatal(err)
		}
		all := func() (int, error) {
			streams, err := e.openAll([]*run{r})
			n := 0
			for ; err == nil && !streams[0].over(); n++ {
				err = streams[0].next()
			}
			return n, err
		}
		if n, err := all(); n != 60 || err != nil || r.blocks() < 3 {
			t.Fatalf("%d keys, %d blocks, %v", n, r.blocks(), err)
		}
		size := r.bytes()
		whole := make([]byte, size)
		if _, err := r.file.ReadAt(whole, 0); err != nil {
			t.Fatal(err)
		}
		for at := range size {
			if _, err := r.file.WriteAt([]byte{whole[at] ^ 4}, at); err != nil {
				t.Fatal(err)
			}
			if n, err := all(); !errors.As(err, new(*FileError)) {
				t.Fatalf("byte %d of %d changed: %d keys, %v", at, size, n, err)
			}
			if _, err := r.file.WriteAt(whole[at:at+1], at); err != nil {
				t.Fatal(err)
			}
		}
		for left := size - 1; left >= 0; left -= 7 {
			if err := r.file.Truncate(left); err != nil {
				t.Fatal(err)
			}
			if n, err := all(); !errors.As(err, new(*FileError)) {
				t.Fatalf("%d of %d bytes: %d keys, %v", left, size, n, err)
			}
		}
	}
}

// FuzzDecode: whatever a block has, a key is within it, and is what is written again, unless
// numbers are longer than need be.
func FuzzDecode(f *testing.F) {
	f.Add(appendKey(nil, make([]uint64, 3), []uint64{0, 1 << 40, 7}), 3)
	f.Add([]byte{1, 2, 3}, 1)
	f.Fuzz(func(t *testing.T, block []byte, words int) {
		if words < 1 || words > 9 {
			return
		}
		key := make([]uint64, words)
		n := decodeKey(block, key)
		if n < 0 || n > len(block) {
			t.Fatalf("%d of %d bytes", n, len(block))
		}
		if again := appendKey(nil, make([]uint64, words), key); n > 0 && decodeKey(again, make([]uint64, words)) != len(again) {
			t.Errorf("%d bytes of %x", len(again), key)
		}
	})
}
