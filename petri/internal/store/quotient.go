package store

import "math/bits"

// quotient is a table of keys that it can be asked for, and nothing else. Not safe for
// concurrent use.
//
// The problem. A table of 2^20 slots for keys of 33 bits has keys of which 20 bits say where they
// belong. To write these bits into the slot as well is a waste.
//
// The idea. A slot holds only the rest of the key, as the position implies the quotient (Cleary,
// "Compact hash tables using bidirectional linear probing", 1984; Darragh, Cleary, Witten, "Bonsai:
// a compact representation of trees", 1993). Keys are fractions: 64 bits after the point, of which
// the first few are used. A key times the number of homes has its home before the point. What
// lies behind it tells keys of one home apart; the bits that are needed for that are the rest.
// So the number of homes need not be a power of two, and the table grows by a quarter.
//
// A key lies at its home, or at one of the 30 slots after it. A slot holds the distance from the home
// plus one, in five bits, and then the complement of the rest. 0 is an empty slot. Keys lie in
// ascending order, as close to their homes as that allows (Amble, Knuth, "Ordered hash tables", 1974;
// Celis, "Robin Hood hashing", 1986). As distance and complement descend, one comparison of a slot
// with what it would hold tells whether the key lies further on, here, or nowhere.
//
// A key for which 31 slots are full of smaller ones is lost: a map has it. The slots stay so, for
// keys are never removed. So whoever looks for the key comes past the last of the 31, and looks there.
// Of random keys that is about one of ten thousand. Callers have to mix theirs.
//
// For example, let keys have 4 bits, and let there be 4 homes. The keys .0110 and .0111 have the home 1
// and the rests 10 and 11. The slots 1 and 2 hold (1, 01) and (2, 00). The key .0101 comes before
// them: slot 1 has (1, 01), and its rest has the complement 10. So it goes to slot 1, and both move on.
//
// Growing. The order makes it possible in place, from the last slot to the first: a key never goes to a
// smaller slot, and a row of full slots ends before the next row begins, also in the larger
// table (spread has the proof). When the number of homes has passed a power of two, the rests need
// a bit less, and slots move together, from the first to the last (narrow).
type quotient struct {
	// What is written for each new key comes first, so that it is in one cache line with the lock of a stripe.
	count uint64
	most  uint64 // keys there may be before the table has to grow
	homes uint64
	pages []*page
	lost  map[uint64]struct{}

	perPage uint64
	inverse uint64 // 2^64/perPage, rounded up
	bits    uint8  // of a key
	shift   uint8  // by this much what is behind the point is shifted to get the rest
	rest    uint8  // bits of a rest
	width   uint8  // bits of a slot
}

// page has slots one after the other, some in two words. The last word is spare, as two are read at a time.
// Words are read and written whole, so that what was just written need not reach the cache first.
type page [pageWords]uint64

const (
	pageWords = 1 << 9
	pageBytes = 8 * pageWords
	pageBits  = 64 * (pageWords - 1)
	// distanceBits hold a distance plus one.
	distanceBits = 5
	// farthest is the largest distance from the home. So many slots are behind the last
	// home, and one that is looked at only.
	farthest = 1<<distanceBits - 2
	// widest is the most bits of a slot: it is compared with numbers of one bit more.
	widest = 63
	// lostBytes is about what a lost key takes.
	lostBytes = 64
)

// newQuotient returns an empty table for keys of 1 to 64 bits.
func newQuotient(keyBits int) *quotient {
	q := new(quotient)
	q.begin(keyBits)
	return q
}

// begin makes q an empty table for keys of 1 to 64 bits.
func (q *quotient) begin(keyBits int) {
	q.bits = uint8(keyBits)
	for pages := 1; ; pages *= 2 {
		for homesBits := min(keyBits, 16); homesBits >= 0; homesBits-- {
			q.layOut(uint8(64 - keyBits + homesBits))
			if homes := q.homesOn(pages); q.width <= widest && q.shiftFor(homes) == q.shift {
				for range pages {
					q.pages = append(q.pages, new(page))
				}
				q.settle(homes)
				return
			}
		}
	}
}

// layOut gives slots the width that belongs to a shift.
func (q *quotient) layOut(shift uint8) {
	q.shift, q.rest = shift, 64-shift
	q.width = q.rest + distanceBits
	q.perPage = pageBits / uint64(q.width)
	q.inverse = ^uint64(0)/q.perPage + 1
}

