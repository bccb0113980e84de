package walk

import "math/bits"

// wideSum is an integer of 128 bits, in two's complement. Token counts are below 2^61 and
// coefficients below 2^63, so that a product is below 2^124. In 64 bits a product could wrap
// around, and the comparison be wrong.
type wideSum struct {
	high int64
	low  uint64
}

// plus returns w + v.
func (w wideSum) plus(v wideSum) wideSum {
	low, carry := bits.Add64(w.low, v.low, 0)
	return wideSum{int64(uint64(w.high) + uint64(v.high) + carry), low}
}

// product returns a times b.
func product(a, b int64) wideSum {
	high, low := bits.Mul64(uint64(a), uint64(b))
	if a < 0 {
		high -= uint64(b)
	}
	if b < 0 {
		high -= uint64(a)
	}
	return wideSum{int64(high), low}
}

// sign returns the sign of w + constant: -1, 0 or 1.
func (w wideSum) sign(constant int64) int {
	w = w.plus(wideSum{constant >> 63, uint64(constant)})
	switch {
	case w.high < 0:
		return -1
	case w.high == 0 && w.low == 0:
		return 0
	}
	return 1
}

// clamped returns w + constant, but no number farther than far from zero.
func (w wideSum) clamped(constant int64) int64 {
	w = w.plus(wideSum{constant >> 63, uint64(constant)})
	switch {
	case w.high == 0 && w.low <= far:
		return int64(w.low)
	case w.high == -1 && w.low >= -far&(1<<64-1):
		return int64(w.low)
	case w.high < 0:
		return -far
	}
	return far
}

// exact returns w + constant, if it fits into 64 bits.
func (w wideSum) exact(constant int64) (value int64, ok bool) {
	w = w.plus(wideSum{constant >> 63, uint64(constant)})
	return int64(w.low), w.high == int64(w.low)>>63
}
