package automata

import (
	"math"
	"math/bits"

	"pnmc/internal/hashing"
)

// MaxPairs is the greatest number of pairs that Pairs can hold: an int counts them, which may have 32 bits.
const MaxPairs = min(math.MaxUint32-1, math.MaxInt)

// maxDirectCells bounds the table with a cell for each possible pair to 16 MiB.
const maxDirectCells = 1 << 22

// firstCells is the size of the first table, and directShare the part of all
// possible pairs that is to be there before each gets a cell.
const (
	firstCells  = 1 << 4
	directShare = 16
)

// Pairs numbers pairs of states 0, 1, 2, … in the order in which they are met.
//
// They are in an open-addressing table of numbers, at most half full, or, once many
// of the possible pairs of small automata are there, in a table with a cell for
// each. 8 bytes for each pair and 4 for each cell, no pointers.
//
// For example, two automata of 1000 states have a million pairs. Mostly few of them are met, and
// are found by hashing. If the table has to grow when a sixteenth of them is there, 62,500, it
// becomes one of a million cells, 4 MB. Hash tables would soon be as large, and finding a pair
// is one look.
type Pairs struct {
	keys   []uint64 // the pair of each number
	table  []uint32 // number + 1; 0: none
	stride uint64   // of the table with a cell for each pair; 0: hashing
	shift  uint     // 64 - log2(len(table)), hashing
	right  uint64   // states of the right automaton
	direct int      // cells of a table with one for each pair; 0: too many, or not known
}

// NewPairs returns an empty set of pairs of states of automata with that many states; 0: not known.
func NewPairs(left, right int) *Pairs {
	p := &Pairs{table: make([]uint32, firstCells), right: uint64(right)}
	p.shift = uint(64 - bits.TrailingZeros(firstCells))
	if left > 0 && right > 0 && left <= maxDirectCells/right {
		p.direct = left * right
	}
	return p
}

// Len returns the number of pairs.
func (p *Pairs) Len() int { return len(p.keys) }

// At returns the pair with number n.
func (p *Pairs) At(n uint32) (left, right State) {
	return State(p.keys[n] >> 32), State(p.keys[n])
}

// Number returns the number of a pair, which it gives to a new one, and whether it is new.
func (p *Pairs) Number(left, right State) (n uint32, isNew bool) {
	key := uint64(left)<<32 | uint64(right)
	if p.stride > 0 {
		cell := &p.table[uint64(left)*p.stride+uint64(right)]
		if *cell != 0 {
			return *cell - 1, false
		}
		p.keys = append(p.keys, key)
		*cell = uint32(len(p.keys))
		return *cell - 1, true
	}
	for at := hash(key) >> p.shift; ; at = (at + 1) & uint64(len(p.table)-1) {
		m := p.table[at]
		if m == 0 {
			p.keys = append(p.keys, key)
			p.table[at] = uint32(len(p.keys))
			if 2*len(p.keys) > len(p.table) {
				p.grow()
			}
			return uint32(len(p.keys) - 1), true
		}
		if p.keys[m-1] == key {
			return m - 1, false
		}
	}
}

// Find returns the number of a pair, if it has one. It adds nothing.
func (p *Pairs) Find(left, right State) (n uint32, known bool) {
	if p.stride > 0 {
		m := p.table[uint64(left)*p.stride+uint64(right)]
		return m - 1, m != 0
	}
	key := uint64(left)<<32 | uint64(right)
	for at := hash(key) >> p.shift; ; at = (at + 1) & uint64(len(p.table)-1) {
		m := p.table[at]
		if m == 0 || p.keys[m-1] == key {
			return m - 1, m != 0
		}
	}
}

// Growth returns by how many bytes the next pair makes the table or the list of pairs larger; mostly
// 0. So a caller can ask for room before it adds the pair.
func (p *Pairs) Growth() int {
	more := 0
	if len(p.keys) == cap(p.keys) {
		more = 10 * len(p.keys)
	}
	if p.stride == 0 && 2*(len(p.keys)+1) > len(p.table) {
		more += 8 * max(len(p.table), p.direct/2)
	}
	return more
}

// grow makes a larger table.
func (p *Pairs) grow() {
	if p.direct > 0 && len(p.keys) >= p.direct/directShare {
		p.table, p.stride = make([]uint32, p.direct), p.right
		for n, key := range p.keys {
			p.table[key>>32*p.stride+key&0xffffffff] = uint32(n + 1)
		}
		return
	}
	p.table = make([]uint32, 2*len(p.table))
	p.shift--
	for n, key := range p.keys {
		at := hash(key) >> p.shift
		for p.table[at] != 0 {
			at = (at + 1) & uint64(len(p.table)-1)
		}
		p.table[at] = uint32(n + 1)
	}
}

// hash spreads the bits of both halves of a key to the upper bits
// (multiplication by 2^64/φ after folding). It is no hashing.Add, which folds after it multiplies: the
// table looks at the upper bits alone, and those do not need that.
func hash(key uint64) uint64 {
	return (key ^ key>>29) * hashing.Golden
}
