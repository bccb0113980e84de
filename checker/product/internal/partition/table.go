package partition

import (
	"math/bits"
	"sync/atomic"

	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
	"pnmc/petri"
)

// Sets has the product states that threads have met, and which of them are known to belong
// together. States are numbered as states.Numbering does it, by blocks of neighbouring graph
// states with the same automaton state. But here the number of a state follows from its place:
// that of its block, and its position there. So none is given twice, and threads need not agree on
// an order.
//
// A block is made by the thread that first needs it. It claims the block's place in the directory
// by compare-and-swap; who loses keeps the block for the next time. Blocks never move.
//
// A testing automaton gets more states while the product is explored. Those beyond the first ones have
// directories of their own, each for twice as many as the one before.
type Sets struct {
	states    uint32 // of the automaton that the first directory has
	directory directory
	further   [33]atomic.Pointer[directory]
	chunks    [pages]atomic.Pointer[chunk]
	used      atomic.Uint32 // blocks that some thread has; block 0 is nobody's, so that 0 is no number
	records   [recordChunks]atomic.Pointer[[chunkRecords]record]
	recorded  atomic.Uint32 // records that some thread has; record 0 is nobody's
	unpaid    atomic.Int64  // bytes of records that are not charged yet
	yield     func()        // nil but in tests: lets other threads go on
}

// directory has the blocks of some automaton states, by pages of graph states.
type directory [pages]atomic.Pointer[[]uint32]

// A Number is that of a product state, 1 or more.
type Number = uint32

// chunk is some blocks. A state is a word, which is read and written atomically. All zero it is a set of its own
// that nobody has met (sets.go).
type chunk struct {
	words [chunkNodes]uint64
	of    [chunkNodes / blockStates]origin // of each block; written before the block is published
}

// origin is which pairs a block has.
type origin struct{ first, q uint32 }

const (
	blockShift  = 6
	blockStates = 1 << blockShift // graph states of a block
	chunkShift  = 16
	chunkNodes  = 1 << chunkShift
	pageShift   = 16 // graph states of a page of the directory
	pages       = 1 << 16
	mostBlocks  = pages*chunkNodes/blockStates - 1 // whose numbers have 32 bits

	recordShift  = 14
	chunkRecords = 1 << recordShift
	recordBytes  = 16
	recordChunks = (recorded + 1) >> recordShift
	// looksEach is how many states of a thread come to one look at what room there is.
	looksEach = 16
	// mostRecords leaves room for what threads need before they look again: of 28 threads, 37,449 for the edges of each state.
	mostRecords = recorded - 1<<24
)

// New returns the sets of a product with an automaton of so many states, all of them single and
// unmet. The automaton may get more states. Yield, unless nil, is called where another thread may come
// between.
func New(automatonStates uint32, yield func()) *Sets {
	s := &Sets{states: max(1, automatonStates), yield: yield}
	s.used.Store(1)
	s.recorded.Store(1)
	return s
}

// Finder is what a thread has to find numbers.
type Finder struct {
	*Sets
	Account *account.Account
	spare   uint32 // a block without a place, or 0
	asked   uint32 // how often it was asked whether there is room
}

// Number returns the number of (s, q), met or not. An error is that of the account, or
// states.ErrTooMany.
func (f *Finder) Number(s petri.StateID, q uint32) (Number, error) {
	if q < f.states {
		if page := f.directory[s>>pageShift].Load(); page != nil {
			at := int(s&(1<<pageShift-1)>>blockShift)*int(f.states) + int(q)
			if b := atomic.LoadUint32(&(*page)[at]); b != 0 {
				return b<<blockShift | s&(blockStates-1), nil
			}
		}
	} else if n := f.Find(states.Pair{S: s, Q: q}); n != 0 {
		return n, nil
	}
	return f.place(s, q)
}

// Find returns the number of a product state, or 0 if it has none yet.
func (s *Sets) Find(p states.Pair) Number {
	entry, first, count := s.entryOf(p)
	if entry == nil {
		return 0
	}
	if page := entry.Load(); page != nil {
		if b := atomic.LoadUint32(slot(*page, p, first, count)); b != 0 {
			return b<<blockShift | p.S&(blockStates-1)
		}
	}
	return 0
}

