package store

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// Set is a set of packed markings of one word, for one thread or several. It does not number
// them, and takes less than a Store: of a marking only the bits that its place in a table does
// not imply (quotient.go).
//
// Keys are mixed by a bijection on as many bits as they have. Then their first bits say to which
// stripe they belong. A stripe is a table of its own under a lock, and grows by itself. A thread
// adds many keys at a time, those of a stripe together, by a Batcher. One thread alone gains from that, too:
// more of a small table stays in the processor's caches while it grows.
type Set struct {
	bits     uint8 // of a key
	half     uint8 // of these bits, rounded up
	mask     uint64
	branches uint8 // the first bits of a mixed key, which say its stripe
	stripes  []stripe
	batchers atomic.Uint32
}

// stripe is a part of a set. It takes two times cacheLine, so that with a set of many stripes, which begin at a page of
// memory, the lock and what is written for each new key lie in one cache line. A thread that comes to a stripe
// most often fetches that from another core, which takes as long as to look for a key.
type stripe struct {
	mutex sync.Mutex
	quotient
	_ [2*cacheLine - stripeBytes]byte
}

// stripeBytes is what a lock and a table take without the pages.
const stripeBytes = unsafe.Sizeof(sync.Mutex{}) + unsafe.Sizeof(quotient{})

const (
	// stripeBits is the binary logarithm of the stripes of a set.
	stripeBits = 6
	// leastStriped is how many bits keys need to have for more than one stripe.
	leastStriped = 16
	// Added is how many keys are best added at a time: some dozens for each stripe, so that it costs little to fetch
	// its lock from another core.
	Added = 1 << 11
)

// NewSet returns an empty set for keys of 1 to 64 bits.
func NewSet(keyBits int) *Set {
	s := &Set{bits: uint8(keyBits), half: uint8(keyBits+1) / 2, mask: ^uint64(0) >> (64 - keyBits)}
	if keyBits >= leastStriped {
		s.branches = stripeBits
	}
	s.stripes = make([]stripe, 1<<s.branches)
	for i := range s.stripes {
		s.stripes[i].begin(keyBits - int(s.branches))
	}
	return s
}

// Mix maps keys one to one to keys whose bits all depend on all bits: odd factors, and
// exclusive or with the upper half, can be undone. The bits of the result lie at the top.
func (s *Set) Mix(key uint64) uint64 {
	key = key * 0x9e3779b97f4a7c15 & s.mask
	key ^= key >> s.half
	key = key * 0xbf58476d1ce4e5b9 & s.mask
	key ^= key >> s.half
	key = key * 0x94d049bb133111eb & s.mask
	key ^= key >> s.half
	return key << (64 - s.bits)
}

// MemoryBytes returns what the set takes. Nobody may add keys meanwhile.
func (s *Set) MemoryBytes() int64 {
	sum := int64(0)
	for i := range s.stripes {
		sum += s.stripes[i].bytes()
	}
	return sum
}

// Batcher adds keys to a set, for one thread.
type Batcher struct {
	_       [cacheLine]byte
	set     *Set
	reserve func(bytes int) error
	rounds  rounds                 // through stripes
	starts  [1<<stripeBits + 1]int // where keys of a stripe begin
	keys    []uint64               // in order of stripes
	mixed   []uint64
	row     []uint64 // for tables that grow
	touched uint64   // keeps loads from being optimized away
	_       [cacheLine]byte
}

// NewBatcher returns one that asks reserve before anything grows.
func (s *Set) NewBatcher(reserve func(bytes int) error) *Batcher {
	return &Batcher{set: s, reserve: reserve, rounds: newRounds(s.batchers.Add(1), len(s.stripes))}
}

// Add adds keys; mixed are the same by Mix. Those that are new come to lie first in keys, and their number
// is returned. An error is that of reserve; some keys are not added then.
func (b *Batcher) Add(keys, mixed []uint64) (fresh int, err error) {
	if len(b.set.stripes) == 1 {
		b.set.stripes[0].mutex.Lock()
		defer b.set.stripes[0].mutex.Unlock()
		return b.add(0, keys, mixed, keys)
	}
	b.arrange(keys, mixed)
	stripes := b.set.stripes
	err = b.rounds.each(b.starts[:], func(i int) *sync.Mutex { return &stripes[i].mutex }, func(i int) error {
		first, end := b.starts[i], b.starts[i+1]
		n, err := b.add(i, b.keys[first:end], b.mixed[first:end], keys[fresh:])
		fresh += n
		return err
	})
	return fresh, err
}

// arrange puts keys in order of their stripes.
func (b *Batcher) arrange(keys, mixed []uint64) {
	if len(b.keys) < len(keys) {
		b.keys, b.mixed = make([]uint64, len(keys)), make([]uint64, len(keys))
	}
	clear(b.starts[:])
	shift := 64 - b.set.branches
	for _, h := range mixed {
		b.starts[h>>shift+1]++
	}
	for i := range len(b.starts) - 1 {
		b.starts[i+1] += b.starts[i]
	}
	next := b.starts
	for i, h := range mixed {
		at := &next[h>>shift]
		b.keys[*at], b.mixed[*at] = keys[i], h
		*at++
	}
}

// overlapped is how many slots are touched before any is looked at, so that their cache misses
// overlap.
const overlapped = 64

// add adds keys to a stripe, whose lock is held, and writes the new ones to fresh, of which it returns the number.
func (b *Batcher) add(stripe int, keys, mixed, fresh []uint64) (n int, err error) {
	s := &b.set.stripes[stripe]
	branches := b.set.branches
	for first := 0; first < len(keys); first += overlapped {
		end := min(first+overlapped, len(keys))
		touched := uint64(0)
		for _, h := range mixed[first:end] {
			touched += s.touch(h << branches)
		}
		b.touched = touched
		for i := first; i < end; i++ {
			if s.full() {
				if err := b.reserve(s.growth() * pageBytes); err != nil {
					return n, err
				}
				b.row = s.grow(b.row)
			}
			key := keys[i]
			if s.insert(mixed[i] << branches) {
				fresh[n] = key
				n++
			}
		}
	}
	return n, nil
}
