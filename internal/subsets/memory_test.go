package subsets_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/bitset"
	"pnmc/internal/subsets"
)

// TestMemoryAgreesWithNaiveTwin: what a memory finds of sets that are asked about again and again is what a look at
// each set finds, however soon it is full.
func TestMemoryAgreesWithNaiveTwin(t *testing.T) {
	remembered, forgotten := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sets, numbers, usual, x := indexed(t)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed of what is given"), 2))
		given := [][]uint64{usual, drawn(rng, numbers, rng.Float64())}
		for range rapid.IntRange(0, 60).Draw(t, "others") {
			near := slices.Clone(given[rng.IntN(len(given))])
			p := rng.IntN(numbers)
			near[p/64] ^= bitset.Mask(p % 64)
			given = append(given, near)
		}
		memory := subsets.NewMemory(x, rapid.SampledFrom([]int{0, 2, 20, 100, 1000, 1 << 16}).Draw(t, "most"))
		asked := make(map[string]bool)
		for range 200 {
			set := given[rng.IntN(len(given))]
			_, looks := checkWithin(t, memory.Within, sets, set)
			if _, whole := x.Within(set, nil); whole > 1 && asked[string(bitset.Key(set))] {
				if looks == 1 {
					remembered++
				} else {
					forgotten++
				}
			}
			asked[string(bitset.Key(set))] = true
		}
	})
	if remembered == 0 || forgotten == 0 {
		t.Errorf("%d answers were remembered and %d forgotten", remembered, forgotten)
	}
}

// TestMemoryRests: where nothing is asked again, nothing is remembered for a while, and then it is tried again.
func TestMemoryRests(t *testing.T) {
	const numbers = 64
	x := subsets.New(subsets.Sets{
		Numbers: numbers, Count: numbers, Rank: make([]uint32, numbers), Usual: make([]uint64, 1),
		Members: func(set uint32, list []uint32) []uint32 { return append(list, set) },
	}, 0)
	memory := subsets.NewMemory(x, 1<<20)
	remembers := func(given uint64) bool {
		memory.Within([]uint64{given}, nil)
		_, looks := memory.Within([]uint64{given}, nil)
		return looks == 1
	}
	if !remembers(1 << 40) {
		t.Fatal("nothing is remembered")
	}
	for i := range uint64(3000) {
		memory.Within([]uint64{1 + i}, nil)
	}
	if remembers(1 << 41) {
		t.Error("it does not rest")
	}
	for i := range uint64(3000) {
		memory.Within([]uint64{1 + i%8}, nil)
	}
	if !remembers(1 << 42) {
		t.Error("it rests for ever")
	}
}

// TestMemoryComparesAll: sets that differ in few numbers are told apart, however close their slots are.
func TestMemoryComparesAll(t *testing.T) {
	const numbers = 128
	x := subsets.New(subsets.Sets{
		Numbers: numbers, Count: numbers, Rank: make([]uint32, numbers), Usual: make([]uint64, 2),
		Members: func(set uint32, list []uint32) []uint32 { return append(list, set) },
	}, 0)
	memory := subsets.NewMemory(x, 1000)
	rng := rand.New(rand.NewPCG(7, 8))
	remembered := 0
	for range 20_000 {
		given := []uint64{1, 1 << (32 + rng.IntN(32))} // they differ in the upper half of the last word
		given[1] |= 1 << (32 + rng.IntN(6))
		var want []uint32
		for p := range uint32(numbers) {
			if bitset.Has(given, p) {
				want = append(want, p)
			}
		}
		found, looks := memory.Within(given, nil)
		slices.Sort(found)
		if !slices.Equal(found, want) {
			t.Fatalf("within %b lie %v, want %v", given, found, want)
		}
		if looks == 1 {
			remembered++
		}
	}
	if remembered < 1000 {
		t.Errorf("%d answers were remembered", remembered)
	}
}
