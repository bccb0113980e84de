package hashing

import (
	"fmt"
	"testing"
)

// TestNumbersDiffer: of lists that differ in little, as markings do, hardly any two have the same
// hash, nor the same 32 bits of it; and equal lists have equal hashes.
func TestNumbersDiffer(t *testing.T) {
	hashes, sums := map[uint64]bool{}, map[uint32]bool{}
	lists := 0
	for a := int64(-1); a < 30; a++ {
		for b := range int64(30) {
			for c := range int64(30) {
				list := []int64{a, 0, b, c << 40}
				h := Numbers(list)
				if again := Numbers([]int64{a, 0, b, c << 40}); again != h {
					t.Fatalf("%v: %x, then %x", list, h, again)
				}
				hashes[h], sums[Sum(h)] = true, true
				lists++
			}
		}
	}
	if len(hashes) < lists {
		t.Errorf("%d hashes of %d lists", len(hashes), lists)
	}
	if len(sums) < lists-10 { // 2^32 places: less than one is expected to be taken twice
		t.Errorf("%d sums of %d lists", len(sums), lists)
	}
	if Numbers([]int64{}) == Numbers([]int64{0}) || Numbers([]int64{1, 2}) == Numbers([]int64{2, 1}) {
		t.Error("length or order does not count")
	}
}

func ExampleNumbers() {
	marking, again, other := []int64{1, 2}, []int64{1, 2}, []int64{2, 1}
	fmt.Println(Numbers(marking) == Numbers(again), Numbers(marking) == Numbers(other))
	// Output: true false
}
