package disk

import (
	"math/bits"
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/internal/hashing"
)

// A buffer is a set of keys in a table of fixed size, found by open addressing. Sorting takes
// no further memory but for an index.
type buffer struct {
	words int
	slots uint64
	keys  []uint64 // a slot each
	used  []uint64 // a bit for each slot
	count int
	most  int // keys
	piece int // keys sorted at a time
	index []uint32
	moved []uint64
}

// newBuffer returns an empty buffer for keys of so many words, with s.slots slots for them.
func newBuffer(words int, s sizes) *buffer {
	b := &buffer{keys: make([]uint64, s.slots*words), piece: s.piece}
	b.relay(words)
	return b
}

// relay empties the buffer for keys of so many words.
func (b *buffer) relay(words int) {
	b.words, b.moved = words, make([]uint64, words)
	if least := leastSlots * words; len(b.keys) < least {
		b.keys = make([]uint64, least)
	}
	b.slots = uint64(len(b.keys) / words)
	b.used = make([]uint64, bitset.WordsFor(b.slots))
	b.most = int(b.slots / 4 * 3)
	b.count = 0
	if b.index == nil && words > 1 {
		b.index = make([]uint32, b.piece)
	}
}

// leastSlots is the fewest that a buffer has.
const leastSlots = 4

// reset empties the buffer.
func (b *buffer) reset() {
	clear(b.used)
	b.count = 0
}

// add adds keys that lie one after the other, as long as there is room, and returns the others.
func (b *buffer) add(keys []uint64) []uint64 {
	for len(keys) > 0 {
		if b.count >= b.most {
			return keys
		}
		b.addOne(keys[:b.words])
		keys = keys[b.words:]
	}
	return nil
}

// addOne adds a key, unless it is there. The caller has seen that there is room.
func (b *buffer) addOne(key []uint64) {
	hash := uint64(0)
	for _, w := range key {
		hash = hashing.Add(hash, w)
	}
	slot, _ := bits.Mul64(hash*hashing.Golden, b.slots)
	for bitset.Has(b.used, slot) {
		at := int(slot) * b.words
		if b.keys[at] == key[0] && (b.words == 1 || slices.Equal(b.keys[at:at+b.words], key)) {
			return
		}
		if slot++; slot == b.slots {
			slot = 0
		}
	}
	bitset.Add(b.used, slot)
	copy(b.keys[int(slot)*b.words:], key)
	b.count++
}

// sorted sorts the keys, and gives them as streams. The buffer is to be reset before anything
// is added, and then the streams are void.
func (b *buffer) sorted(a *account.Account) ([]*stream, error) {
	n := 0
	for i, used := range b.used {
		if err := a.Charge(64 * slotWork); err != nil {
			return nil, err
		}
		for ; used != 0; used &= used - 1 {
			slot := 64*i + bits.TrailingZeros64(used)
			if slot != n {
				copy(b.keys[n*b.words:(n+1)*b.words], b.keys[slot*b.words:])
			}
			n++
		}
	}
	var pieces []*stream
	for from := 0; from < n; from += b.piece {
		end := min(n, from+b.piece)
		keys := b.keys[from*b.words : end*b.words]
		b.sort(keys)
		if err := a.Charge((sortWork + 8*b.words) * (end - from)); err != nil {
			return nil, err
		}
		pieces = append(pieces, inMemory(b.words, keys))
	}
	return pieces, nil
}

// slotWork and sortWork are about what it costs to look at a slot, and to sort a key, in
// nanoseconds.
const (
	slotWork = 2
	sortWork = 100
)

// sort sorts as many keys as a piece has.
func (b *buffer) sort(keys []uint64) {
	if b.words == 1 {
		slices.Sort(keys)
		return
	}
	w := b.words
	index := b.index[:len(keys)/w]
	for i := range index {
		index[i] = uint32(i)
	}
	slices.SortFunc(index, func(i, j uint32) int {
		return slices.Compare(keys[int(i)*w:int(i+1)*w], keys[int(j)*w:int(j+1)*w])
	})
	// Key index[i] goes to place i: along each cycle of that, one key waits aside.
	for i := range index {
		if int(index[i]) == i {
			continue
		}
		copy(b.moved, keys[i*w:(i+1)*w])
		to := i
		for from := int(index[to]); from != i; from = int(index[to]) {
			copy(keys[to*w:(to+1)*w], keys[from*w:])
			index[to] = uint32(to)
			to = from
		}
		copy(keys[to*w:(to+1)*w], b.moved)
		index[to] = uint32(to)
	}
}
