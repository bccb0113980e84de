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

// Key is the words as bytes, for the key of a map: equal exactly for equal slices of words.
func Key(words []uint64) []byte {
	key := make([]byte, 0, 8*len(words))
	for _, w := range words {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	return key
}
