// Package hashing mixes numbers into hashes for tables that compare in full what they find. In
// come numbers of 64 bits, out come hashes that are the same in each run. It imports nothing of
// the module; the store of markings, whose hash is all bits of long keys, has one of its own.
package hashing

// Golden is 2^64 divided by the golden ratio. A number times Golden differs in its upper bits
// where the number differs in any (Knuth, The Art of Computer Programming, vol. 3, section 6.4).
const Golden = 0x9e3779b97f4a7c15

// Multiplier and second are the multipliers of the finalizer of MurmurHash3, by Austin Appleby.
const (
	Multiplier = 0xff51afd7ed558ccd
	second     = 0xc4ceb9fe1a85ec53
)

// Add returns h with x mixed in. Numbers that differ in a few bits only do not cancel each other.
func Add(h, x uint64) uint64 {
	h = (h ^ x) * Multiplier
	return h ^ h>>29
}

// Sum returns 32 bits of what has been added to h.
func Sum(h uint64) uint32 { return uint32(h * second >> 32) }

// Numbers returns the hash of a list.
func Numbers[N ~int64](list []N) uint64 {
	h := uint64(len(list)) * Golden
	for _, n := range list {
		h = Add(h, uint64(n))
	}
	return h
}

// Mix returns a number each bit of which depends on all bits of x, so that sums of what it returns tell
// multisets apart (the finalizer of SplitMix64).
func Mix(x uint64) uint64 {
	x += Golden
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
