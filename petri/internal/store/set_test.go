package store

import (
	"errors"
	mathbits "math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// check looks whether a table has the keys of a map in order, each found where it belongs.
func (q *quotient) check(t rapid.TB, want map[uint64]bool) {
	t.Helper()
	if q.count != uint64(len(want)) {
		t.Fatalf("%d keys, expected %d", q.count, len(want))
	}
	var last uint64
	met := 0
	for i := range uint64(len(q.pages)) * q.perPage {
		found := q.slot(i)
		if found == 0 {
			continue
		}
		if i > q.homes+farthest {
			t.Fatalf("slot %d of %d is full", i, q.homes)
		}
		key := q.key(i, found)
		if !want[key] || met > 0 && key <= last {
			t.Fatalf("slot %d has the key %x after %x, which is there: %v", i, key, last, want[key])
		}
		if home := i - (found>>q.rest - 1); home < i && q.slot(i-1) == 0 {
			t.Fatalf("slot %d has a key with home %d, but the slot before is empty", i, home)
		}
		last, met = key, met+1
	}
	if met+len(q.lost) != len(want) {
		t.Fatalf("%d keys in slots, %d are lost, expected %d", met, len(q.lost), len(want))
	}
	for key := range q.lost {
		if !want[key] {
			t.Fatalf("%x is lost, but was never put in", key)
		}
	}
}

// add puts a key in as a set does.
func (q *quotient) add(key uint64) bool {
	if q.full() {
		q.grow(nil)
	}
	return q.insert(key)
}

// drawKeys draws a way to make keys of so many bits: such as are mixed well, some that are close to each
// other, and some that have the same first bits.
func drawKeys(t *rapid.T, keyBits int) func() uint64 {
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	low := 64 - keyBits
	any := func() uint64 { return random.Uint64() >> low << low }
	start := any()
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return any
	case 1: // a row
		next := start
		return func() uint64 { next += 1 << low; return next }
	case 2: // close together, in any order
		near := rapid.IntRange(0, 12).Draw(t, "near")
		return func() uint64 { return start + random.Uint64()>>(64-min(near, keyBits))<<low }
	default: // some at the end, some at the beginning, some anywhere
		return func() uint64 {
			switch random.IntN(3) {
			case 0:
				return random.Uint64() >> (64 - min(8, keyBits)) << low
			case 1:
				return -((random.Uint64()>>(64-min(8, keyBits)) + 1) << low)
			}
			return any()
		}
	}
}

// TestQuotient puts keys of all widths into a table, and compares with a map.
func TestQuotient(t *testing.T) {
	widths := map[int]bool{}
	rapid.Check(t, func(t *rapid.T) {
		keyBits := rapid.IntRange(1, 64).Draw(t, "bits")
		widths[keyBits] = true
		q := newQuotient(keyBits)
		want := map[uint64]bool{}
		for range rapid.IntRange(1, 3).Draw(t, "kinds") {
			keys := drawKeys(t, keyBits)
			for range rapid.IntRange(0, 6000).Draw(t, "keys") {
				key := keys()
				if isNew := q.add(key); isNew == want[key] {
					t.Fatalf("%d bits: key %x is new: %v", keyBits, key, isNew)
				}
				want[key] = true
			}
			q.check(t, want)
		}
		for key := range want {
			if q.insert(key) {
				t.Fatalf("%d bits: key %x is gone", keyBits, key)
			}
		}
		q.check(t, want)
	})
}