// homesOn returns how many homes there are on so many pages.
func (q *quotient) homesOn(pages int) uint64 { return uint64(pages)*q.perPage - farthest - 1 }

// shiftFor returns the largest shift that still tells keys of a home apart: multiplied by the number of
// homes, they differ by that number, times what the last bit of a key stands for.
func (q *quotient) shiftFor(homes uint64) uint8 {
	return uint8(min(64, 64-int(q.bits)+bits.Len64(homes)-1))
}

// settle sets the number of homes.
func (q *quotient) settle(homes uint64) {
	q.homes, q.most = homes, homes-homes/8
}

// bytes returns what the table takes.
func (q *quotient) bytes() int64 {
	return int64(len(q.pages))*(pageBytes+8) + int64(len(q.lost))*lostBytes
}

// full reports whether the table has to grow before it takes another key.
func (q *quotient) full() bool { return q.count >= q.most }

// growth returns how many pages more the table needs for a quarter more homes. There may be room for
// them after slots have moved together.
func (q *quotient) growth() int {
	slots := q.homes + q.homes/4 + farthest + 1
	return max(0, int((slots+q.perPage-1)/q.perPage)-len(q.pages))
}

// find returns the page of slot i, and the bit there with which it begins.
func (q *quotient) find(i uint64) (p, at uint64) {
	p, _ = bits.Mul64(i, q.inverse)
	return p, (i - p*q.perPage) * uint64(q.width)
}

// touch reads a word of the home of a key, so that it is close when insert is called.
func (q *quotient) touch(key uint64) uint64 {
	home, _ := bits.Mul64(key, q.homes)
	p, at := q.find(home)
	return q.pages[p][at/64]
}

// insert reports whether a key is new, and puts it in. The table must not be full.
func (q *quotient) insert(key uint64) bool {
	home, behind := bits.Mul64(key, q.homes)
	p, at := q.find(home)
	next := uint64(1) << q.rest // a distance of one more
	wanted := next | ^behind>>q.shift
	width, end, mask := uint64(q.width), q.perPage*uint64(q.width), uint64(1)<<q.width-1
	slots := q.pages[p]
	found := slots.load(at) & mask
	for found > wanted {
		wanted += next
		if at += width; at == end {
			p, at = p+1, 0
			slots = q.pages[p]
		}
		found = slots.load(at) & mask
	}
	if found == wanted {
		return false
	}
	distance := wanted>>q.rest - 1
	if distance > farthest {
		return q.lose(key)
	}
	q.count++
	if far, evicted := q.push(p, at, wanted); far > 0 {
		// Its slot is as far behind this one as there were others moved.
		q.count--
		q.lose(q.key(home+distance+far-1, evicted))
	}
	return true
}

// push puts v into a slot, and what was there into the next one, a distance of one more from home, and so on, up to
// an empty slot. If one of them comes too far from home, it is returned as it was, with how many slots
// were written, and those behind it stay.
func (q *quotient) push(p, at, v uint64) (far, evicted uint64) {
	width, end, mask := uint64(q.width), q.perPage*uint64(q.width), uint64(1)<<q.width-1
	next, limit := uint64(1)<<q.rest, uint64(farthest+2)<<q.rest
	for written := uint64(1); ; p, at = p+1, 0 {
		slots := q.pages[p]
		word, shift := at/64, at%64
		old := slots[word]
		now := old & (1<<shift - 1) // what the word is to be, below shift
		for ; at < end; at += width {
			after := slots[word+1]
			found := (old>>shift | after<<1<<(63-shift)) & mask
			now |= v << shift
			if shift += width; shift >= 64 {
				slots[word] = now
				now = v >> (64 + width - shift)
				shift -= 64
				word++
				old = after
			}
			if v = found + next; found == 0 || v >= limit {
				slots[word] = now | old&^(1<<shift-1)
				if found == 0 {
					return 0, 0
				}
				return written, found
			}
			written++
		}
		slots[word] = now | old&^(1<<shift-1)
	}
}

// lose puts a key for which there is no slot into the map. It reports whether it is new there.
func (q *quotient) lose(key uint64) bool {
	if _, known := q.lost[key]; known {
		return false
	}
	if q.lost == nil {
		q.lost = map[uint64]struct{}{}
	}
	q.lost[key] = struct{}{}
	q.count++
	return true
}

