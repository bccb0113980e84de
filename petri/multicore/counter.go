package multicore

import (
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/internal/store"
)

// counter is a thread that counts. What is written for each marking lies here or apart from all else.
type counter struct {
	_       [line]byte
	x       *counting
	account account.Account
	player  petri.Player
	measure petri.Measure
	queue   store.Queue
	catalogue

	packed  []uint64 // the marking that is gone on from
	out     []uint64 // successors, which wait to be entered
	waiting int      // how many were entered, and wait to be added to the set

	states, expanded, firings, deadlocks int64
	told                                 told
	_                                    [line]byte
}

// run counts until counting is over.
func (c *counter) run() {
	for {
		b := c.queue.Pop()
		if b == nil && (len(c.out) > 0 || c.waiting > 0) {
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

// visit finds the successors of a marking that was in a queue. It reports false if counting is over.
func (c *counter) visit(item uint64) bool {
	c.load(item, c.packed)
	words, added := len(c.packed), 0
	for c.player.Begin(); !c.player.Done(); {
		before := len(c.out)
		if c.player.Successors(c.packed, &c.out) >= 0 {
			c.x.end(errTooNarrow)
			return false
		}
		added += len(c.out) - before
		var err error
		if c.waiting, err = c.enter(&c.out); err != nil {
			c.x.end(err)
			return false
		}
		if c.waiting >= c.x.batch && !c.flush() {
			return false
		}
	}
	firings := added / words
	c.measure.Observe(c.packed)
	c.firings += int64(firings)
	c.expanded++
	c.account.Add(c.x.game.Work())
	if firings == 0 {
		c.deadlocks++
		if err := c.account.Charge(0); err != nil { // nothing is entered, which would ask
			c.x.end(err)
			return false
		}
	}
	if c.x.progress != nil && c == c.x.counters[0] && c.expanded%tellEvery == 0 {
		c.tell()
	}
	return true
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

// flush adds the successors that wait to the set. It reports false if counting is over.
func (c *counter) flush() bool {
	c.giveWay()
	if err := c.add(); err != nil {
		c.x.end(err)
		return false
	}
	for range c.x.hungry.Load() {
		if c.queue.Full() > 1 {
			c.x.give(c.queue.Pop())
		}
	}
	return true
}

// add adds what waits to the set. Those that are new are to be gone on from.
func (c *counter) add() error {
	fresh, err := c.catalogue.add(&c.out)
	c.states += int64(len(fresh))
	c.told.states.Store(c.states)
	c.told.firings.Store(c.firings)
	c.queue.Push(fresh)
	c.waiting = 0
	return err
}