// TestQuotientWidths fills a table for each width of a key with many more keys than it has room for at first,
// and looks at it whenever it has grown.
func TestQuotientWidths(t *testing.T) {
	for keyBits := 1; keyBits <= 64; keyBits++ {
		random := rand.New(rand.NewPCG(uint64(keyBits), 2))
		q := newQuotient(keyBits)
		want := map[uint64]bool{}
		shift, narrowed, grown := q.shift, 0, 0
		for len(want) < 40_000 && keyBits > 16 || len(want) < 1<<keyBits && keyBits <= 16 {
			key := random.Uint64() >> (64 - keyBits) << (64 - keyBits)
			if keyBits <= 16 {
				key = uint64(len(want)) << (64 - keyBits) // all there are
			}
			pages := len(q.pages)
			if q.add(key) == want[key] {
				t.Fatalf("%d bits: key %x is new: %v", keyBits, key, !want[key])
			}
			want[key] = true
			if len(q.pages) > pages {
				grown++
				q.check(t, want)
			}
			if q.shift != shift {
				shift, narrowed = q.shift, narrowed+1
			}
			if q.width > widest || q.shift != q.shiftFor(q.homes) {
				t.Fatalf("%d bits: %d homes, slots of %d bits, shift %d", keyBits, q.homes, q.width, q.shift)
			}
		}
		q.check(t, want)
		if keyBits > 16 && (grown < 5 || narrowed < 2) {
			t.Errorf("%d bits: the table grew %d times, slots %d times", keyBits, grown, narrowed)
		}
		if len(q.lost) > len(want)/1000 {
			t.Errorf("%d bits: %d of %d keys are lost", keyBits, len(q.lost), len(want))
		}
	}
}

// TestMix: mixing maps different keys to different ones, whatever their width.
func TestMix(t *testing.T) {
	for keyBits := 1; keyBits <= 16; keyBits++ {
		s := NewSet(keyBits)
		seen := map[uint64]bool{}
		for key := range uint64(1) << keyBits {
			seen[s.Mix(key)] = true
		}
		for h := range seen {
			if h<<keyBits != 0 {
				t.Fatalf("%d bits: %x has more", keyBits, h)
			}
		}
		if len(seen) != 1<<keyBits {
			t.Errorf("%d bits: %d keys become %d", keyBits, 1<<keyBits, len(seen))
		}
	}
	inverse := func(a uint64) uint64 { // modulo 2^64, by Newton's iteration
		x := a
		for range 6 {
			x *= 2 - a*x
		}
		return x
	}
	rapid.Check(t, func(t *rapid.T) {
		keyBits := rapid.IntRange(17, 64).Draw(t, "bits")
		s := NewSet(keyBits)
		key := rapid.Uint64().Draw(t, "key") & s.mask
		back := s.Mix(key) >> (64 - keyBits)
		for _, factor := range []uint64{0x94d049bb133111eb, 0xbf58476d1ce4e5b9, 0x9e3779b97f4a7c15} {
			back ^= back >> s.half
			back = back * inverse(factor) & s.mask
		}
		if back != key {
			t.Fatalf("%d bits: %x is mixed to what comes from %x", keyBits, key, back)
		}
	})
}

// TestQueue pushes and pops, and compares with a slice.
func TestQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.IntRange(1, 8).Draw(t, "bytes")
		most := rapid.SampledFrom([]int{0, 0, 1, 7, 10_000}).Draw(t, "most")
		queues := []*Queue{NewQueue(bytes, most), NewQueue(bytes, most)}
		var want [2][]uint64
		next := uint64(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			i := rapid.IntRange(0, 1).Draw(t, "queue")
			q := queues[i]
			if rapid.IntRange(0, 2).Draw(t, "step") > 0 {
				var packed []uint64
				for range rapid.IntRange(0, 700).Draw(t, "markings") {
					next += 0x9e3779b97f4a7c15
					packed = append(packed, next&q.mask)
				}
				q.Push(packed)
				want[i] = append(want[i], packed...)
				continue
			}
			full := q.Full()
			b := q.Pop()
			if b == nil {
				if len(want[i]) > 0 {
					t.Fatalf("nothing is left, expected %d markings", len(want[i]))
				}
				continue
			}
			if full > 0 && b.Len() != q.most || b.Len() == 0 || b.Len() > len(want[i]) {
				t.Fatalf("a block of %d markings, %d full ones, expected %d markings", b.Len(), full, len(want[i]))
			}
			for k := range b.Len() {
				if got := q.Load(b, k); got != want[i][k] {
					t.Fatalf("marking %d is %x, expected %x", k, got, want[i][k])
				}
			}
			want[i] = slices.Delete(want[i], 0, b.Len())
			queues[rapid.IntRange(0, 1).Draw(t, "of")].Done(b)
		}
	})
}

