package disk

import (
	"context"
	"errors"
	"runtime/debug"
	"strconv"

	"pnmc/internal/account"
	"pnmc/petri"
)

// The problem. An exploration in memory fills its budget in the middle of its work, and what it has
// found must not be lost. Later a field may turn out too narrow for a marking, when millions of
// markings are on disk already, packed by the old layout.
//
// The idea. At both moments all markings are written anew: once as they leave memory (takeOver), and
// again for each wider layout (widen). Both go through the buffer, which sorts, so that what comes
// out are sorted runs like all others.
//
// For example, memory is full after 900 markings were explored and 100 more were found, with seven
// successors on their way. The 900 become the first run of the history, and the 100 become the open
// run. The seven wait, and go to the buffer when the next layer begins. Then let a place with two
// bits get a fourth token. The layer stops. The runs of 900 and 100 are read, packed with four bits
// for the place, and written; what the layer had collected is given up. It begins again.
//
// Why it is right. A marking met is in the history or in the open run, and a waiting successor may
// be in one of them as well: the end of its layer drops it then. Rest has the explored markings
// first, so that one cut divides the history from the open run. Widening keeps each marking and
// changes only its key. A wider layout holds all that the old one held, and different markings have
// different keys in both. Exploring a layer again collects the same successors, and the statistics
// go back to where it began (layer).
//
// What it costs. Taking over reads each marking once, and writes it once and again whenever runs are
// merged. Widening does the same, and a run is on disk twice for a while. A count that widens gets
// twice the bits, and others without proof follow (Layout.WidenedAlike). So there are few
// widenings, at most six for one count. The package comment names the papers that sorting and
// merging follow; the two handovers are our own.

// sizes are how much is in memory.
type sizes struct {
	slots      int // of the buffer
	piece      int // keys of the buffer sorted at a time
	blockBytes int // a block has so many, and not a key more
	// fanIn is how many runs the collected markings have, and the history, before they are merged.
	fanIn int
}

const (
	mostBlock = 1 << 15
	// indexShare is how much larger blocks are than their keys in the index, if there is room.
	indexShare = 64
	mostFanIn  = 64
	mostPiece  = 1 << 16 // keys
	// mostPieceWords and mostBuffer bound what can't be cut short: sorting a piece, and making the
	// buffer, in words. Beyond, memory serves better for what the system keeps of files.
	mostPieceWords = 1 << 19
	mostBuffer     = 1 << 27
	// leastRoom is what an exploration on disk takes at least.
	leastRoom = 1 << 20
	// unlimitedRoom is the memory that it takes where memory has no limit.
	unlimitedRoom = 1 << 28
)

// sizesFor returns sizes that take so many bytes together.
func sizesFor(room int64, words int) sizes {
	s := sizes{piece: max(1, min(mostPiece, mostPieceWords/words))}
	s.blockBytes = int(min(max(min(room/512, mostBlock), int64(indexShare*8*words)), room/64))
	stream := int64(s.blockBytes + 3*8*words)
	s.fanIn = int(max(4, min(room/8/stream, mostFanIn)))
	s.slots = max(leastSlots, int(min(room/4*3/8, mostBuffer)/int64(words)))
	return s
}

// room returns how many bytes there are, for a buffer and streams.
func (e *exploration) room() (int64, error) {
	budget := e.account.Budget()
	if budget.MemoryBytes <= 0 {
		return unlimitedRoom, nil
	}
	for room := budget.Free(); ; room -= room / 4 {
		err := e.account.Reserve(int(room))
		if err == nil {
			return room, nil
		}
		if room <= leastRoom || !errors.As(err, new(*petri.MemoryError)) {
			return room, err
		}
	}
}

// makeBuffer makes a buffer that takes a share of the room.
func (e *exploration) makeBuffer(share int64) error {
	e.buffer = nil
	debug.FreeOSMemory()
	if e.fixed != nil {
		e.sizes = *e.fixed
	} else {
		room, err := e.room()
		if err != nil {
			return err
		}
		e.sizes = sizesFor(max(room/share, leastRoom), e.width)
	}
	e.buffer = newBuffer(e.width, e.sizes)
	return nil
}

// takeOver writes what was found in memory. Markings that were explored are the history.
func (e *exploration) takeOver(ctx context.Context, rest *petri.Rest) error {
	// Memory is full, and each marking written leaves more of it.
	limited := e.account
	defer func() { e.account = limited }()
	e.account = account.New(petri.Budget{})
	e.account.Begin(ctx)
	e.waiting = append([]uint64(nil), rest.Waiting...)
	rest.Waiting = nil
	debug.FreeOSMemory()
	room := int64(unlimitedRoom)
	if budget := limited.Budget(); budget.MemoryBytes > 0 {
		room = max(leastRoom, (budget.MemoryBytes-account.InUse())/4)
	}
	e.sizes = sizesFor(room, e.width)
	if e.fixed != nil {
		e.sizes = *e.fixed
	}
	e.buffer = newBuffer(e.width, e.sizes)
	before, met := true, int64(0)
	err := rest.Markings(func(packed []uint64, explored bool) error {
		if before && !explored {
			before = false
			if err := e.takeHistory(); err != nil {
				return err
			}
		}
		met++
		return e.collect(packed)
	})
	if err != nil {
		return err
	}
	if before {
		err = e.takeHistory()
	} else {
		e.open, err = e.collectedIfAny(false)
	}
	if err != nil {
		return err
	}
	e.account, e.idle = limited, nil
	if err := e.makeBuffer(max(1, e.share)); err != nil {
		return err
	}
	if e.looks != nil {
		e.tell("looks at markings in %s, with room in memory for %d", e.folder.Path(), e.buffer.most)
		return nil
	}
	e.tell("goes on in %s with %d markings that filled the memory, and room for %d", e.folder.Path(), met, e.buffer.most)
	return nil
}

