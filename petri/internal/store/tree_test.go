package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// TestTreeAgreesWithMap: of markings that several threads add, each is new to one of them, and is loaded as it
// was added.
func TestTreeAgreesWithMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.IntRange(2, 9).Draw(t, "words")
		threads := rapid.IntRange(1, 4).Draw(t, "threads")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		drawn := rapid.SampledFrom([]int{1, 100, 3000}).Draw(t, "markings")
		values := rapid.SampledFrom([]uint64{2, 40, 1 << 13, 1 << 63}).Draw(t, "values")
		last := rapid.IntRange(1, 8).Draw(t, "bytes of the last word")
		tree := NewTree(words, 8*words-8+last, Options{Threads: threads})
		want := map[string]bool{}
		lists := make([][]uint64, threads)
		for range drawn {
			marking := make([]uint64, words)
			for i := range marking {
				marking[i] = random.Uint64N(values)
			}
			marking[words-1] &= ^uint64(0) >> (64 - 8*last)
			want[fmt.Sprint(marking)] = true
			for i := range lists {
				if i == 0 || random.IntN(2) == 0 {
					lists[i] = append(lists[i], marking...)
				}
			}
		}
		met := climb(t, tree, lists, rapid.IntRange(1, 500).Draw(t, "at a time"))
		seen := map[string]bool{}
		for _, marking := range met {
			if seen[marking] || !want[marking] {
				t.Fatalf("%s is new again: %v", marking, seen[marking])
			}
			seen[marking] = true
		}
		if len(seen) != len(want) {
			t.Fatalf("%d markings were new, expected %d", len(seen), len(want))
		}
	})
}

// climb adds markings, each list by a thread of its own, and returns those that were new.
func climb(t rapid.TB, tree *Tree, lists [][]uint64, batch int) []string {
	met := make([][]string, len(lists))
	var all sync.WaitGroup
	for i, list := range lists {
		all.Go(func() {
			c := tree.NewClimber(func(int) error { return nil })
			marking := make([]uint64, tree.words)
			for waiting := 0; len(list) > 0 || waiting > 0; {
				n := min(len(list), (1+batch/3)*tree.words)
				waiting = c.Enter(list[:n])
				list = list[n:]
				if len(list) > 0 && waiting < batch {
					continue
				}
				fresh, err := c.Add()
				waiting = 0
				if err != nil {
					t.Error(err)
				}
				for _, pair := range slices.Clone(fresh) {
					c.Load(pair, marking) // which is what others may come from now
					met[i] = append(met[i], fmt.Sprint(marking))
				}
			}
		})
	}
	all.Wait()
	return slices.Concat(met...)
}

// TestTreeTiers: pairs of numbers lie in the set for as many bits as they need, and in no other.
func TestTreeTiers(t *testing.T) {
	for number, want := range map[uint32]int{0: 0, 1<<8 - 1: 0, 1 << 8: 1, 1<<12 - 1: 1, 1 << 12: 2, 1 << 16: 3, 1 << 24: 5, 1<<28 - 1: 5, 1 << 28: 6, 1<<32 - 1: 6} {
		if got := tierOf(number); got != want {
			t.Errorf("number %d belongs to tier %d, expected %d", number, got, want)
		}
	}
}

// TestTreeAsks: before anything grows it is asked whether there is room. If not, what was added stays.
func TestTreeAsks(t *testing.T) {
	tree := NewTree(3, 24, Options{Threads: 1})
	room, refused := int64(3_000_000), errors.New("no room")
	c := tree.NewClimber(func(bytes int) error {
		if room < int64(bytes) {
			return refused
		}
		room -= int64(bytes)
		return nil
	})
	first, added := tree.MemoryBytes(), uint64(0)
	var err error
	for err == nil && added < 1_000_000 {
		var fresh []uint64
		c.Enter([]uint64{added, 1, added + 1<<40})
		fresh, err = c.Add()
		if err == nil && len(fresh) != 1 {
			t.Fatalf("marking %d is new %d times", added, len(fresh))
		}
		added++
	}
	if err != refused || added < 5000 {
		t.Errorf("%d markings were added, then %v", added, err)
	}
	// What is made without asking is small: tables of pointers.
	if took := tree.MemoryBytes() - first; took > 3_000_000+2*64*8*directory {
		t.Errorf("%d bytes were taken", took)
	}
	room = 1 << 40
	c.Enter([]uint64{1, 1, 1 + 1<<40, 7, 7, 7})
	if fresh, err := c.Add(); len(fresh) != 1 || err != nil {
		t.Errorf("%d markings of two are new, %v", len(fresh), err)
	}
}

// TestNumberingEnds: when all numbers are used, that is told, and the words that have one keep it.
func TestNumberingEnds(t *testing.T) {
	tree := NewTree(2, 16, Options{Threads: 1, Most: 500 * 64})
	c := tree.NewClimber(func(int) error { return nil })
	added := uint64(0)
	var err error
	for err == nil && added < 1_000_000 {
		c.Enter([]uint64{2 * added, 2*added + 1})
		_, err = c.Add()
		added++
	}
	if !errors.Is(err, ErrFull) || added < 12_000 || added > 16_001 {
		t.Errorf("%d markings were added, then %v", added, err)
	}
	c.Enter([]uint64{1, 0, 2, 3})
	if fresh, err := c.Add(); len(fresh) != 1 || err != nil {
		t.Errorf("%d markings of two are new, %v", len(fresh), err)
	}
	marking := make([]uint64, 2)
	if c.Load(c.fresh[0], marking); !slices.Equal(marking, []uint64{1, 0}) {
		t.Errorf("loaded %v", marking)
	}
}
