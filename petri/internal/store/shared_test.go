package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// give gives way to another thread now and then.
func give() {
	if rand.IntN(3) == 0 {
		runtime.Gosched()
	}
}

// crowd are threads with a store. In each round every thread interns a list of keys, with room
// for it, then all wait.
type crowd struct {
	store  *Shared
	arenas []*Arena
	words  int
	number map[[3]uint64]Number
	parent map[[3]uint64][]Number // that it was interned with, by any thread
}

func newCrowd(words, bytes, threads int) *crowd {
	c := &crowd{store: NewShared(words, bytes, Options{Threads: threads, Parents: true}), words: words, number: map[[3]uint64]Number{}, parent: map[[3]uint64][]Number{}}
	for range threads {
		c.arenas = append(c.arenas, c.store.NewArena(give))
	}
	return c
}

// round has thread i intern lists[i], and compares what comes out with a map.
func (c *crowd) round(t *testing.T, lists [][][3]uint64) {
	t.Helper()
	for need := 0; ; {
		need = 0
		for i, a := range c.arenas {
			for n := 0; n < len(lists[i]); n += Batch {
				if !a.Reserve(n + Batch) {
					need++
				}
			}
		}
		if need == 0 {
			break
		}
		c.grow(t)
	}
	var all sync.WaitGroup
	ids := make([][]Number, len(lists))
	for i, a := range c.arenas {
		ids[i] = make([]Number, len(lists[i]))
		all.Go(func() {
			for first := 0; first < len(lists[i]); first += Batch {
				last := min(first+Batch, len(lists[i]))
				var packed []uint64
				var from []Number
				for j, key := range lists[i][first:last] {
					packed = append(packed, key[:c.words]...)
					from = append(from, Number(1000*i+first+j))
				}
				a.InternAll(packed, from, ids[i][first:last])
				a.Publish()
			}
		})
	}
	all.Wait()
	for i, list := range lists {
		for j, key := range list {
			c.parent[key] = append(c.parent[key], Number(1000*i+j))
			if n, known := c.number[key]; known && n != ids[i][j] {
				t.Fatalf("%v is number %d and %d", key, n, ids[i][j])
			}
			c.number[key] = ids[i][j]
		}
	}
	c.check(t)
}

// check looks whether every marking has a number of its own by which it is loaded.
func (c *crowd) check(t *testing.T) {
	t.Helper()
	count := int64(0)
	for _, a := range c.arenas {
		count += a.Count()
	}
	if count != int64(len(c.number)) {
		t.Fatalf("%d markings were new, expected %d", count, len(c.number))
	}
	room := c.store.room.Load()
	for _, a := range c.arenas {
		room += int64(a.credit)
	}
	if most := int64(c.store.slots) * maxLoad / 16; room+count > most {
		t.Fatalf("room for %d more than %d markings, expected %d in all", room, count, most)
	}
	seen := map[Number]bool{}
	packed := make([]uint64, c.words)
	for key, n := range c.number {
		if seen[n] {
			t.Fatalf("number %d twice", n)
		}
		seen[n] = true
		if c.store.Load(n, packed); !slices.Equal(packed, key[:c.words]) {
			t.Fatalf("number %d is %v, expected %v", n, packed, key)
		}
		if p := c.store.Parent(n); !slices.Contains(c.parent[key], p) {
			t.Fatalf("%v has the parent %d, expected one of %v", key, p, c.parent[key])
		}
	}
}

// refile does what all threads do at a meeting.
func (c *crowd) refile(convert func(narrow, wide []uint64)) {
	part := func(n int, do func(i int)) {
		var all sync.WaitGroup
		for k := range c.arenas {
			all.Go(func() {
				for i := k; i < n; i += len(c.arenas) {
					do(i)
				}
			})
		}
		all.Wait()
	}
	part(c.store.Tables(), c.store.Clear)
	part(c.store.Chunks(), func(i int) { c.store.Refile(i, convert) })
	c.store.Settled()
	for _, a := range c.arenas {
		a.Settle()
	}
}

func (c *crowd) grow(t *testing.T) {
	t.Helper()
	if err := c.store.Grow(c.arenas); err != nil {
		t.Fatal(err)
	}
	c.refile(nil)
	c.check(t)
}

// TestSharedKeepsWhatItInterned has threads intern the same and other markings at the same time,
// past a few growths, and compares with a map.
func TestSharedKeepsWhatItInterned(t *testing.T) {
	for _, width := range widths {
		for _, threads := range []int{2, 5} {
			t.Run(fmt.Sprintf("%d bytes, %d threads", width.bytes, threads), func(t *testing.T) {
				random := rand.New(rand.NewPCG(uint64(threads), uint64(width.bytes)))
				c := newCrowd(width.words, width.bytes, threads)
				for round := range 40 {
					keys := make([][3]uint64, 600)
					for i := range keys {
						for w := range width.words {
							keys[i][w] = random.Uint64N(200 << (round % 8))
						}
						keys[i][width.words-1] &= 1<<(8*min(7, width.bytes-8*(width.words-1))) - 1
					}
					lists := make([][][3]uint64, threads)
					for i := range lists {
						// All begin with the same, some in the same order, then come others.
						lists[i] = slices.Clone(keys)
						if i%2 == 1 {
							random.Shuffle(len(keys), func(a, b int) { lists[i][a], lists[i][b] = lists[i][b], lists[i][a] })
						}
					}
					c.round(t, lists)
				}
				if width.bytes > 1 && len(c.number) < 5000 {
					t.Errorf("only %d markings", len(c.number))
				}
			})
		}
	}
}