// entryOf returns where the page of a product state lies, which has so many automaton states from the
// first one on. Nil: there is no directory for it yet.
func (s *Sets) entryOf(p states.Pair) (entry *atomic.Pointer[[]uint32], first, count uint32) {
	if p.Q < s.states {
		return &s.directory[p.S>>pageShift], 0, s.states
	}
	i := bits.Len32(p.Q / s.states)
	first = s.states << (i - 1)
	if d := s.further[i].Load(); d != nil {
		entry = &d[p.S>>pageShift]
	}
	return entry, first, first
}

// slot returns where a page has the block of a product state.
func slot(page []uint32, p states.Pair, first, count uint32) *uint32 {
	return &page[int(p.S&(1<<pageShift-1)>>blockShift)*int(count)+int(p.Q-first)]
}

// Room charges what sets have taken for their records, and reports whether there are enough left. A thread asks before it
// looks at the edges of a state, each of which may lead to a state that gets one.
func (f *Finder) Room() error {
	if f.asked++; f.asked%looksEach != 0 { // what is looked at lies in other threads' caches
		return nil
	}
	return f.room()
}

// room is Room that looks each time.
func (f *Finder) room() error {
	if f.recorded.Load() >= mostRecords {
		return states.ErrTooMany
	}
	if f.unpaid.Load() > 0 {
		return f.Account.Charge(int(f.unpaid.Swap(0)))
	}
	return nil
}

// place makes a block for (s, q), unless another thread is faster, and returns the number.
func (f *Finder) place(s petri.StateID, q uint32) (Number, error) {
	if err := f.room(); err != nil {
		return 0, err
	}
	pair := states.Pair{S: s, Q: q}
	entry, first, count := f.entryOf(pair)
	if entry == nil {
		if err := f.Account.Reserve(8 * pages); err != nil {
			return 0, err
		}
		f.further[bits.Len32(q/f.states)].CompareAndSwap(nil, new(directory))
		entry, first, count = f.entryOf(pair)
	}
	page := entry.Load()
	if page == nil {
		length := (1 << pageShift >> blockShift) * int(count)
		if err := f.Account.Reserve(4 * length); err != nil {
			return 0, err
		}
		made := make([]uint32, length)
		entry.CompareAndSwap(nil, &made)
		page = entry.Load()
	}
	b := f.spare
	if b == 0 {
		b = f.used.Add(1) - 1
		if b >= mostBlocks {
			f.used.Add(^uint32(0)) // so that it never wraps around
			return 0, states.ErrTooMany
		}
	}
	c := &f.chunks[b>>(chunkShift-blockShift)]
	if c.Load() == nil {
		if err := f.Account.Reserve(chunkNodes * 8); err != nil {
			f.spare = b
			return 0, err
		}
		c.CompareAndSwap(nil, new(chunk))
	}
	c.Load().of[b&(chunkNodes/blockStates-1)] = origin{s &^ (blockStates - 1), q}
	f.giveWay()
	at := slot(*page, pair, first, count)
	f.spare = 0
	if !atomic.CompareAndSwapUint32(at, 0, b) {
		f.spare = b
	}
	return atomic.LoadUint32(at)<<blockShift | s&(blockStates-1), nil
}

// Pair returns the product state with that number.
func (s *Sets) Pair(n Number) states.Pair {
	b := n >> blockShift
	of := s.chunks[b>>(chunkShift-blockShift)].Load().of[b&(chunkNodes/blockStates-1)]
	return states.Pair{S: of.first | n&(blockStates-1), Q: of.q}
}

// Numbers returns a number that is larger than those of all states.
func (s *Sets) Numbers() int { return int(s.used.Load()) << blockShift }

// at returns where the word of n lies.
func (s *Sets) at(n Number) *uint64 { return &s.chunks[n>>chunkShift].Load().words[n&(chunkNodes-1)] }

// newRecord returns a new record of a set that these threads have met.
func (s *Sets) newRecord(threads uint32) uint32 {
	r := s.recorded.Add(1) - 1
	c := &s.records[r>>recordShift]
	if c.Load() == nil {
		if c.CompareAndSwap(nil, new([chunkRecords]record)) {
			s.unpaid.Add(chunkRecords * recordBytes)
		}
	}
	s.record(r).state = threads
	return r
}

// record returns the record with that number.
func (s *Sets) record(r uint32) *record {
	return &s.records[r>>recordShift].Load()[r&(chunkRecords-1)]
}

// giveWay lets other threads go on, in tests.
func (s *Sets) giveWay() {
	if s.yield != nil {
		s.yield()
	}
}