// TestSet has threads add the same keys and others at the same time, and compares with a map: each key is new
// once.
func TestSet(t *testing.T) {
	for _, keyBits := range []int{1, 5, 15, 16, 17, 20, 33, 48, 63, 64} {
		for _, threads := range []int{1, 4} {
			random := rand.New(rand.NewPCG(uint64(keyBits), 3))
			s := NewSet(keyBits)
			lists := make([][]uint64, threads)
			want := map[uint64]bool{}
			for range 20_000 {
				key := random.Uint64() & s.mask
				if random.IntN(3) == 0 {
					key = random.Uint64N(5000) & s.mask // as markings are, small numbers
				}
				want[key] = true
				for i := range lists {
					if random.IntN(2) == 0 || i == 0 {
						lists[i] = append(lists[i], key)
					}
				}
			}
			fresh := make([][]uint64, threads)
			var all sync.WaitGroup
			for i, list := range lists {
				all.Go(func() {
					b := s.NewBatcher(func(int) error { return nil })
					for len(list) > 0 {
						n := min(len(list), 1+i*400)
						keys, mixed := slices.Clone(list[:n]), make([]uint64, n)
						for k, key := range keys {
							mixed[k] = s.Mix(key)
						}
						count, err := b.Add(keys, mixed)
						if err != nil {
							t.Error(err)
						}
						fresh[i] = append(fresh[i], keys[:count]...)
						list = list[n:]
					}
				})
			}
			all.Wait()
			seen := map[uint64]bool{}
			for _, key := range slices.Concat(fresh...) {
				if seen[key] || !want[key] {
					t.Fatalf("%d bits: key %x is new again: %v", keyBits, key, seen[key])
				}
				seen[key] = true
			}
			if len(seen) != len(want) {
				t.Errorf("%d bits, %d threads: %d keys were new, expected %d", keyBits, threads, len(seen), len(want))
			}
			if least := int64(len(want)) * int64(max(0, keyBits-15)) / 8; s.MemoryBytes() < least {
				t.Errorf("%d bits: %d keys take %d bytes, expected %d at least", keyBits, len(want), s.MemoryBytes(), least)
			}
		}
	}
}

// TestSetAsks: before a table grows it is asked whether there is room. If not, what was added stays.
func TestSetAsks(t *testing.T) {
	s := NewSet(40)
	room, asked, refused := int64(300_000), int64(0), errors.New("no room")
	b := s.NewBatcher(func(bytes int) error {
		if room < int64(bytes) {
			return refused
		}
		room -= int64(bytes)
		asked += int64(bytes)
		return nil
	})
	first := s.MemoryBytes()
	added := uint64(0)
	add := func(n int) (fresh int, err error) {
		keys, mixed := make([]uint64, n), make([]uint64, n)
		for i := range keys {
			keys[i] = added + uint64(i)
			mixed[i] = s.Mix(keys[i])
		}
		return b.Add(keys, mixed)
	}
	for {
		fresh, err := add(Added)
		if err == nil && fresh == Added {
			added += Added
			continue
		}
		if !errors.Is(err, refused) || fresh >= Added {
			t.Fatalf("%d keys are new, %v", fresh, err)
		}
		room = 1 << 20
		if again, err := add(Added); err != nil || again != Added-fresh {
			t.Fatalf("%d keys were new, then %d, %v", fresh, again, err)
		}
		break
	}
	if grown := s.MemoryBytes() - first; added < 50_000 || grown < asked || grown > asked+asked/50+64*lostBytes {
		t.Errorf("%d keys: grew by %d bytes, asked for %d", added, grown, asked)
	}
}