// key returns the key that slot i holds as found: the only one whose product with the number of homes has the
// home before the point and, behind it, begins with the rest.
func (q *quotient) key(i, found uint64) uint64 {
	home := i - (found>>q.rest - 1)
	behind := ^found & (1<<q.rest - 1) << q.shift
	key, remainder := bits.Div64(home, behind, q.homes)
	if remainder > 0 {
		key++
	}
	last := uint64(1) << (64 - q.bits) // what the last bit of a key stands for
	return (key + last - 1) &^ (last - 1)
}

// grow adds pages to the table. Row is room that is given back, perhaps with more.
func (q *quotient) grow(row []uint64) []uint64 {
	for range q.growth() {
		q.pages = append(q.pages, new(page))
	}
	row = q.spread(q.homesOn(len(q.pages)), row)
	for shift := q.shiftFor(q.homes); q.shift < shift; {
		q.narrow()
	}
	return row
}

// spread gives the table more homes, on the pages that it has.
//
// Let the homes become s times as many, s ≥ 1. A key x is a real number hx of homes from the
// beginning, and its home is that rounded down. Its slot pos(x) is the home of some key z, x or before
// it, plus the number of keys after z up to x. Homes only grow, so no key comes to lie before
// the first slot of its row. Let x be the last of a row, and y the first of the next: pos(y) is its home,
// and at least pos(x)+2. In the larger table x comes to the slot home'(z)+n for some z, and
//
//	home'(z)+n ≤ s·hz+n < s·(pos(x)-n+1)+n ≤ s·(pos(x)+1) ≤ s·(home(y)-1) ≤ s·home(y)-1 < home'(y).
//
// So rows stay apart, and may be moved one after the other, the last one first.
func (q *quotient) spread(homes uint64, row []uint64) []uint64 {
	lost := q.lost
	q.lost = nil
	q.count -= uint64(len(lost))
	row = row[:0] // the last key first
	width, mask := uint64(q.width), uint64(1)<<q.width-1
	i := q.homes + farthest + 1
	p, at := q.find(i)
	for ; i > 0; i-- {
		if at == 0 {
			p, at = p-1, q.perPage*width
		}
		at -= width
		found := q.pages[p].load(at) & mask
		if found > 0 {
			row = append(row, q.key(i-1, found))
			q.pages[p].store(at, mask, 0)
		} else if len(row) > 0 {
			q.place(row, homes)
			row = row[:0]
		}
	}
	q.place(row, homes)
	q.settle(homes)
	for key := range lost {
		q.insert(key)
	}
	return row
}

// place puts a row of keys, the last one first, where it belongs among so many homes.
func (q *quotient) place(row []uint64, homes uint64) {
	free := uint64(0)
	for k := len(row) - 1; k >= 0; k-- {
		home, behind := bits.Mul64(row[k], homes)
		i := max(home, free)
		if i-home > farthest {
			q.count--
			q.lose(row[k])
			continue
		}
		q.setSlot(i, (i-home+1)<<q.rest|^behind>>q.shift)
		free = i + 1
	}
}

// narrow takes a bit from the rests: the last one, which tells no keys apart any more.
func (q *quotient) narrow() {
	slots := q.homes + farthest + 1
	old := *q
	q.layOut(q.shift + 1)
	for i := range slots { // a slot ends where it ended before, or earlier
		found := old.slot(i)
		q.setSlot(i, found>>1)
	}
	for i := slots; i < uint64(len(q.pages))*q.perPage; i++ {
		q.setSlot(i, 0)
	}
}

// slot returns what slot i holds.
func (q *quotient) slot(i uint64) uint64 {
	p, at := q.find(i)
	return q.pages[p].load(at) & (1<<q.width - 1)
}

// setSlot has slot i hold v.
func (q *quotient) setSlot(i, v uint64) {
	p, at := q.find(i)
	q.pages[p].store(at, 1<<q.width-1, v)
}

// load returns the bits from at on, 64 of them.
func (p *page) load(at uint64) uint64 {
	word, shift := at/64, at%64
	return p[word]>>shift | p[word+1]<<1<<(63-shift)
}

// store writes v to the bits from at on that mask covers.
func (p *page) store(at, mask, v uint64) {
	word, shift := at/64, at%64
	p[word] = p[word]&^(mask<<shift) | v<<shift
	p[word+1] = p[word+1]&^(mask>>1>>(63-shift)) | v>>1>>(63-shift)
}
