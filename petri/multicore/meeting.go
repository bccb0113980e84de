package multicore

import (
	"sync/atomic"

	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/internal/store"
)

// meeting is what all threads come together for, and how far it is. The mutex guards what is not
// atomic.
type meeting struct {
	full bool // the table has no room for more markings

	// A successor of state does not fit field narrow.
	tooNarrow bool
	state     petri.StateID
	narrow    int

	open    bool // the table does not have all markings
	arrived int  // workers
	round   int  // is another one each time that all have come

	layout      *petri.Layout // of the markings before it, if they are packed anew
	clear, file atomic.Int64  // the next chunk of the table to clear, of markings to file
}

// widen asks for a wider field. Of several who ask, one is served; the others ask again, as
// fields are numbered anew.
func (m *meeting) widen(state petri.StateID, narrow int) {
	if !m.tooNarrow {
		m.tooNarrow, m.state, m.narrow = true, state, narrow
	}
}

// ask has all workers meet.
func (x *exploration) ask(what func(*meeting)) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	what(&x.meeting)
	x.halt.Store(true)
	x.work.Broadcast()
}

// gather waits for all workers. The last one to come does prepare before they go on. It reports
// false if the exploration is over.
func (x *exploration) gather(prepare func()) bool {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	m := &x.meeting
	if x.over {
		return false
	}
	if m.arrived++; m.arrived < len(x.workers) {
		for round := m.round; round == m.round && !x.over; {
			x.met.Wait()
		}
		return !x.over
	}
	m.arrived = 0
	m.round++
	prepare()
	x.met.Broadcast()
	return !x.over
}

// meet takes part in a meeting. It reports false if the exploration is over.
func (w *worker) meet() bool {
	x := w.x
	m := &x.meeting
	if !x.gather(func() { x.prepare(&w.account) }) {
		return false
	}
	for i := m.clear.Add(1) - 1; i < int64(x.store.Tables()); i = m.clear.Add(1) - 1 {
		x.store.Clear(int(i))
	}
	if !x.gather(func() {}) || !w.refile() || !x.gather(x.settle) {
		return false
	}
	w.arena.Settle()
	w.adopt(x.game)
	return true
}

// prepare begins a meeting: one thread runs it for all. It holds the mutex, and charges a.
func (x *exploration) prepare(a *account.Account) {
	m := &x.meeting
	m.layout, m.open = nil, true
	m.clear.Store(0)
	m.file.Store(0)
	err := error(nil)
	if m.full { // while markings are packed as before
		err = x.checkAncestors(a)
	}
	if err == nil && m.tooNarrow {
		err = x.widen(a)
	}
	if err == nil && m.full {
		err = x.grow(a)
	}
	m.tooNarrow, m.full = false, false
	if err != nil {
		x.endNow(err)
	}
}

// checkAncestors looks whether a place is unbounded by the markings that the workers are at. It is called when the
// table is full, which comes each time that there are twice as many markings. The error is a
// *petri.UnboundedError then; which place it is remains to be found by one thread.
func (x *exploration) checkAncestors(a *account.Account) error {
	if !x.game.Layout().Unproven() {
		return nil // no place is unbounded; else parents are tracked
	}
	for _, w := range x.workers {
		covers, err := x.game.Layout().CheckAncestors(a, x, w.at)
		if err != nil {
			return err
		}
		if covers {
			return new(petri.UnboundedError)
		}
	}
	return nil
}

// grow gives the table more room.
func (x *exploration) grow(a *account.Account) error {
	if err := a.Reserve(x.store.Growth()); err != nil {
		return err
	}
	if x.store.Grow(x.arenas()) != nil {
		return petri.ErrTooManyStates
	}
	return nil
}

// widen has the game of a wider layout played from now on. The error is a *petri.UnboundedError if
// there is no wide enough one.
func (x *exploration) widen(a *account.Account) error {
	m := &x.meeting
	layout := x.game.Layout()
	unbounded, err := layout.CheckGrowth(a, x, m.state, m.narrow)
	if err != nil {
		return err
	}
	if unbounded != nil {
		return unbounded
	}
	wide, err := layout.Widened(m.narrow)
	if err != nil {
		return err
	}
	game, err := wide.Game(a)
	if err != nil {
		return err
	}
	x.game = game
	x.store.Widen(wide.Words(), wide.Bytes(), x.arenas())
	m.layout = layout
	return nil
}

// arenas returns those of all workers.
func (x *exploration) arenas() []*store.Arena {
	var all []*store.Arena
	for _, w := range x.workers {
		all = append(all, w.arena)
	}
	return all
}

// refileWork is about what it costs to file a marking, or a word of it, anew, in nanoseconds.
const refileWork = 32

// refile files chunks of markings, as long as there are some. It reports false if the
// exploration is over.
func (w *worker) refile() bool {
	m := &w.x.meeting
	var convert func(narrow, wide []uint64)
	work := refileWork
	if m.layout != nil {
		convert = converter(w.x.net, m.layout, w.x.game.Layout())
		work = refileWork * (1 + w.x.net.Places())
	}
	for i := m.file.Add(1) - 1; i < int64(w.x.store.Chunks()); i = m.file.Add(1) - 1 {
		n := w.x.store.Refile(int(i), convert)
		if err := w.account.Charge(work * n); err != nil {
			w.x.end(err)
			return false
		}
	}
	return true
}

// converter writes markings packed by one layout as a wider one packs them.
func converter(net *petri.Net, from, to *petri.Layout) func(narrow, wide []uint64) {
	m := make(petri.Marking, net.Places())
	return func(narrow, wide []uint64) {
		from.Unpack(narrow, m)
		if to.Pack(m, wide) >= 0 {
			panic("multicore: a wider layout holds less")
		}
	}
}

// settle ends a meeting for all.
func (x *exploration) settle() {
	x.store.Settled()
	x.meeting.open = false
	x.halt.Store(false)
}