// TestSharedWidens: markings of more bytes keep their numbers, and are found again.
func TestSharedWidens(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	c := newCrowd(1, 2, 3)
	more := func() {
		lists := make([][][3]uint64, 3)
		for i := range lists {
			for range 700 {
				lists[i] = append(lists[i], [3]uint64{random.Uint64N(5000)})
			}
		}
		c.round(t, lists)
	}
	for _, width := range []struct{ words, bytes int }{{1, 3}, {2, 9}, {2, 16}, {3, 17}} {
		for range 10 {
			more()
		}
		c.store.Widen(width.words, width.bytes, c.arenas)
		c.words = width.words
		c.refile(func(narrow, wide []uint64) {
			clear(wide)
			copy(wide, narrow)
		})
		c.check(t)
	}
	for range 10 {
		more()
	}
	if len(c.number) < 4500 {
		t.Errorf("only %d markings", len(c.number))
	}
}

// TestClaims: every marking that is published is claimed once, whoever claims and steals.
func TestClaims(t *testing.T) {
	for _, size := range []struct{ words, each int }{{1, 20_000}, {4096, 3 * Batch}} {
		t.Run(fmt.Sprintf("%d words", size.words), func(t *testing.T) { checkClaims(t, size.words, size.each) })
	}
}

func checkClaims(t *testing.T, words, each int) {
	const threads = 4
	s := NewShared(words, 8*words, Options{Threads: threads})
	var arenas []*Arena
	for range threads {
		arenas = append(arenas, s.NewArena(give))
	}
	for s.room.Load() < threads*int64(each+credits) {
		if err := s.Grow(arenas); err != nil {
			t.Fatal(err)
		}
	}
	claimed := make([][]Number, threads)
	take := func(i int, first Number, n uint32) bool {
		for k := range n {
			claimed[i] = append(claimed[i], first+k)
		}
		return n > 0
	}
	var all sync.WaitGroup
	for i, a := range arenas {
		all.Go(func() {
			var ids [Batch]Number
			for k := 0; k < each; k += Batch {
				packed := make([]uint64, Batch*words)
				for j := range Batch {
					packed[j*words] = uint64(k+j)<<8 | uint64(i%2) // two do the same
				}
				if !a.Reserve(Batch) {
					t.Error("no room")
					return
				}
				a.InternAll(packed, nil, ids[:])
				a.Publish()
				for range 3 {
					if first, n := a.Claim(50); i > 0 && !take(i, first, n) {
						first, n = a.Steal(50)
						take(i, first, n)
					} else if i == 0 {
						take(i, first, n)
					}
				}
			}
		})
	}
	all.Wait()
	for first, n := arenas[0].Steal(64); take(0, first, n); first, n = arenas[0].Steal(64) {
	}
	seen := map[Number]bool{}
	for _, n := range slices.Concat(claimed...) {
		if seen[n] {
			t.Fatalf("%d is claimed twice", n)
		}
		seen[n] = true
	}
	count := int64(0)
	for _, a := range arenas {
		count += a.Count()
	}
	for c := range s.oldest.Load() {
		if s.shares[c].claimed < 1<<s.shift {
			t.Errorf("chunk %d of %d has something left", c, s.oldest.Load())
		}
	}
	if int64(len(seen)) != count || s.Left() {
		t.Errorf("%d markings are claimed, expected %d; more are left: %v", len(seen), count, s.Left())
	}
}

// TestNumbersEnd: it is told in time that numbers are used up, and until then they fit into a
// slot; at the true limit the numbers are looked at, not the markings.
func TestNumbersEnd(t *testing.T) {
	s := NewShared(1, 8, Options{Threads: 2})
	s.most = 100_000
	arenas := []*Arena{s.NewArena(nil), s.NewArena(nil)}
	interned := uint64(0)
	for ended := false; !ended; {
		for i, a := range arenas {
			if !a.Reserve(1) {
				if err := s.Grow(arenas); err != nil {
					ended = errors.Is(err, ErrFull)
					break
				}
				for k := range s.Tables() {
					s.Clear(k)
				}
				for k := range s.Chunks() {
					s.Refile(k, nil)
				}
				continue
			}
			var id [1]Number
			if a.InternAll([]uint64{interned<<1 | uint64(i)}, nil, id[:]); uint64(id[0]) >= s.most {
				t.Fatalf("number %d", id[0])
			}
			interned++
		}
	}
	if interned < 50_000 {
		t.Errorf("numbers end after %d markings", interned)
	}
	large := &Shared{shift: chunkShift, threads: 128, most: MaxStates}
	slots := uint64(1)
	for chunks := 1; ; chunks += 1 + chunks/3 {
		most, directory, err := large.plan(chunks, int64(slots))
		if err != nil {
			break
		}
		if directory<<chunkShift > MaxStates || most>>chunkShift+128 > directory || idMask(directory<<chunkShift) < uint32(directory<<chunkShift) {
			t.Fatalf("%d chunks: room for %d markings, %d chunks of them", chunks, most, directory)
		}
		slots = most
	}
	if slots < MaxStates-1<<22 {
		t.Errorf("the limit is told at %d markings", slots)
	}
}
