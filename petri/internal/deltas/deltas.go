// Package deltas writes sequences of 32-bit numbers as bytes: each as its difference to the one
// before, in groups of seven bits. In come the edges of a state, whose numbers are close to each
// other; out they go again, from a half of the space. Package petri keeps edges so where memory is
// short, and package petri/multicore while threads explore.
package deltas

// Append appends numbers to code, each as its difference to the one before, the first one as that
// to before.
//
// A difference is doubled and, if it is negative, complemented: so small ones of either sign have few
// bits, and take few bytes. 1, 1, -32 and 0 are written as 2, 2, 63 and 0.
func Append(code []byte, before uint32, numbers ...uint32) []byte {
	for _, n := range numbers {
		d := int64(n) - int64(before)
		code = AppendCount(code, uint64(d<<1^d>>63))
		before = n
	}
	return code
}

// AppendCount appends a number that is no difference.
func AppendCount(code []byte, n uint64) []byte {
	for n >= 0x80 {
		code = append(code, byte(n)|0x80)
		n >>= 7
	}
	return append(code, byte(n))
}

// Read appends the first n numbers of code, which Append has written, to numbers, and returns the
// rest of code too.
func Read(code []byte, before uint32, n int, numbers []uint32) (read []uint32, rest []byte) {
	at := 0
	for range n {
		x := uint64(code[at])
		at++
		if x >= 0x80 {
			x &= 0x7f
			for shift := 7; ; shift += 7 {
				b := uint64(code[at])
				at++
				x |= b & 0x7f << shift
				if b < 0x80 {
					break
				}
			}
		}
		before += uint32(x>>1 ^ -(x & 1))
		numbers = append(numbers, before)
	}
	return numbers, code[at:]
}

// ReadCount returns the number that AppendCount has written, and the rest of code.
func ReadCount(code []byte) (n uint64, rest []byte) {
	at := 0
	for shift := 0; ; shift += 7 {
		b := uint64(code[at])
		at++
		n |= b & 0x7f << shift
		if b < 0x80 {
			return n, code[at:]
		}
	}
}
