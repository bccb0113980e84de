package store

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// Shared is a store that several threads fill at the same time, each by an Arena, without
// locks.
//
// A number is that of a chunk of markings and a position there. A chunk belongs to one arena,
// which alone writes to it. A slot of the table is 0, or holds a number and a tag, as in
// Store. It changes only once, from 0, by a compare-and-swap. That publishes the marking and,
// if parents are tracked, its parent. Threads that intern equal markings look at the same
// slots in the same order: full ones, and then the first empty one. One of them fills it, and
// the others see that.
//
// A marking's words are written forward. The last one is written over bytes of the next
// marking, which nobody else reads yet. The last word is read backward, as the eight bytes
// that end with the marking. So nobody reads a byte that another may be writing.
//
// Growing the table, and taking wider markings, is for when all threads do that and nothing
// else: see growth.go.
type Shared struct {
	words, bytes int
	tail         uint8 // by how much the last eight bytes are shifted to leave the last word
	shift        uint8 // binary logarithm of the markings in a chunk
	threads      int
	track        bool // parents are kept
	chunks       [][]byte
	parents      [][]Number
	shares       []share // of the chunks
	table        [][]uint32
	slots        uint64
	idMask       uint32
	most         uint64 // numbers there may be; the largest is one less
	step         int64  // 0 but in tests: how many markings there is room for at a time

	before *Shared // what has the markings while they become wider, or nil

	_      [cacheLine]byte
	used   atomic.Uint32 // chunks that some arena has
	_      [cacheLine]byte
	room   atomic.Int64 // markings that may come before the table is to grow
	_      [cacheLine]byte
	oldest atomic.Uint32 // the chunks before it have nothing to claim any more
	_      [cacheLine]byte
}

// cacheLine is more than a cache line, or two where lines are fetched in pairs: what is written
// by different threads lies so far apart.
const cacheLine = 128

// Apart returns n zeros that share no cache line with other allocations, for what one thread writes
// to for each marking.
func Apart[T ~int64 | ~uint64 | ~uint32](n int) []T {
	pad := cacheLine / int(unsafe.Sizeof(*new(T)))
	return make([]T, n+2*pad)[pad : pad+n : pad+n]
}

// spare is how many bytes a chunk has before its markings, and after.
const spare = 8

// credits is how many markings an arena reserves room for at a time, at most.
const credits = 1 << 10

// ErrFull means that all numbers are used up.
var ErrFull = errors.New("more than 2^32-2 states")

// Options say how a shared store is made.
type Options struct {
	// Threads is how many arenas there are.
	Threads int
	// Parents are kept.
	Parents bool
	// Step, unless 0, is how many markings there is room for before the table has to be filled
	// anew, for tests: then it often is.
	Step int
	// Most, unless 0, is how many numbers there may be, for tests.
	Most uint64
}

// NewShared returns an empty store for markings of so many words, of which so many bytes are stored.
func NewShared(words, bytes int, o Options) *Shared {
	threads := o.Threads
	s := &Shared{shift: chunkShiftOf(bytes), threads: threads, track: o.Parents, most: MaxStates, step: int64(o.Step)}
	s.widths(words, bytes)
	// Each arena may have reserved room before any of them meets its end.
	first := 1 + 2*threads*credits*16/(maxLoad*slotsPerChunk)
	_ = s.resize(first, 0) // there is room for the first numbers
	if o.Most > 0 {
		s.most = o.Most
	}
	return s
}

// widths sets how many words a marking has, and how many bytes of them are stored.
func (s *Shared) widths(words, bytes int) {
	s.words, s.bytes = words, bytes
	s.tail = uint8(64 - 8*(bytes-8*(words-1)))
}

// Load writes the marking of id to packed.
func (s *Shared) Load(id Number, packed []uint64) {
	chunk, at := s.chunks[id>>s.shift], spare+int(id&(1<<s.shift-1))*s.bytes
	last := len(packed) - 1
	for i := range last {
		packed[i] = binary.LittleEndian.Uint64(chunk[at+8*i:])
	}
	packed[last] = binary.LittleEndian.Uint64(chunk[at+s.bytes-8:]) >> (s.tail & 63)
}

// Parent returns what id was first interned with. Parents are to be tracked.
func (s *Shared) Parent(id Number) Number { return s.parents[id>>s.shift][id&(1<<s.shift-1)] }

// equal reports whether the marking of id is packed.
func (s *Shared) equal(id Number, packed []uint64) bool {
	chunk, at := s.chunks[id>>s.shift], spare+int(id&(1<<s.shift-1))*s.bytes
	last := len(packed) - 1
	for i := range last {
		if binary.LittleEndian.Uint64(chunk[at+8*i:]) != packed[i] {
			return false
		}
	}
	return binary.LittleEndian.Uint64(chunk[at+s.bytes-8:])>>(s.tail&63) == packed[last]
}

// position spreads the upper bits of the hash over the slots.
func (s *Shared) position(hash uint64) uint64 {
	slot, _ := bits.Mul64(hash, s.slots)
	return slot
}

// slot returns the i-th slot of the table.
func (s *Shared) slot(i uint64) *uint32 { return &s.table[i/slotsPerChunk][i%slotsPerChunk] }

// MemoryBytes returns the space taken by markings, their parents and the table. No arena may be at
// work.
func (s *Shared) MemoryBytes() int64 {
	chunk := int64(s.bytes<<s.shift + 2*spare)
	if s.track {
		chunk += 4 << s.shift
	}
	return int64(s.used.Load())*chunk + int64(len(s.table))*tableChunk
}
