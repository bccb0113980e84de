package disk

import (
	"encoding/binary"
	"slices"
	"sort"

	"pnmc/internal/account"
)

// A stream has keys one after the other, ascending. They are those of a run, with one block at
// a time in memory as it was written, or keys in memory.
type stream struct {
	words int
	// current is the next key, valid until the one after it, or nil if there is none.
	current []uint64
	keys    []uint64 // in memory: those after it

	run     *run // nil: there are no others
	block   int  // the next one of the run
	raw     []byte
	at, end int // in raw: what follows on the current key
	left    int // keys there
	room    []uint64
	account *account.Account
}

// inMemory returns a stream of keys that lie one after the other.
func inMemory(words int, keys []uint64) *stream {
	return &stream{words: words, current: keys[:words], keys: keys[words:]}
}

// begin begins with a run. Nothing is read yet: call fill, or find.
func (s *stream) begin(r *run) {
	if len(s.room) != r.words {
		s.room = make([]uint64, r.words)
	}
	s.words, s.run, s.current, s.block, s.left = r.words, r, nil, 0, 0
}

// over reports whether there is no key any more.
func (s *stream) over() bool { return s.current == nil }

// next goes on by a key.
func (s *stream) next() error {
	switch {
	case s.left > 0:
		return s.decode()
	case s.run != nil:
		return s.fill()
	case len(s.keys) == 0:
		s.current = nil
	default:
		s.current, s.keys = s.keys[:s.words], s.keys[s.words:]
	}
	return nil
}

// fill goes on to the first key of the next block, if there is one.
func (s *stream) fill() error {
	s.current = nil
	if s.block >= s.run.blocks() {
		return nil
	}
	var err error
	if s.raw, err = s.run.read(s.block, s.raw); err != nil {
		return err
	}
	s.at, s.end, s.left = headBytes, len(s.raw), int(binary.LittleEndian.Uint32(s.raw[4:]))
	s.block++
	clear(s.room)
	if err := s.account.Charge(s.end + readWork*s.left); err != nil {
		return err
	}
	return s.decode()
}

// decode goes on by a key in the block.
func (s *stream) decode() error {
	n := decodeKey(s.raw[s.at:s.end], s.room)
	s.at += n
	s.left--
	if n == 0 || s.left == 0 && s.at < s.end {
		return s.run.damaged(s.block - 1)
	}
	s.current = s.room
	return nil
}

// find reports whether the stream, one of a run, has a key. It goes on to there, so that keys are
// to be asked for in ascending order, and not to be taken one by one. Blocks that can't have them
// are not read.
func (s *stream) find(key []uint64) (bool, error) {
	if s.block < s.run.blocks() && slices.Compare(s.run.first(s.block), key) <= 0 {
		// The last block that begins with this key or a smaller one has it, if any has.
		left := s.run.blocks() - s.block
		s.block += sort.Search(left, func(i int) bool { return slices.Compare(s.run.first(s.block+i), key) > 0 }) - 1
		if err := s.fill(); err != nil {
			return false, err
		}
	}
	if s.current == nil {
		return false, nil
	}
	for s.left > 0 && less(s.current, key) {
		if err := s.decode(); err != nil {
			return false, err
		}
	}
	return slices.Equal(s.current, key), nil
}

// less reports whether a is smaller than b, of as many words.
func less(a, b []uint64) bool {
	if len(a) == 1 {
		return a[0] < b[0]
	}
	return slices.Compare(a, b) < 0
}