// TestGrowth: all keys of a table stay through growths that lose some, and those that were lost are found.
func TestGrowth(t *testing.T) {
	lost := 0
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 4))
		keyBits := 24 + random.IntN(41)
		q := newQuotient(keyBits)
		want := map[uint64]bool{}
		for len(want) < 20_000 {
			key := random.Uint64()
			if seed%2 == 0 { // so many have one home that some are lost
				key = random.Uint64N(200)<<56 | random.Uint64N(1<<12)<<(64-keyBits)
			}
			key = key >> (64 - keyBits) << (64 - keyBits)
			if q.add(key) == want[key] {
				t.Fatalf("key %x is new: %v", key, !want[key])
			}
			want[key] = true
		}
		q.check(t, want)
		lost += len(q.lost)
		for range 3 {
			q.grow(nil)
			q.check(t, want)
			for key := range want {
				if q.insert(key) {
					t.Fatalf("key %x is gone", key)
				}
			}
		}
	}
	if lost < 1000 {
		t.Errorf("only %d keys were lost", lost)
	}
}

// TestMoreThan32Bits: a table with homes for more than 2^33 keys, of which some pages are there, finds those
// keys whose pages these are, as if it were full of others.
func TestMoreThan32Bits(t *testing.T) {
	const bits, homes = 50, 1<<33 + 1<<31
	q := &quotient{bits: bits}
	q.layOut(q.shiftFor(homes))
	q.pages = make([]*page, (homes+farthest+1)/q.perPage+1)
	q.settle(homes)
	const others = 1<<33 - 1
	q.count = others
	rng := rand.New(rand.NewPCG(1, 2))
	keys := map[uint64]uint64{} // and their homes
	for len(keys) < 20_000 {
		key := rng.Uint64() &^ (1<<(64-bits) - 1)
		if len(keys)%4 > 0 { // at the end
			key |= 0xfff << 52
		}
		home, _ := mathbits.Mul64(key, q.homes)
		p, _ := q.find(home)
		for ; p < uint64(len(q.pages)) && p <= (home+farthest+1)/q.perPage; p++ {
			if q.pages[p] == nil {
				q.pages[p] = new(page)
			}
		}
		if _, known := keys[key]; q.insert(key) == known {
			t.Fatalf("key %x is new: %v", key, !known)
		}
		keys[key] = home
	}
	if q.count != others+uint64(len(keys)) {
		t.Errorf("%d keys are counted, should be %d", q.count, others+uint64(len(keys)))
	}
	most := uint64(0)
	for key, home := range keys {
		if q.insert(key) {
			t.Fatalf("key %x is new again", key)
		}
		most = max(most, home)
	}
	if most < 1<<33 || q.full() != (q.count >= homes-homes/8) {
		t.Errorf("the last home is %d", most)
	}
	for i := most; i > most-100; i-- { // what slots hold leads back to keys
		if p, _ := q.find(i); q.pages[p] == nil {
			continue
		}
		if found := q.slot(i); found > 0 {
			if key := q.key(i, found); keys[key] == 0 {
				t.Errorf("slot %d has key %x, which is none", i, key)
			}
		}
	}
}

// TestStripesLieApart: a lock and what is written for each new key lie in one cache line, and in no other
// stripe's.
func TestStripesLieApart(t *testing.T) {
	const written = 64 // bytes of a cache line
	s := NewSet(40)
	for i := range s.stripes {
		p := &s.stripes[i]
		first, last := uintptr(unsafe.Pointer(&p.mutex)), uintptr(unsafe.Pointer(&p.count))
		if first/written != last/written {
			t.Fatalf("stripe %d: the lock is at %#x, the count at %#x", i, first, last)
		}
		if i > 0 && first-uintptr(unsafe.Pointer(&s.stripes[i-1].mutex)) != 2*cacheLine {
			t.Fatalf("stripe %d: %#x follows %p", i, first, &s.stripes[i-1].mutex)
		}
	}
}
