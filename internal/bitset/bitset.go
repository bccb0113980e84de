// Package bitset has sets of small numbers as words of 64 bits, number i being bit i%64 of
// word i/64, as valuations, marks and columns of tables keep them. What comes in are slices
// that the callers own; out go keys for maps, which disjunctive forms and testing automata
// use. It imports nothing of the module.
package bitset

import "encoding/binary"

// Key is the words as bytes, for the key of a map: equal exactly for equal slices of words.
func Key(words []uint64) []byte {
	key := make([]byte, 0, 8*len(words))
	for _, w := range words {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	return key
}
