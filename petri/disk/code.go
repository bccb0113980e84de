package disk

import (
	"encoding/binary"
	"math/bits"
)

// appendKey appends what leads from the previous key of a block to the next one, which is not
// less: the number of the first word that differs, unless keys have one word only, by how much
// it is larger, and of each word after it the bytes that differ.
func appendKey(block []byte, previous, key []uint64) []byte {
	if len(key) == 1 {
		return binary.AppendUvarint(block, key[0]-previous[0])
	}
	first := 0
	for first < len(key)-1 && key[first] == previous[first] {
		first++
	}
	block = binary.AppendUvarint(block, uint64(first))
	block = binary.AppendUvarint(block, key[first]-previous[first])
	for i := first + 1; i < len(key); i++ {
		differ := key[i] ^ previous[i]
		at := len(block)
		block = append(block, 0)
		for differ != 0 {
			n := uint(bits.TrailingZeros64(differ)) / 8
			block[at] |= 1 << n
			block = append(block, byte(differ>>(8*n)))
			differ &^= 0xff << (8 * n)
		}
	}
	return block
}

// decode appends so many keys of a block to keys, the first of which follows on a key of zeros.
// It reports false if these are not just what the block has.
func decode(block []byte, count, words int, keys []uint64) ([]uint64, bool) {
	if words == 1 {
		return decodeSingle(block, count, keys)
	}
	start := len(keys)
	for range count {
		at := len(keys)
		if at == start {
			for range words {
				keys = append(keys, 0)
			}
		} else {
			keys = append(keys, keys[at-words:at]...)
		}
		key := keys[at:]
		first, n := binary.Uvarint(block)
		if n <= 0 || first >= uint64(words) {
			return keys, false
		}
		block = block[n:]
		more, n := binary.Uvarint(block)
		if n <= 0 {
			return keys, false
		}
		block = block[n:]
		key[first] += more
		for i := first + 1; i < uint64(words); i++ {
			if len(block) == 0 || len(block) <= bits.OnesCount8(block[0]) {
				return keys, false
			}
			differ, set := uint64(0), block[0]
			for block = block[1:]; set != 0; set &= set - 1 {
				differ |= uint64(block[0]) << (8 * bits.TrailingZeros8(set))
				block = block[1:]
			}
			key[i] ^= differ
		}
	}
	return keys, len(block) == 0
}

// decodeSingle is decode of keys of one word.
func decodeSingle(block []byte, count int, keys []uint64) ([]uint64, bool) {
	key := uint64(0)
	for range count {
		more, n := binary.Uvarint(block)
		if n <= 0 {
			return keys, false
		}
		block = block[n:]
		key += more
		keys = append(keys, key)
	}
	return keys, len(block) == 0
}
