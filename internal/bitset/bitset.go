// Package bitset has sets of small numbers as words of 64 bits, number i being bit i%64 of
// word i/64, as valuations, marks and columns of tables keep them. In come slices that the
// callers own. Out go their elements, and keys for maps. It imports nothing of the module.
package bitset

import (
	"encoding/binary"
	"math/bits"
)

// A number is what may be in a set. It is not negative.
type number interface {
	~int | ~int32 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint
}

// WordBits is how many numbers a word holds.
const WordBits = 64

// WordsFor returns how many words hold the numbers below n.
func WordsFor[N number](n N) int { return int((n + 63) / 64) }

// Has reports whether i is in the set.
func Has[N number](words []uint64, i N) bool { return words[i/64]>>(i%64)&1 == 1 }

// Add puts i into the set.
func Add[N number](words []uint64, i N) { words[i/64] |= 1 << (i % 64) }

// Remove takes i out of the set.
func Remove[N number](words []uint64, i N) { words[i/64] &^= 1 << (i % 64) }

// Bit returns 1 if i is in the set, and 0 if not.
func Bit[N number](words []uint64, i N) uint64 { return words[i/64] >> (i % 64) & 1 }

// Put puts i into the set if bit is 1. It takes nothing out if bit is 0.
func Put[N number](words []uint64, i N, bit uint64) { words[i/64] |= bit << (i % 64) }

// Mask returns the bit of i in its word.
func Mask[N number](i N) uint64 { return 1 << (i % 64) }

// First returns the least number of the set that is not below from.
func First[N number](words []uint64, from N) (first N, some bool) {
	mask := ^uint64(0) << (from % 64)
	for w := int(from / 64); w < len(words); w++ {
		if word := words[w] & mask; word != 0 {
			return N(64*w + bits.TrailingZeros64(word)), true
		}
		mask = ^uint64(0)
	}
	return 0, false
}

// AddShifted puts the numbers of other into the set, each larger by this much, as far as the
// words go.
func AddShifted(words []uint64, by int, other []uint64) {
	shift, first := by%64, by/64
	for i, w := range other {
		if first+i < len(words) {
			words[first+i] |= w << shift
		}
		if shift > 0 && first+i+1 < len(words) {
			words[first+i+1] |= w >> (64 - shift)
		}
	}
}

// Trim takes all numbers from n on out, of words that are made for the numbers below n.
func Trim[N number](words []uint64, n N) {
	if r := n % 64; r != 0 {
		words[len(words)-1] &= 1<<r - 1
	}
}

// Key returns the words as bytes, for the key of a map: equal exactly for equal slices of words.
func Key(words []uint64) []byte {
	key := make([]byte, 0, 8*len(words))
	for _, w := range words {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	return key
}

// Numbers gives each set a number, 0 to the first, 1 to the next, and so on. The zero value has given
// none. Not safe for concurrent use.
type Numbers struct{ of map[string]uint32 }

// Of returns the number of a set, and reports whether it was given now.
func (n *Numbers) Of(words []uint64) (number uint32, fresh bool) {
	key := Key(words)
	number, known := n.of[string(key)]
	if known {
		return number, false
	}
	if n.of == nil {
		n.of = make(map[string]uint32)
	}
	number = uint32(len(n.of))
	n.of[string(key)] = number
	return number, true
}
