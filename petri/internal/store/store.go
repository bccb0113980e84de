package store

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Number is that of a marking. A Store gives them from 0 in the order of arrival.
type Number = uint32

// Store interns packed markings: equal ones get the same number.
//
// Markings lie one after the other, each in as many bytes as it needs, in chunks that
// never move. An open-addressing table of 32-bit slots finds them. A slot holds a
// state's number plus one. The bits that numbers do not need hold a tag from the hash,
// so a marking is fetched for comparison only when it is very likely equal. The table,
// too, grows by chunks: it is cleared and filled again from the markings in order, so
// that the old and new table never exist together. A state costs its bytes plus 5 to 8.
type Store struct {
	words, bytes int
	lastMask     uint64 // of the last word: the bytes that are stored
	count        uint32
	shift        uint8    // binary logarithm of the markings in a chunk
	chunks       [][]byte // with 8 spare bytes each
	table        [][]uint32
	slots        uint64
	grow         uint32 // number of states at which the table grows
	idMask       uint32 // the bits of a slot that hold the number
	touched      byte   // keeps the loads of InternAll from being optimized away
}

const (
	// chunkBytes bounds a chunk of markings, and chunkShift the binary logarithm
	// of their number.
	chunkBytes    = 1 << 18
	chunkShift    = 14
	slotsPerChunk = 1 << 14
	tableChunk    = 4 * slotsPerChunk // bytes
	// maxLoad is the largest share of slots in use, in sixteenths.
	maxLoad = 13
	// MaxStates leaves one number free for "none". An int counts them, which may have 32 bits.
	MaxStates = min(math.MaxUint32-1, math.MaxInt)
)

// New returns an empty store for markings of so many words. So many bytes of them are stored: all
// words whole but the last one.
func New(words, bytes int) *Store {
	s := &Store{words: words, bytes: bytes, shift: chunkShiftOf(bytes)}
	s.lastMask = lastMask(words, bytes)
	s.resizeTable(1)
	return s
}

// lastMask returns which bits of the last word are stored.
func lastMask(words, bytes int) uint64 {
	if rest := bytes - 8*(words-1); rest < 8 {
		return 1<<(8*rest) - 1
	}
	return math.MaxUint64
}

// chunkShiftOf returns the binary logarithm of how many markings of so many bytes a chunk has.
func chunkShiftOf(bytes int) uint8 {
	shift := uint8(chunkShift)
	for shift > 0 && bytes > chunkBytes>>shift { // an int may have 32 bits
		shift--
	}
	return shift
}

// Len returns the number of states.
func (s *Store) Len() int { return int(s.count) }

// MemoryBytes returns the space taken by markings and table.
func (s *Store) MemoryBytes() int64 {
	return int64(len(s.chunks))*int64(s.bytes<<s.shift+8) + int64(s.TableBytes())
}

// TableBytes returns the space taken by the table.
func (s *Store) TableBytes() int { return len(s.table) * tableChunk }

// Forget frees the chunks that only have markings before number n. Those must not be loaded any
// more, and nothing may be interned from then on.
func (s *Store) Forget(n Number) {
	if chunk := n >> s.shift; chunk > 0 && chunk<<s.shift == n {
		s.chunks[chunk-1] = nil
	}
}

// ForgetTable gives up what finds markings: nothing is to be interned any more.
func (s *Store) ForgetTable() { s.table = nil }

// Drain calls visit with all markings in the order of their numbers, and forgets them. It ends
// with the first error.
func (s *Store) Drain(visit func(id Number, packed []uint64) error) error {
	packed := make([]uint64, s.words)
	for id := range s.count {
		s.Load(id, packed)
		if err := visit(id, packed); err != nil {
			return err
		}
		s.Forget(id + 1)
	}
	return nil
}

// Load writes the marking of id to packed.
func (s *Store) Load(id Number, packed []uint64) {
	chunk, at := s.chunks[id>>s.shift], int(id&(1<<s.shift-1))*s.bytes
	if s.words == 1 {
		packed[0] = binary.LittleEndian.Uint64(chunk[at:]) & s.lastMask
		return
	}
	for i := range packed {
		packed[i] = binary.LittleEndian.Uint64(chunk[at+8*i:])
	}
	packed[len(packed)-1] &= s.lastMask
}

// Intern returns the number of packed, new or not.
func (s *Store) Intern(packed []uint64) (id Number, isNew bool) {
	return s.intern(packed, hashWords(packed))
}

// intern interns a marking whose hash is known. When all numbers are in
// use, it panics: callers keep count.
func (s *Store) intern(packed []uint64, hash uint64) (Number, bool) {
	slot, tag := s.position(hash), uint32(hash)&^s.idMask
	for {
		e := &s.table[slot/slotsPerChunk][slot%slotsPerChunk]
		if *e == 0 {
			return s.insert(e, packed, tag), true
		}
		if *e&^s.idMask == tag {
			if id := *e&s.idMask - 1; s.equal(id, packed) {
				return id, false
			}
		}
		if slot++; slot == s.slots {
			slot = 0
		}
	}
}

// position spreads the upper bits of the hash over the slots.
func (s *Store) position(hash uint64) uint64 {
	slot, _ := bits.Mul64(hash, s.slots)
	return slot
}

