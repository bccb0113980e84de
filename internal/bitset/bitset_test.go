package bitset

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSets compares sets with maps.
func TestSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		words, naive := make([]uint64, WordsFor(n)), map[int]bool{}
		for range rapid.IntRange(0, 30).Draw(t, "changes") {
			i := rapid.IntRange(0, n-1).Draw(t, "i")
			if naive[i] = rapid.Bool().Draw(t, "add"); naive[i] {
				Add(words, i)
			} else {
				Remove(words, uint32(i))
			}
		}
		for i := range n {
			if Has(words, i) != naive[i] || Bit(words, i) == 1 != naive[i] {
				t.Fatalf("%d: %t, %d", i, Has(words, i), Bit(words, i))
			}
		}
		copied, trimmed, end := make([]uint64, len(words)), slices.Clone(words), rapid.IntRange(1, n).Draw(t, "end")
		for i := range n {
			Put(copied, i, Bit(words, i))
		}
		if !slices.Equal(copied, words) {
			t.Fatalf("%x copied bit by bit is %x", words, copied)
		}
		Trim(trimmed[:WordsFor(end)], end)
		for i := range end {
			if Has(trimmed, i) != naive[i] {
				t.Fatalf("%d: %t below the end", i, Has(trimmed, i))
			}
		}
		for i := end; i < 64*WordsFor(end); i++ {
			if Has(trimmed, i) {
				t.Fatalf("%d is left from %d on", i, end)
			}
		}
		from, next := rapid.IntRange(0, 64*len(words)).Draw(t, "from"), 0
		for next = from; next < n && !naive[next]; next++ {
		}
		if first, some := First(words, from); some != (next < n) || some && first != next {
			t.Fatalf("%x: from %d on, %d, %t", words, from, first, some)
		}
		by := rapid.IntRange(0, 130).Draw(t, "by")
		shifted := make([]uint64, rapid.IntRange(0, 6).Draw(t, "words"))
		AddShifted(shifted, by, words)
		for i := range 64 * len(shifted) {
			if Has(shifted, i) != naive[i-by] || Mask(i) != 1<<(i%64) {
				t.Fatalf("%x larger by %d is %x", words, by, shifted)
			}
		}
		other := slices.Clone(words)
		if !bytes.Equal(Key(words), Key(other)) {
			t.Fatal("equal sets have different keys")
		}
		if i := rapid.IntRange(0, n-1).Draw(t, "flipped"); Has(other, i) {
			Remove(other, i)
		} else {
			Add(other, i)
		}
		if bytes.Equal(Key(words), Key(other)) {
			t.Fatal("different sets have equal keys")
		}
	})
}

func ExampleHas() {
	set := make([]uint64, WordsFor(100))
	Add(set, 70)
	fmt.Println(Has(set, 70), Has(set, 7))
	// Output: true false
}

// TestNumbers gives sets numbers in the order in which they come, and each set one only.
func TestNumbers(t *testing.T) {
	var n Numbers
	for i, c := range []struct {
		set    []uint64
		number uint32
		fresh  bool
	}{
		{[]uint64{0, 1}, 0, true}, {[]uint64{1, 0}, 1, true}, {[]uint64{0, 1}, 0, false},
		{[]uint64{0}, 2, true}, {nil, 3, true}, {[]uint64{1, 0}, 1, false}, {[]uint64{}, 3, false},
	} {
		if number, fresh := n.Of(c.set); number != c.number || fresh != c.fresh {
			t.Errorf("%d: set %v has number %d, fresh %v, want %d, %v", i, c.set, number, fresh, c.number, c.fresh)
		}
	}
}
