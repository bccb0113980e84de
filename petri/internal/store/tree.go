package store

import (
	"sync"
	"sync/atomic"
)

// Tree is a set of packed markings of two words or more, for one thread or several. It does not number
// them, and takes less than a Store where markings have words in common.
//
// The problem. A marking of 15 words takes 120 bytes, though a firing changes one or two of them.
//
// The idea. Pieces of markings have numbers, equal ones the same. So have pairs of numbers, which are words like
// them, and pairs of these, up to one pair for each marking (Laarman, van de Pol, Weber, "Parallel recursive state
// compression for free", SPIN 2011). A new marking mostly needs few new pairs, and the last
// pair is all that is always new. It goes to a Set, which keeps only what its position does not imply.
//
// Words are cut anew, into as many pieces of about the same length: a full word and one of a few bits would leave
// nearly all that is to be told apart in the first.
//
// For example, let markings be abcd and abce. They have the numbers 0 to 3 for a to d and 4 for e. The pair
// 0·1 for ab has the number 5, 2·3 has 6, and 2·4 has 7. The markings are the pairs 5·6 and 5·7.
//
// Which pieces and pairs make a pair depends on their number alone. So a last pair stands for
// one marking, although a pair may have the same number as a piece.
//
// Sets have keys of a fixed width. There are several, for pairs of numbers that need up to 8,
// 12, and so on up to 32 bits. A pair lies in the first that is wide enough.
type Tree struct {
	words     int
	pieces    []piece // as many as words
	mask      uint64  // of the bits of a piece
	joints    []joint
	levels    []int // where joints of a level begin: their parts are pieces, or joints of levels before
	numbering *numbering
	mutex     sync.Mutex
	sets      [len(tierBits)]*Set
	climbers  atomic.Uint32
}

// piece is where a piece of a marking begins.
type piece struct {
	word  int
	shift uint8
	over  bool // it ends in the next word
}

// joint is a pair in a tree: pieces have the numbers from 0 on, then come joints in order.
type joint struct{ left, right int }

// tierBits are the bits of a number in the keys of each set.
var tierBits = [...]uint8{8, 12, 16, 20, 24, 28, 32}

// NewTree returns an empty set for markings of so many words, 2 at least, of which so many bytes may differ from 0.
// Options say for how many threads, and how many numbers there may be.
func NewTree(words, bytes int, o Options) *Tree {
	t := &Tree{words: words, numbering: newNumbering(o.Threads)}
	if o.Most > 0 {
		t.numbering.limit(o.Most)
	}
	width := (8*bytes + words - 1) / words
	t.mask = ^uint64(0) >> (64 - width)
	for i := range words {
		first := i * width
		t.pieces = append(t.pieces, piece{first / 64, uint8(first % 64), first%64+width > 64 && first/64+1 < words})
	}
	nodes := make([]int, words) // those that wait for a partner
	for i := range nodes {
		nodes[i] = i
	}
	for len(nodes) > 1 {
		t.levels = append(t.levels, len(t.joints))
		var next []int
		for i := 0; i+1 < len(nodes); i += 2 {
			next = append(next, words+len(t.joints))
			t.joints = append(t.joints, joint{nodes[i], nodes[i+1]})
		}
		if len(nodes)%2 == 1 {
			next = append(next, nodes[len(nodes)-1])
		}
		nodes = next
	}
	return t
}

// cut writes the pieces of a marking.
func (t *Tree) cut(packed, pieces []uint64) {
	for i, p := range t.pieces {
		v := packed[p.word] >> p.shift
		if p.over {
			v |= packed[p.word+1] << (64 - p.shift)
		}
		pieces[i] = v & t.mask
	}
}

// join writes the marking that has these pieces.
func (t *Tree) join(pieces, packed []uint64) {
	clear(packed)
	for i, p := range t.pieces {
		packed[p.word] |= pieces[i] << p.shift
		if p.over {
			packed[p.word+1] |= pieces[i] >> (64 - p.shift)
		}
	}
}

// MemoryBytes returns what the tree takes. Nobody may add markings meanwhile.
func (t *Tree) MemoryBytes() int64 {
	sum := t.numbering.memoryBytes()
	for _, s := range t.sets {
		if s != nil {
			sum += s.MemoryBytes()
		}
	}
	return sum
}

// set returns the set for pairs of a tier, made when it is first asked for.
func (t *Tree) set(tier int, reserve func(bytes int) error) (*Set, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.sets[tier] == nil {
		s := NewSet(int(2 * tierBits[tier]))
		if err := reserve(int(s.MemoryBytes())); err != nil {
			return nil, err
		}
		t.sets[tier] = s
	}
	return t.sets[tier], nil
}
