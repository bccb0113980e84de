package multicore

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/internal/store"
)

// counting explores to count markings, and knows of each only whether it was met before. So they
// need no numbers, and lie in a set without order (store.Set). Those to go on from
// wait in queues besides, one for each thread. A thread that has none waits until another, which has
// enough, gives it a block of them. When all wait, all markings are counted.
//
// It ends with errTooNarrow when a place turns out to have more tokens than its field holds. Whether that
// place has a bound shows in the markings on the way, which it does not know.
type counting struct {
	game     *petri.Game
	set      *store.Set
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

// countable reports whether markings can be counted that are packed so.
func countable(l *petri.Layout) bool { return l.Words() == 1 }

// count counts the markings of a net, with their firings and tokens. Layout is to be countable.
func count(ctx, others context.Context, net *petri.Net, layout *petri.Layout, budget petri.Budget, threads int, progress func(petri.Statistics), uncounted []petri.Place) (petri.Statistics, error) {
	x, err := newCounting(ctx, net, layout, budget, max(1, threads), uncounted)
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

// newCounting returns one that has the initial marking, or, after an error, none to go on from.
func newCounting(ctx context.Context, net *petri.Net, layout *petri.Layout, budget petri.Budget, threads int, uncounted []petri.Place) (*counting, error) {
	x := &counting{game: layout.Game(), yield: knobs.yield, batch: store.Added}
	if knobs.batch > 0 {
		x.batch = knobs.batch
	}
	x.fed.L = &x.mutex
	initial := make([]uint64, 1)
	narrow := layout.Pack(net.Initial(), initial)
	x.set = store.NewSet(max(1, layout.Bits()))
	known := x.set.Mix(initial[0])
	for range threads {
		c := &counter{x: x, account: *account.New(budget), player: *x.game.Player(), queue: *store.NewQueue(layout.Bytes(), knobs.batch)}
		c.account.Begin(ctx)
		c.measure = *layout.Measure()
		c.measure.LeaveOut(uncounted)
		c.batcher = x.set.NewBatcher(c.account.Reserve)
		c.packed = store.Apart[uint64](1)
		x.counters = append(x.counters, c)
		if err := c.account.Reserve(8 << recentBits); err != nil {
			return x, err
		}
		c.recent = slices.Repeat([]uint64{known}, 1<<recentBits)
	}
	if narrow >= 0 {
		return x, errTooNarrow
	}
	first := x.counters[0]
	n, err := first.batcher.Add(initial, []uint64{known})
	if err != nil {
		return x, err
	}
	first.states += int64(n)
	first.queue.Push(initial)
	return x, nil
}

// run counts, with the thread of the caller among others.
func (x *counting) run() {
	runTogether(len(x.counters), func(i int) { x.counters[i].run() }, x.end)
}

// statistics returns those of all counters together. None may be at work.
func (x *counting) statistics() petri.Statistics {
	var s petri.Statistics
	bytes := x.set.MemoryBytes()
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

// counter is a thread that counts. What is written for each marking lies here or apart from all else.
type counter struct {
	_       [line]byte
	x       *counting
	account account.Account
	player  petri.Player
	measure petri.Measure
	queue   store.Queue
	batcher *store.Batcher

	packed []uint64 // the marking that is gone on from
	out    []uint64 // successors, which wait to be added to the set
	mixed  []uint64 // the same, mixed; as many as were sifted
	recent []uint64 // mixed markings that are in the set or in out, each where its first bits say

	states, expanded, firings, deadlocks int64
	told                                 told
	_                                    [line]byte
}

// recentBits is the binary logarithm of how many markings a thread remembers.
const recentBits = 15

// run counts until counting is over.
func (c *counter) run() {
	for {
		b := c.queue.Pop()
		if b == nil && len(c.out) > 0 {
			if !c.flush() {
				return
			}
			continue
		}
		if b == nil {
			c.giveWay()
			if b = c.x.take(); b == nil {
				return
			}
		}
		for i := range b.Len() {
			if c.x.halt.Load() || !c.visit(c.queue.Load(b, i)) {
				return
			}
		}
		c.queue.Done(b)
	}
}

// giveWay lets other threads go on, in tests.
func (c *counter) giveWay() {
	if c.x.yield != nil {
		c.x.yield()
	}
}

// visit finds the successors of a marking. It reports false if counting is over.
func (c *counter) visit(marking uint64) bool {
	c.packed[0] = marking
	firings := 0
	for c.player.Begin(); !c.player.Done(); {
		before := len(c.out)
		if c.player.Successors(c.packed, &c.out) >= 0 {
			c.x.end(errTooNarrow)
			return false
		}
		firings += len(c.out) - before
		if len(c.out) >= len(c.mixed)+c.x.batch {
			if !c.sift() || len(c.mixed) >= c.x.batch && !c.flush() {
				return false
			}
		}
	}
	c.measure.Observe(c.packed)
	c.firings += int64(firings)
	c.expanded++
	c.account.Add(c.x.game.Work())
	if firings == 0 {
		c.deadlocks++
		if !c.charge(0) { // nothing is sifted, which would ask
			return false
		}
	}
	if c.x.progress != nil && c == c.x.counters[0] && c.expanded%tellEvery == 0 {
		c.tell()
	}
	return true
}

// charge charges work. It reports false if counting is over.
func (c *counter) charge(work int) bool {
	err := c.account.Charge(work)
	if err != nil {
		c.x.end(err)
	}
	return err == nil
}

// tell calls progress.
func (c *counter) tell() {
	var s petri.Statistics
	c.measure.Report(&s)
	for _, other := range c.x.counters {
		s.States += other.told.states.Load()
		s.Firings += other.told.firings.Load()
	}
	c.x.progress(s)
}

// sift leaves out successors that the thread has met lately. It reports false if counting is
// over. It has no branch that can't be predicted.
func (c *counter) sift() bool {
	n := len(c.mixed)
	found := c.out[n:]
	if !c.charge(16 * len(found)) {
		return false
	}
	c.mixed = slices.Grow(c.mixed, len(found))[:n+len(found)]
	for _, p := range found {
		h := c.x.set.Mix(p)
		entry := &c.recent[h>>(64-recentBits)]
		known := *entry
		*entry = h
		c.out[n], c.mixed[n] = p, h
		if known != h {
			n++
		}
	}
	c.out, c.mixed = c.out[:n], c.mixed[:n]
	return true
}

// flush adds the successors that wait to the set. Those that are new are to be gone on from. It
// reports false if counting is over.
func (c *counter) flush() bool {
	c.giveWay()
	if !c.sift() {
		return false
	}
	fresh, err := c.batcher.Add(c.out, c.mixed)
	c.states += int64(fresh)
	c.told.states.Store(c.states)
	c.told.firings.Store(c.firings)
	if err != nil {
		c.x.end(err)
		return false
	}
	c.queue.Push(c.out[:fresh])
	c.out, c.mixed = c.out[:0], c.mixed[:0]
	for range c.x.hungry.Load() {
		if c.queue.Full() > 1 {
			c.x.give(c.queue.Pop())
		}
	}
	return true
}
