package disk

import (
	"encoding/binary"
	"math/bits"
)

// groupWords is the number of words that share a byte; the byte says which of them
// differ.
const groupWords = 8

// appendKey appends the difference between the previous key of a block and the next one, which
// is not less. It writes the number of the first word that differs (unless keys have one word
// only), and by how much that word is larger. For the words after it, eight at a time, it
// writes which of them differ, and in which bytes.
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
	for from := first + 1; from < len(key); from += groupWords {
		group := len(block)
		block = append(block, 0)
		for i := from; i < min(len(key), from+groupWords); i++ {
			if key[i] != previous[i] {
				block[group] |= 1 << (i - from)
				block = appendDifference(block, key[i]^previous[i])
			}
		}
	}
	return block
}

// appendDifference appends which bytes are not zero, and these.
func appendDifference(block []byte, differ uint64) []byte {
	at := len(block)
	block = append(block, 0)
	for differ != 0 {
		n := uint(bits.TrailingZeros64(differ)) / 8
		block[at] |= 1 << n
		block = append(block, byte(differ>>(8*n)))
		differ &^= 0xff << (8 * n)
	}
	return block
}

// decodeKey makes the previous key of a block, zeros for the first one, the next one. It returns
// how many bytes that took, or 0 if they are none that appendKey writes.
func decodeKey(block []byte, key []uint64) int {
	if len(key) == 1 {
		more, n := binary.Uvarint(block)
		key[0] += more
		return max(n, 0)
	}
	first, at := binary.Uvarint(block)
	if at <= 0 || first >= uint64(len(key)) {
		return 0
	}
	more, n := binary.Uvarint(block[at:])
	if n <= 0 {
		return 0
	}
	at += n
	key[first] += more
	for from := int(first) + 1; from < len(key); from += groupWords {
		if at >= len(block) {
			return 0
		}
		group := block[at]
		at++
		for ; group != 0; group &= group - 1 {
			i := from + bits.TrailingZeros8(group)
			if i >= len(key) || at >= len(block) || len(block)-at <= bits.OnesCount8(block[at]) {
				return 0
			}
			set := block[at]
			at++
			for ; set != 0; set &= set - 1 {
				key[i] ^= uint64(block[at]) << (8 * bits.TrailingZeros8(set))
				at++
			}
		}
	}
	return at
}
