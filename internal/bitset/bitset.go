// Package bitset has sets of small numbers as words of 64 bits, number i being bit i%64 of
// word i/64, as valuations, marks and columns of tables keep them. What comes in are slices
// that the callers own; nothing is kept. Every package that packs numbers uses it; it
// imports nothing of the module.
package bitset

import "encoding/binary"

// Words is how many words a set of numbers below n has.
func Words(n int) int { return (n + 63) / 64 }

// New is the empty set of numbers below n.
func New(n int) []uint64 { return make([]uint64, Words(n)) }

// Has reports whether i is in the set.
func Has(set []uint64, i int) bool { return set[i/64]>>(i%64)&1 == 1 }

// Add puts i into the set.
func Add(set []uint64, i int) { set[i/64] |= 1 << (i % 64) }

// Remove takes i out of the set.
func Remove(set []uint64, i int) { set[i/64] &^= 1 << (i % 64) }

// Key is the words as bytes, for the key of a map: equal exactly for equal slices of words.
func Key(words []uint64) []byte {
	key := make([]byte, 0, 8*len(words))
	for _, w := range words {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	return key
}
