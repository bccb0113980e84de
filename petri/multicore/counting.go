package multicore

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/internal/store"
)

// counting explores to count markings, and knows of each only whether it was met before. So they
// need no numbers, and lie in a set without order: those of a word in a store.Set, longer ones in a
// store.Tree (catalogue.go). Those to go on from wait in queues besides, one for each thread. A thread that has none waits until another, which has
// enough, gives it a block of them. When all wait, all markings are counted.
//
// It ends with errTooNarrow when a place turns out to have more tokens than its field holds. Whether that
// place has a bound shows in the markings on the way, which it does not know.
type counting struct {
	game     *petri.Game
	set      *store.Set  // of markings of one word, or nil
	tree     *store.Tree // of longer ones
	counters []*counter
	progress func(petri.Statistics)
	yield    func() // nil but in tests
	batch    int    // markings that are added at a time

	_ [line]byte
	// halt: all threads are to end. They look at it for each marking.
	halt atomic.Bool
	_    [line]byte
	// hungry are the threads without work.
	hungry atomic.Int32
	_      [line]byte

	mutex  sync.Mutex
	fed    sync.Cond // there is a block, or it is over
	blocks []*store.Block
	over   bool
	reason error // why it is over, if it is not complete
}

// errTooNarrow ends counting.
var errTooNarrow = errors.New("a field of packed markings is too narrow")

// count counts the markings of a net, packed so, with their firings and tokens. Others is the context of the
// threads other than the caller's.
func count(ctx, others context.Context, net *petri.Net, layout *petri.Layout, budget petri.Budget, threads int, progress func(petri.Statistics), uncounted []petri.Place) (petri.Statistics, error) {
	x, err := newCounting(ctx, net, layout, budget, max(1, threads), uncounted)
	if x == nil {
		return petri.Statistics{States: 1}, err
	}
	for _, c := range x.counters[1:] {
		c.account.Begin(others)
	}
	x.progress = progress
	if err == nil {
		x.run()
	} else {
		x.end(err)
	}
	return x.statistics(), x.reason
}

// newCounting returns one that has the initial marking, or, after an error, none to go on from: nil if there is no room for
// the rules.
func newCounting(ctx context.Context, net *petri.Net, layout *petri.Layout, budget petri.Budget, threads int, uncounted []petri.Place) (*counting, error) {
	game, err := gameOf(ctx, layout, budget)
	if err != nil {
		return nil, err
	}
	words := layout.Words()
	x := &counting{game: game, yield: knobs.yield, batch: store.Added}
	itemBytes := layout.Bytes() // of what waits in a queue
	if words == 1 {
		x.set = store.NewSet(max(1, layout.Bits()))
	} else {
		x.tree = store.NewTree(words, layout.Bytes(), store.Options{Threads: threads, Most: knobs.most})
		x.batch, itemBytes = max(leastAdded, store.Added/words), 8
	}
	if knobs.batch > 0 {
		x.batch = knobs.batch
	}
	x.fed.L = &x.mutex
	initial := make([]uint64, words)
	narrow := layout.Pack(net.Initial(), initial)
	for range threads {
		c := &counter{x: x, account: *account.New(budget), player: *x.game.Player(), queue: *store.NewQueue(itemBytes, knobs.batch)}
		c.account.Begin(ctx)
		c.measure = *layout.Measure()
		c.measure.LeaveOut(uncounted)
		c.packed = store.Apart[uint64](words)
		x.counters = append(x.counters, c)
		var err error
		if c.catalogue, err = x.newCatalogue(&c.account, initial); err != nil {
			return x, err
		}
	}
	if narrow >= 0 {
		return x, errTooNarrow
	}
	first := x.counters[0]
	first.out = append(first.out, initial...)
	first.begin(initial)
	return x, first.add()
}

// run counts, with the thread of the caller among others.
func (x *counting) run() {
	runTogether(len(x.counters), func(i int) { x.counters[i].run() }, x.end)
}

// statistics returns those of all counters together. None may be at work.
func (x *counting) statistics() petri.Statistics {
	var s petri.Statistics
	bytes := x.memoryBytes()
	measure := &x.counters[0].measure
	for _, c := range x.counters {
		s.States += c.states
		s.Firings += c.firings
		s.Deadlocks += c.deadlocks
		measure.Raise(&c.measure)
		bytes += c.queue.MemoryBytes()
	}
	measure.Report(&s)
	s.Complete = x.reason == nil
	s.BytesPerState = float64(bytes) / float64(max(1, s.States))
	return s
}

// memoryBytes returns what the markings take. Nobody may be at work.
func (x *counting) memoryBytes() int64 {
	if x.set != nil {
		return x.set.MemoryBytes()
	}
	return x.tree.MemoryBytes()
}

// end ends counting for a reason; the first one counts.
func (x *counting) end(reason error) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.endNow(reason)
}

// endNow ends counting. The caller holds the mutex.
func (x *counting) endNow(reason error) {
	if !x.over {
		x.over, x.reason = true, reason
		x.halt.Store(true)
		x.fed.Broadcast()
	}
}

// take waits for a block that another thread gives. It is nil if counting is over.
func (x *counting) take() *store.Block {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.hungry.Add(1)
	defer x.hungry.Add(-1)
	for !x.over {
		if n := len(x.blocks); n > 0 {
			b := x.blocks[n-1]
			x.blocks = x.blocks[:n-1]
			return b
		}
		if int(x.hungry.Load()) == len(x.counters) {
			// Nobody has anything to go on from.
			x.endNow(nil)
			return nil
		}
		x.fed.Wait()
	}
	return nil
}

// give has another thread go on from the markings of a block.
func (x *counting) give(b *store.Block) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.blocks = append(x.blocks, b)
	x.fed.Signal()
}
