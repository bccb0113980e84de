package store

import (
	"encoding/binary"
	"sync/atomic"
)

// Arena is what a thread has of a Shared store: the chunks that it fills. Not safe for concurrent
// use.
type Arena struct {
	_       [cacheLine]byte
	store   *Shared
	chunk   uint32 // that is being filled
	at      uint32 // markings there
	bytes   []byte // of the chunk
	parents []Number
	credit  int   // markings there is room for, that nobody else counts on
	count   int64 // markings that it has interned first
	own     []uint32
	head    int    // own chunks before it have nothing to claim any more
	victim  uint32 // the chunk of another that something was claimed from last
	touched byte   // keeps loads from being optimized away
	yield   func() // nil but in tests: lets other threads go on
	hashes  [Batch]uint64
	_       [cacheLine]byte
}

// NewArena returns a further one of s; there may be as many as NewShared was told. Yield, unless nil, is
// called where another thread may come between.
func (s *Shared) NewArena(yield func()) *Arena {
	return &Arena{store: s, chunk: noChunk, at: 1 << s.shift, yield: yield}
}

// noChunk is the number of none.
const noChunk = 1<<32 - 1

// Count returns how many markings this arena was the first to intern.
func (a *Arena) Count() int64 { return a.count }

// Reserve reports whether there is room for n more markings, Batch at most. If not, the table is
// to grow.
func (a *Arena) Reserve(n int) bool {
	if a.credit >= n {
		return true
	}
	more := credits
	if a.store.step > 0 {
		more = n // what others reserve is small, too
	}
	if a.store.room.Add(int64(-more)) < 0 {
		a.store.room.Add(int64(more))
		return false
	}
	a.credit += more
	return true
}

// InternAll interns the markings that lie one after the other in packed, Batch at most, for which
// Reserve has found room. It writes their numbers to ids. If parents are tracked, from has
// theirs.
func (a *Arena) InternAll(packed []uint64, from, ids []Number) {
	words := a.store.words
	for i := range ids {
		a.hashes[i] = hashWords(packed[i*words : (i+1)*words])
	}
	a.InternHashed(packed, from, a.hashes[:], ids)
}

// InternHashed interns markings that were sifted. Hashes has theirs. As in Store,
// cache misses overlap: slots are touched first, then the markings that these tell of.
func (a *Arena) InternHashed(packed []uint64, from []Number, hashes []uint64, ids []Number) {
	s := a.store
	words, mask := s.words, s.idMask
	n := len(ids)
	hashes = hashes[:n]
	for i, h := range hashes {
		ids[i] = atomic.LoadUint32(s.slot(s.position(h)))
	}
	touched := byte(0)
	for i := range n {
		if e := ids[i]; e != 0 && e&^mask == uint32(hashes[i])&^mask {
			id := e&mask - 1
			touched += s.chunks[id>>s.shift][spare+int(id&(1<<s.shift-1))*s.bytes]
		}
	}
	a.touched = touched
	parent := Number(0)
	for i := range n {
		if s.track {
			parent = from[i]
		}
		ids[i] = a.intern(packed[i*words:(i+1)*words], parent, hashes[i])
	}
}

// intern returns the number of packed, which has that hash.
func (a *Arena) intern(packed []uint64, parent Number, hash uint64) Number {
	s := a.store
	slot, tag := s.position(hash), uint32(hash)&^s.idMask
	for {
		e := s.slot(slot)
		found := atomic.LoadUint32(e)
		if found == 0 {
			if a.at == 1<<s.shift {
				a.takeChunk()
			}
			a.write(packed)
			if s.track {
				a.parents[a.at] = parent
			}
			id := a.chunk<<s.shift | a.at
			if a.yield != nil {
				a.yield()
			}
			if atomic.CompareAndSwapUint32(e, 0, tag|(id+1)) {
				a.at++
				a.count++
				a.credit--
				return id
			}
			// Another was faster, perhaps with the same marking. The position is free again.
			found = atomic.LoadUint32(e)
		}
		if found&^s.idMask == tag {
			if id := found&s.idMask - 1; s.equal(id, packed) {
				return id
			}
		}
		if slot++; slot == s.slots {
			slot = 0
		}
	}
}

// write writes packed to the next position of the chunk.
func (a *Arena) write(packed []uint64) {
	at := spare + int(a.at)*a.store.bytes
	for i, w := range packed {
		binary.LittleEndian.PutUint64(a.bytes[at+8*i:], w)
	}
}

// takeChunk begins another chunk. There is room for its number: see Shared.resize.
func (a *Arena) takeChunk() {
	s := a.store
	a.Publish()
	a.chunk, a.at = s.used.Add(1)-1, 0
	a.bytes = make([]byte, s.bytes<<s.shift+2*spare)
	s.chunks[a.chunk] = a.bytes
	if s.track {
		a.parents = make([]Number, 1<<s.shift)
		s.parents[a.chunk] = a.parents
	}
	a.own = append(a.own, a.chunk)
}

// Numbers calls yield with the numbers of the markings that the arena was the first to intern.
func (a *Arena) Numbers(yield func(Number) bool) {
	for _, c := range a.own {
		n := Number(1) << a.store.shift
		if c == a.chunk {
			n = a.at
		}
		for i := range n {
			if !yield(c<<a.store.shift | i) {
				return
			}
		}
	}
}
