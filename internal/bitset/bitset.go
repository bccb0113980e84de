// Package bitset has sets of small numbers as words of 64 bits, number i being bit i%64 of
// word i/64, as valuations, marks and columns of tables keep them. What comes in are slices
// that the callers own; out go what they hold, and keys for maps. It imports nothing of the
// module.
package bitset

import "encoding/binary"

// A number is what may be in a set. It is not negative.
type number interface {
	~int | ~int32 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint
}

// WordsFor is how many words hold the numbers below n.
func WordsFor[N number](n N) int { return int((n + 63) / 64) }

// Has reports whether i is in the set.
func Has[N number](words []uint64, i N) bool { return words[i/64]>>(i%64)&1 == 1 }

// Add puts i into the set.
func Add[N number](words []uint64, i N) { words[i/64] |= 1 << (i % 64) }

// Remove takes i out of the set.
func Remove[N number](words []uint64, i N) { words[i/64] &^= 1 << (i % 64) }

// Bit is 1 if i is in the set, and 0 if not.
func Bit[N number](words []uint64, i N) uint64 { return words[i/64] >> (i % 64) & 1 }

// Put puts i into the set if bit is 1. It takes nothing out if bit is 0.
func Put[N number](words []uint64, i N, bit uint64) { words[i/64] |= bit << (i % 64) }

// Trim takes all numbers from n on out, of words that are made for the numbers below n.
func Trim[N number](words []uint64, n N) {
	if r := n % 64; r != 0 {
		words[len(words)-1] &= 1<<r - 1
	}
}

// Key is the words as bytes, for the key of a map: equal exactly for equal slices of words.
func Key(words []uint64) []byte {
	key := make([]byte, 0, 8*len(words))
	for _, w := range words {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	return key
}