// Batch is how many markings InternAll looks up at a time.
const Batch = 128

// InternAll interns the markings that lie one after the other in packed and writes
// their numbers to ids. It first touches the slots of a batch, then the markings that
// these point to, and only then decides. So the cache misses of a batch overlap instead
// of waiting for each other.
func (s *Store) InternAll(packed []uint64, ids []Number) {
	var hashes [Batch]uint64
	for len(ids) > 0 {
		n := min(len(ids), Batch)
		for i := range n {
			h := hashWords(packed[i*s.words : (i+1)*s.words])
			hashes[i] = h
			slot := s.position(h)
			ids[i] = s.table[slot/slotsPerChunk][slot%slotsPerChunk]
		}
		touched := byte(0)
		for i := range n {
			if e := ids[i]; e != 0 && e&^s.idMask == uint32(hashes[i])&^s.idMask {
				id := e&s.idMask - 1
				touched += s.chunks[id>>s.shift][int(id&(1<<s.shift-1))*s.bytes]
			}
		}
		s.touched = touched
		for i := range n {
			ids[i], _ = s.intern(packed[i*s.words:(i+1)*s.words], hashes[i])
		}
		packed, ids = packed[n*s.words:], ids[n:]
	}
}

// Growth returns how many bytes the table takes in addition once so many markings more are
// there, if all are new.
func (s *Store) Growth(markings int) int {
	if uint64(s.count)+uint64(markings) < uint64(s.grow) {
		return 0
	}
	return max(1, len(s.table)/3) * tableChunk
}

// insert gives packed the next number, and writes it with its tag to the free slot e. The table may
// grow, and e is void then.
func (s *Store) insert(e *uint32, packed []uint64, tag uint32) Number {
	id := s.count
	s.count++
	*e = tag | (id + 1)
	if id&(1<<s.shift-1) == 0 {
		s.chunks = append(s.chunks, make([]byte, s.bytes<<s.shift+8))
	}
	chunk, at := s.chunks[id>>s.shift], int(id&(1<<s.shift-1))*s.bytes
	last := len(packed) - 1
	for i := range last {
		binary.LittleEndian.PutUint64(chunk[at+8*i:], packed[i])
	}
	// The bytes beyond belong to the next state, which is not there yet.
	binary.LittleEndian.PutUint64(chunk[at+8*last:], packed[last])
	if s.count >= s.grow {
		s.resizeTable(len(s.table) + max(1, len(s.table)/3))
	}
	return id
}

// equal reports whether the marking of id is packed.
func (s *Store) equal(id Number, packed []uint64) bool {
	chunk, at := s.chunks[id>>s.shift], int(id&(1<<s.shift-1))*s.bytes
	if len(packed) == 1 {
		return binary.LittleEndian.Uint64(chunk[at:])&s.lastMask == packed[0]
	}
	last := len(packed) - 1
	for i := range last {
		if binary.LittleEndian.Uint64(chunk[at+8*i:]) != packed[i] {
			return false
		}
	}
	return binary.LittleEndian.Uint64(chunk[at+8*last:])&s.lastMask == packed[last]
}

// resizeTable gives the table that many chunks and files all states anew.
func (s *Store) resizeTable(chunks int) {
	for _, c := range s.table {
		clear(c)
	}
	for len(s.table) < chunks {
		s.table = append(s.table, make([]uint32, slotsPerChunk))
	}
	s.slots = uint64(len(s.table)) * slotsPerChunk
	s.grow = uint32(min(s.slots*maxLoad/16, MaxStates))
	s.idMask = 1<<bits.Len64(s.slots*maxLoad/16+1) - 1
	packed := make([]uint64, s.words)
	var hashes [Batch]uint64
	touched := byte(0)
	for done := uint64(0); done < uint64(s.count); done += Batch {
		first := uint32(done)
		n := min(Batch, s.count-first)
		for i := range n { // slots are touched before any is filled: cache misses overlap
			s.Load(first+i, packed)
			hashes[i] = hashWords(packed)
			slot := s.position(hashes[i])
			touched += byte(s.table[slot/slotsPerChunk][slot%slotsPerChunk])
		}
		for i := range n {
			s.file(first+i, hashes[i])
		}
	}
	s.touched = touched
}

// file enters a number that the table does not have.
func (s *Store) file(id Number, hash uint64) {
	slot := s.position(hash)
	for s.table[slot/slotsPerChunk][slot%slotsPerChunk] != 0 {
		if slot++; slot == s.slots {
			slot = 0
		}
	}
	s.table[slot/slotsPerChunk][slot%slotsPerChunk] = uint32(hash)&^s.idMask | (id + 1)
}

// hashWords mixes all bits of packed into all bits of the result.
func hashWords(packed []uint64) uint64 {
	h := uint64(0)
	for _, w := range packed {
		h = mix(h, w)
	}
	return h
}

// mix mixes all bits of h and w into all bits of the result (the finalizer of SplitMix64).
func mix(h, w uint64) uint64 {
	h = (bits.RotateLeft64(h, 29) ^ w) * 0xbf58476d1ce4e5b9
	h ^= h >> 29
	h *= 0x94d049bb133111eb
	return h ^ h>>32
}