// takeHistory makes what was collected the history.
func (e *exploration) takeHistory() error {
	all, err := e.collectedIfAny(false)
	if err != nil || all == nil {
		return err
	}
	return e.remember(all)
}

// The ancestors that are known of a marking whose successor does not fit: itself, and the
// initial one.
const (
	initialMarking petri.StateID = iota
	presentMarking
)

// ancestry is that of a marking on disk.
type ancestry struct{ initial, present petri.Marking }

// Marking writes one of the two markings to m.
func (a *ancestry) Marking(id petri.StateID, m petri.Marking) {
	if id == initialMarking {
		copy(m, a.initial)
	} else {
		copy(m, a.present)
	}
}

// Parent returns the initial marking for the present one: it is an ancestor.
func (a *ancestry) Parent(id petri.StateID) (petri.StateID, bool) {
	return initialMarking, id == presentMarking
}

// widen takes a wider layout, as a field is too narrow for a successor of this marking, and
// writes all markings anew. The collected keys are given up.
func (e *exploration) widen(narrow int, key []uint64) error {
	layout := e.game.Layout()
	present := make(petri.Marking, e.net.Places())
	layout.Unpack(key, present)
	unbounded, err := layout.CheckGrowth(e.account, &ancestry{e.net.Initial(), present}, presentMarking, narrow)
	if err != nil {
		return err
	}
	if unbounded != nil {
		return unbounded
	}
	e.grown = e.placeOf(narrow, present)
	wide, err := layout.WidenedAlike(narrow)
	if err != nil {
		return err
	}
	e.count()
	e.tell("writes %d markings anew, as %d bits are too few for place %s", e.found.States, layout.Bits(), strconv.Quote(e.grown))
	e.forgetCollected()
	again := &repacking{old: layout, wide: wide, marking: present}
	var waiting []uint64
	for ; len(e.waiting) > 0; e.waiting = e.waiting[layout.Words():] {
		waiting = append(waiting, again.key(e.waiting[:layout.Words()])...)
	}
	e.waiting = waiting
	if err := e.adopt(wide); err != nil {
		return err
	}
	e.buffer.relay(wide.Words())
	for i, r := range e.history.runs {
		if e.history.runs[i], err = e.rewrite(r, again); err != nil {
			return err
		}
	}
	if e.open != nil {
		e.open, err = e.rewrite(e.open, again)
	}
	return err
}

// placeOf returns a place whose field is too narrow for a successor of a marking.
func (e *exploration) placeOf(narrow int, present petri.Marking) string {
	layout := e.game.Layout()
	packed, m := make([]uint64, layout.Words()), make(petri.Marking, len(present))
	for t := range petri.Transition(e.net.Transitions()) {
		e.account.Add(len(present))
		copy(m, present)
		if !e.net.Fire(m, t) || layout.Pack(m, packed) < 0 {
			continue
		}
		for _, a := range e.net.Post(t) {
			more := present[a.Place]
			present[a.Place] = m[a.Place]
			found := layout.Pack(present, packed) == narrow
			if present[a.Place] = more; found {
				return e.net.PlaceLabel(a.Place).ID
			}
		}
	}
	return ""
}

// repacking packs markings of one layout by a wider one.
type repacking struct {
	old, wide *petri.Layout
	marking   petri.Marking
	packed    []uint64
}

// key returns a key of the old layout in the wider one, valid until the next call.
func (r *repacking) key(key []uint64) []uint64 {
	if r.packed == nil {
		r.packed = make([]uint64, r.wide.Words())
	}
	r.old.Unpack(key, r.marking)
	if r.wide.Pack(r.marking, r.packed) >= 0 {
		panic("disk: a wider layout holds less")
	}
	return r.packed
}

// rewrite writes the markings of a run anew, and removes it.
func (e *exploration) rewrite(r *run, again *repacking) (*run, error) {
	streams, err := e.openAll([]*run{r})
	if err != nil {
		return nil, err
	}
	for s := streams[0]; !s.over(); {
		if err := e.collect(again.key(s.current)); err != nil {
			return nil, err
		}
		if err := e.account.Charge(8 * len(again.marking)); err != nil {
			return nil, err
		}
		if err := s.next(); err != nil {
			return nil, err
		}
	}
	e.closeAll(streams)
	wide, err := e.collected(false)
	if err == nil {
		r.remove()
	}
	return wide, err
}
