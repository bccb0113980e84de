package subsets_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/bitset"
	"pnmc/internal/subsets"
)

// indexed draws sets over numbers, some of them without members and many alike, and makes an index of them.
func indexed(t *rapid.T) (sets [][]uint32, numbers int, usual []uint64, x *subsets.Index) {
	numbers = rapid.SampledFrom([]int{1, 3, 8, 64, 65, 200}).Draw(t, "numbers")
	count := rapid.SampledFrom([]int{0, 1, 20, 300, 6000}).Draw(t, "sets")
	longest := rapid.IntRange(0, min(numbers, 8)).Draw(t, "longest")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	few := 1 + rng.IntN(numbers) // most members are below
	for range count {
		set := map[uint32]bool{}
		for range rng.IntN(longest + 1) {
			if rng.IntN(8) > 0 {
				set[uint32(rng.IntN(few))] = true
			} else {
				set[uint32(rng.IntN(numbers))] = true
			}
		}
		var list []uint32
		for p := range uint32(numbers) {
			if set[p] {
				list = append(list, p)
			}
		}
		sets = append(sets, list)
	}
	usual = drawn(rng, numbers, rapid.SampledFrom([]float64{0, 0.3, 0.9, 1}).Draw(t, "usual"))
	rank := make([]uint32, numbers)
	for i, p := range rng.Perm(numbers) {
		rank[p] = uint32(i)
	}
	return sets, numbers, usual, subsets.New(subsets.Sets{
		Numbers: numbers, Count: count, Rank: rank, Usual: usual,
		Members: func(set uint32, list []uint32) []uint32 { return append(list, sets[set]...) },
	}, 0)
}

// drawn returns a set that has each number with that probability.
func drawn(rng *rand.Rand, numbers int, probability float64) []uint64 {
	set := make([]uint64, bitset.WordsFor(numbers))
	for p := range numbers {
		if rng.Float64() < probability {
			bitset.Add(set, p)
		}
	}
	return set
}

// checkWithin checks that within finds, behind what was there, what a look at each set finds, once each. It returns that, and how
// many looks within took.
func checkWithin(t *rapid.T, within func(given []uint64, found []uint32) ([]uint32, int), sets [][]uint32, given []uint64) (want []uint32, looks int) {
	t.Helper()
	for i, set := range sets {
		if !slices.ContainsFunc(set, func(p uint32) bool { return !bitset.Has(given, p) }) {
			want = append(want, uint32(i))
		}
	}
	found, looks := within(given, []uint32{7})
	if found[0] != 7 {
		t.Fatalf("%v does not begin with what was there", found)
	}
	found = found[1:]
	slices.Sort(found)
	if !slices.Equal(found, want) {
		t.Fatalf("within %b lie %v, want %v of %v", given, found, want, sets)
	}
	return want, looks
}

// TestWithinAgreesWithNaiveTwin: what is found is what a look at each set finds, once each.
func TestWithinAgreesWithNaiveTwin(t *testing.T) {
	some, full := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sets, numbers, usual, x := indexed(t)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed of what is given"), 2))
		for range 10 {
			given := drawn(rng, numbers, rng.Float64())
			if rng.IntN(3) == 0 {
				copy(given, usual)
			}
			want, _ := checkWithin(t, x.Within, sets, given)
			if len(want) > 0 {
				some++
			}
			if len(want) > 256 {
				full++
			}
		}
	})
	if some == 0 || full == 0 {
		t.Errorf("%d times something lay within, %d times very much", some, full)
	}
}

// TestTooLarge: where tables would have more words than allowed there is no index.
func TestTooLarge(t *testing.T) {
	s := subsets.Sets{
		Numbers: 1000, Count: 10, Rank: make([]uint32, 1000), Usual: make([]uint64, bitset.WordsFor(1000)),
		Members: func(set uint32, list []uint32) []uint32 { return append(list, set) },
	}
	if subsets.New(s, 999*16) != nil {
		t.Error("too many partners")
	}
	if subsets.New(s, 1000*16) == nil {
		t.Error("no index")
	}
	s.Numbers = subsets.MostNumbers + 1
	if subsets.New(s, 0) != nil {
		t.Error("too many numbers")
	}
}

func ExampleIndex_Within() {
	sets := [][]uint32{{0, 1}, {1, 2}, {0, 1, 2}}
	x := subsets.New(subsets.Sets{
		Numbers: 3, Count: len(sets), Rank: []uint32{2, 1, 0}, Usual: []uint64{0b001},
		Members: func(set uint32, list []uint32) []uint32 { return append(list, sets[set]...) },
	}, 0)
	found, _ := x.Within([]uint64{0b110}, nil)
	fmt.Println(found)
	// Output: [1]
}
