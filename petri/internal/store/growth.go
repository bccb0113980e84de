package store

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
)

// How a shared store grows. All threads meet, and do nothing else until it is done:
//
//  1. One of them calls Grow, or Widen, or both.
//  2. All call Clear for each number below Tables, and Refile for each below Chunks only when that
//     is done, each number by one thread.
//  3. When all is refiled, each calls Arena.Settle.
//
// So the old and the new table never exist together, markings are read in order, and all
// threads work on it.

// Growth returns how many bytes the table takes in addition when it grows.
func (s *Shared) Growth() int { return max(1, len(s.table)/3) * tableChunk }

// TableBytes returns the space taken by the table.
func (s *Shared) TableBytes() int { return len(s.table) * tableChunk }

// Grow makes the table, and the room for markings, larger by a third. Arenas are all there are.
// An error is ErrFull.
func (s *Shared) Grow(arenas []*Arena) error {
	count := gather(arenas)
	if most, _, err := s.plan(len(s.table), count); s.step > 0 && err == nil && int64(most)-count > s.step {
		return s.resize(len(s.table), count)
	}
	return s.resize(len(s.table)+max(1, len(s.table)/3), count)
}

// Widen makes room for markings of more bytes, with the numbers they have. Refile then has to
// know how to write them.
func (s *Shared) Widen(words, bytes int, arenas []*Arena) {
	gather(arenas)
	s.before = &Shared{chunks: s.chunks, words: s.words, bytes: s.bytes, tail: s.tail, shift: s.shift}
	s.chunks = make([][]byte, len(s.chunks))
	s.widths(words, bytes)
}

// gather publishes the markings that are there, takes back reserved room that is not used, and
// counts the markings.
func gather(arenas []*Arena) (count int64) {
	for _, a := range arenas {
		a.Publish()
		a.store.room.Add(int64(a.credit))
		a.credit = 0
		count += a.count
	}
	return count
}

// plan returns how many markings a table of so many chunks has room for, if there are count, and
// how many chunks of markings these may take. At most one chunk of each arena is not full, and no
// arena takes another chunk for a marking without room. The error is ErrFull.
func (s *Shared) plan(chunks int, count int64) (most, directory uint64, err error) {
	most = uint64(chunks) * slotsPerChunk * maxLoad / 16
	directory = most>>s.shift + uint64(s.threads)
	all := s.most >> s.shift
	if directory <= all {
		return most, directory, nil
	}
	if all > uint64(s.threads) {
		most = (all - uint64(s.threads)) << s.shift
	}
	// Without room for all arenas there would be another growth at once.
	if all <= uint64(s.threads) || int64(most)-count < int64(s.threads*credits) {
		return 0, 0, ErrFull
	}
	return most, all, nil
}

// idMask returns the bits that hold a number below n, plus one.
func idMask(n uint64) uint32 { return uint32(uint64(1)<<bits.Len64(n) - 1) }

// resize gives the table so many chunks, to be cleared and filled. It gives the store room
// for as many markings as the table then has; count of them are there. An error is ErrFull.
func (s *Shared) resize(chunks int, count int64) error {
	most, directory, err := s.plan(chunks, count)
	if err != nil {
		return err
	}
	for len(s.table) < chunks {
		s.table = append(s.table, make([]uint32, slotsPerChunk))
	}
	s.chunks = grown(s.chunks, directory)
	s.shares = grown(s.shares, directory)
	if s.track {
		s.parents = grown(s.parents, directory)
	}
	s.slots = uint64(chunks) * slotsPerChunk
	s.idMask = idMask(directory << s.shift)
	room := int64(most) - count
	if s.step > 0 {
		room = min(room, s.step)
	}
	s.room.Store(room)
	return nil
}

// grown returns old with a larger length.
func grown[T any](old []T, length uint64) []T {
	larger := make([]T, length)
	copy(larger, old)
	return larger
}

// Tables returns how many chunks of the table there are to be cleared.
func (s *Shared) Tables() int { return len(s.table) }

// Chunks returns how many chunks of markings there are to be refiled.
func (s *Shared) Chunks() int { return int(s.used.Load()) }

// Clear empties chunk i of the table.
func (s *Shared) Clear(i int) { clear(s.table[i]) }

// Refile files the markings of a chunk in the table. After Widen, convert writes a marking as it
// was as it is to be. It returns their number.
func (s *Shared) Refile(chunk int, convert func(narrow, wide []uint64)) int {
	n := int(atomic.LoadUint32(&s.shares[chunk].filled))
	if s.before != nil {
		s.convert(chunk, n, convert)
	}
	packed := make([]uint64, s.words)
	var hashes [Batch]uint64
	for first := 0; first < n; first += Batch {
		batch := hashes[:min(Batch, n-first)]
		s.hash(chunk, first, packed, batch)
		for _, h := range batch {
			atomic.LoadUint32(s.slot(s.position(h))) // cache misses overlap
		}
		for i, h := range batch {
			s.file(uint32(chunk)<<s.shift|uint32(first+i), h)
		}
	}
	return n
}

// hash writes the hashes of the markings of a chunk from first on. Packed is room for one.
func (s *Shared) hash(chunk, first int, packed, hashes []uint64) {
	if s.words == 1 {
		end := spare + (first+1)*s.bytes
		for i := range hashes {
			hashes[i] = mix(0, binary.LittleEndian.Uint64(s.chunks[chunk][end-8:])>>(s.tail&63))
			end += s.bytes
		}
		return
	}
	for i := range hashes {
		s.Load(uint32(chunk)<<s.shift|uint32(first+i), packed)
		hashes[i] = hashWords(packed)
	}
}

// file enters a number that the table does not have.
func (s *Shared) file(id Number, hash uint64) {
	slot, entry := s.position(hash), uint32(hash)&^s.idMask|(id+1)
	for {
		if e := s.slot(slot); atomic.LoadUint32(e) == 0 && atomic.CompareAndSwapUint32(e, 0, entry) {
			return
		}
		if slot++; slot == s.slots {
			slot = 0
		}
	}
}

// convert writes the n markings of a chunk anew. The bytes they had are given up.
func (s *Shared) convert(chunk, n int, convert func(narrow, wide []uint64)) {
	old := s.before
	a := Arena{store: s, chunk: uint32(chunk), bytes: make([]byte, s.bytes<<s.shift+2*spare)}
	narrow, wide := make([]uint64, old.words), make([]uint64, s.words)
	for ; a.at < uint32(n); a.at++ {
		old.Load(a.chunk<<s.shift|a.at, narrow)
		convert(narrow, wide)
		a.write(wide)
	}
	s.chunks[chunk] = a.bytes
	old.chunks[chunk] = nil
}

// Settle has the arena go on after the store has changed.
func (a *Arena) Settle() {
	if a.chunk != noChunk {
		a.bytes = a.store.chunks[a.chunk]
	}
}

// Settled ends a growth.
func (s *Shared) Settled() { s.before = nil }
