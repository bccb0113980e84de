package disk

import (
	"slices"
	"sort"

	"pnmc/internal/account"
)

// A stream has keys one after the other, ascending: those of a run, block by block, or some in
// memory.
type stream struct {
	words   int
	keys    []uint64 // of the block at hand
	at      int      // where the next key begins; the length of keys: there is none
	run     *run     // nil: there is nothing beyond keys
	block   int      // the next one of the run
	raw     []byte
	account *account.Account
}

// begin begins with a run, of which nothing is read yet: fill is to be called, or find.
func (s *stream) begin(r *run) { s.words, s.run, s.block, s.keys, s.at = r.words, r, 0, s.keys[:0], 0 }

// over reports whether there is no key any more.
func (s *stream) over() bool { return s.at == len(s.keys) }

// key is the next key, unless the stream is over; it is valid until next or find.
func (s *stream) key() []uint64 { return s.keys[s.at : s.at+s.words] }

// next goes on by a key.
func (s *stream) next() error {
	if s.at += s.words; s.at < len(s.keys) {
		return nil
	}
	return s.fill()
}

// fill reads the next block, if there is one.
func (s *stream) fill() error {
	if s.run == nil || s.block >= s.run.blocks() {
		return nil
	}
	var err error
	if s.raw, s.keys, err = s.run.read(s.block, s.raw, s.keys[:0]); err != nil {
		return err
	}
	s.at = 0
	s.block++
	return s.account.Charge(len(s.raw) + readWork*len(s.keys))
}

// find reports whether the stream has a key. It goes on to there, so that keys are to be asked
// for in ascending order, and not to be taken one by one. Blocks that can't have them are not
// read.
func (s *stream) find(key []uint64) (bool, error) {
	if s.over() || slices.Compare(s.keys[len(s.keys)-s.words:], key) < 0 {
		s.at = len(s.keys)
		if s.run == nil {
			return false, nil
		}
		// The last block that begins with this key or a smaller one has it, if any has.
		left := s.run.blocks() - s.block
		beyond := sort.Search(left, func(i int) bool { return slices.Compare(s.run.first(s.block+i), key) > 0 })
		if beyond == 0 {
			return false, nil
		}
		s.block += beyond - 1
		if err := s.fill(); err != nil {
			return false, err
		}
	}
	s.skip(key)
	return !s.over() && slices.Equal(s.key(), key), nil
}

// skip goes on to the first key at hand that is not less than this one. Steps double, since the key is often near.
func (s *stream) skip(key []uint64) {
	left := (len(s.keys) - s.at) / s.words
	low, step := 0, 1 // keys before low are smaller
	for low+step <= left && s.less(low+step-1, key) {
		low += step
		step *= 2
	}
	high := min(left, low+step)
	low += sort.Search(high-low, func(i int) bool { return !s.less(low+i, key) })
	s.at += low * s.words
}

// less reports whether the i-th key from here is smaller than the other one.
func (s *stream) less(i int, key []uint64) bool {
	at := s.at + i*s.words
	if s.words == 1 {
		return s.keys[at] < key[0]
	}
	return slices.Compare(s.keys[at:at+s.words], key) < 0
}
