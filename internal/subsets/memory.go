package subsets

import "pnmc/internal/hashing"

// Memory remembers what lay within sets that were asked about before, for one asker. A walk that goes back from dead
// ends, or begins anew, asks much again. Then one look at a table replaces hundreds.
//
// An entry has the whole set, so that a hash which two sets share does no harm. When the memory is full, all is
// forgotten, and it fills again: what was asked lately is asked the most.
//
// Where little is asked again, remembering takes a twentieth of the time of asking. So after each window that had too
// few hits it rests, for longer each time. What is remembered stays meanwhile.
type Memory struct {
	index *Index
	// entries have the number of sets that lie within, the given set in halves of words, and these sets, one entry
	// behind the other. slots has, by hash or behind, where the sets of entries begin; 0 for none.
	entries, slots []uint32
	most           int // numbers in entries

	asked, hits    int // in the present window
	rest, patience int // questions until it remembers again, and for how many it rests next
}

// What bounds a memory.
const (
	// mostRemembered is how many sets may lie within one that is remembered.
	mostRemembered = 256
	// In each window of so many questions one in leastHits has to be a hit. Else it rests, for firstRest questions at
	// first and for longestRest at most.
	window      = 1 << 11
	leastHits   = 8
	firstRest   = 1 << 11
	longestRest = 1 << 16
)

// NewMemory returns a memory of at most so many numbers of 32 bits for what is asked of an index. Its table, made with
// the first question, has less than four numbers for each entry that fits in.
func NewMemory(x *Index, most int) *Memory { return &Memory{index: x, most: most, patience: firstRest} }

// Within does what Index.Within does. What is remembered counts as one look.
func (m *Memory) Within(given []uint64, found []uint32) (_ []uint32, looks int) {
	given = given[:m.index.words]
	if m.most < m.least() {
		return m.index.Within(given, found)
	}
	if m.rest > 0 {
		m.rest--
		return m.index.Within(given, found)
	}
	if m.slots == nil {
		size := 1
		for size < 2*(m.most/m.least()) {
			size *= 2
		}
		m.slots = make([]uint32, size)
	}
	slot := m.find(given)
	at := m.slots[slot]
	m.count(at > 0)
	if at > 0 {
		first := at + uint32(2*len(given))
		return append(found, m.entries[first:first+m.entries[at-1]]...), 1
	}
	begin := len(found)
	found, looks = m.index.Within(given, found)
	m.keep(slot, given, found[begin:])
	return found, looks
}

// least is how many numbers an entry has at least.
func (m *Memory) least() int { return 1 + 2*m.index.words }

// find returns the slot of a given set, or the free one where it would be. At least half of the slots are free.
func (m *Memory) find(given []uint64) uint32 {
	h := uint64(0)
	for _, word := range given {
		h = hashing.Add(h, word)
	}
	last := uint32(len(m.slots) - 1)
next:
	for slot := hashing.Sum(h) & last; ; slot = (slot + 1) & last {
		at := m.slots[slot]
		if at == 0 {
			return slot
		}
		set := m.entries[at:][:2*len(given)]
		for i, word := range given {
			if uint64(set[2*i])|uint64(set[2*i+1])<<32 != word {
				continue next
			}
		}
		return slot
	}
}

// keep remembers what lies within a given set, whose slot is free.
func (m *Memory) keep(slot uint32, given []uint64, within []uint32) {
	size := m.least() + len(within)
	if len(within) > mostRemembered || size > m.most {
		return
	}
	if len(m.entries)+size > m.most {
		clear(m.slots)
		m.entries = m.entries[:0]
		slot = m.find(given)
	}
	m.entries = append(m.entries, uint32(len(within)))
	m.slots[slot] = uint32(len(m.entries))
	for _, word := range given {
		m.entries = append(m.entries, uint32(word), uint32(word>>32))
	}
	m.entries = append(m.entries, within...)
}

// count counts a question. At the end of a window that had too few hits the memory begins to rest.
func (m *Memory) count(hit bool) {
	if hit {
		m.hits++
	}
	if m.asked++; m.asked < window {
		return
	}
	if m.hits*leastHits < m.asked {
		m.rest = m.patience
		m.patience = min(2*m.patience, longestRest)
	} else {
		m.patience = firstRest
	}
	m.asked, m.hits = 0, 0
}
