package multicore

import (
	"context"
	"errors"
	"sync/atomic"

	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/internal/store"
)

// Kripke is the state graph of a net, built on the fly by several threads: each asks for the
// successors of any marking, when it needs them. As in petri.Kripke, a deadlock has one edge, to
// itself, and edges that were found are kept as long as their share of the budget lasts. They stay
// for the next Run.
//
// A row of edges is written by the thread that finds it to a chunk of its own. Then the thread
// publishes the row's place by a compare-and-swap. If two threads find the same row, the second one
// is dropped: what both have found is the same.
//
// Where the store has to grow, all threads meet, as in other explorations. So each looks now and
// then whether it is to meet (Walker.Poll), and none may wait for another in any other way.
type Kripke struct {
	net     *petri.Net
	facts   petri.Facts
	budget  petri.Budget
	threads int

	exploration *exploration
	walkers     []*Walker
	rows        *Numbers // the place of each row, 0 if it is not known, or notKept
	chunks      [1 << (32 - rowShift)]atomic.Pointer[[1 << rowShift]petri.StateID]
	used        atomic.Uint32 // chunks of rows, from 1 on
	most        uint32        // of these there may be
	knobs       forTests
}

const (
	// rowShift is the binary logarithm of the length of a chunk of rows.
	rowShift = 16
	// notKept is the place of a row that was found and is not kept.
	notKept = 1
	// deadlockBit marks in a row's length that its only edge fires nothing.
	deadlockBit = 1 << 31
)

// NewKripke starts with the initial marking. Facts must hold of the net. A place must not be
// unbounded: a Run that finds one ends (Endless).
func NewKripke(net *petri.Net, facts petri.Facts, budget petri.Budget, threads int) *Kripke {
	k := &Kripke{net: net, facts: facts, budget: budget, threads: threads, most: 1<<(32-rowShift) - 1}
	edgeBytes := budget.EdgeBytes
	if edgeBytes == 0 {
		edgeBytes = budget.MemoryBytes / 3
	}
	if edgeBytes > 0 {
		k.most = uint32(min(int64(k.most), edgeBytes>>(rowShift+2)))
	}
	return k
}

// Harass is for tests: from the next new graph on, f is called where another thread may come between,
// the table filled anew after each step markings, and at most batch markings interned at a time, no
// more than step.
func (k *Kripke) Harass(f func(), step, batch int) {
	k.knobs = forTests{yield: f, step: step, batch: batch}
}

// begin begins a run. If the one before was ended while the store changed, all is found anew. An error is a reason of
// the account.
func (k *Kripke) begin(ctx, others context.Context) error {
	x := k.exploration
	if x == nil || x.meeting.open {
		fresh, err := k.knobs.newExploration(ctx, k.net, k.facts, k.budget, k.threads, false, nil)
		if err != nil {
			return err
		}
		x = fresh
		k.exploration, k.rows, k.walkers = x, new(Numbers), nil
		for i := range k.chunks {
			k.chunks[i].Store(nil)
		}
		k.used.Store(1)
		for i, w := range x.workers {
			k.walkers = append(k.walkers, &Walker{kripke: k, worker: w, number: i, loaded: store.Apart[uint64](len(w.packed))})
		}
	}
	x.over, x.reason = false, nil
	x.meeting.full, x.meeting.tooNarrow, x.meeting.arrived = false, false, 0
	x.halt.Store(false)
	for i, w := range x.workers {
		w.account.Begin(ctx)
		if i > 0 {
			w.account.Begin(others)
		}
		w.arena.Settle()
		w.adopt(x.game)
	}
	return nil
}

// Run calls search on each thread, that of the caller among them, until one of them returns: its
// error is that of the run, and the others have an error from what they call next. No thread is
// left when Run returns. Others is the context of the threads other than the caller's.
func (k *Kripke) Run(ctx, others context.Context, search func(*Walker) error) error {
	if err := k.begin(ctx, others); err != nil {
		return err
	}
	x := k.exploration
	runTogether(len(x.workers), func(i int) { x.end(search(k.walkers[i])) }, x.end)
	return x.reason
}

// Threads returns how many threads a run has.
func (k *Kripke) Threads() int { return k.threads }

// Initial returns the initial state.
func (k *Kripke) Initial() petri.StateID { return 0 }

// Explored returns how many states were met, the firings of those whose edges were asked for. No
// thread may be at work.
func (k *Kripke) Explored() (states, transitions int64) {
	for _, w := range k.walkers {
		s, t := w.Explored()
		states, transitions = states+s, transitions+t
	}
	return states, transitions
}

// Kept returns the destinations of the edges of s if they are kept, otherwise nil; not to be
// modified.
func (k *Kripke) Kept(s petri.StateID) []petri.StateID {
	if at := k.Place(s); at != 0 {
		return k.At(at)
	}
	return nil
}

// Place returns where the edges of s are kept, or 0 if they are not.
func (k *Kripke) Place(s petri.StateID) uint32 {
	at := k.rows.At(s)
	if at == notKept {
		return 0
	}
	return at
}

// At returns the destinations of the edges that are kept at a place; not to be modified.
func (k *Kripke) At(place uint32) []petri.StateID {
	chunk := k.chunks[place>>rowShift].Load()
	first := place&(1<<rowShift-1) + 1
	return chunk[first : first+chunk[first-1]&^deadlockBit]
}

// Walker is what a thread of a run has. It is for that thread alone, and for the caller of Run when
// all threads have ended.
type Walker struct {
	_      [line]byte
	kripke *Kripke
	worker *worker
	number int

	chunk uint32          // of rows, that is being filled; 0 is none
	end   uint32          // of the rows there
	ids   []petri.StateID // the successors that were found last
	out   []uint64
	from  [store.Batch]petri.StateID

	loaded []uint64      // the marking that was looked at last
	held   petri.StateID // its number plus one, or 0
	game   *petri.Game   // as which it is packed
	_      [line]byte
}

// errEnded is what threads get when another one has ended the run.
var errEnded = errors.New("another thread has ended the run")

// Number returns the thread's number, 0 for that of the caller of Run.
func (t *Walker) Number() int { return t.number }

// Account returns what the thread's work is charged to.
func (t *Walker) Account() *account.Account { return &t.worker.account }

// Explored returns how many states the thread was the first to meet, and the firings of those whose
// edges it was the first to find.
func (t *Walker) Explored() (states, transitions int64) {
	return t.worker.arena.Count(), t.worker.firings
}

// Poll takes part in a meeting, if there is one. An error says that the run has ended. It costs
// little, and is called for each marking or oftener.
func (t *Walker) Poll() error {
	if t.worker.x.halt.Load() && !t.worker.meet() {
		return errEnded
	}
	return nil
}

// Attend takes part in meetings until the run ends, for a thread that has nothing else to do.
func (t *Walker) Attend() error {
	x := t.worker.x
	for {
		x.mutex.Lock()
		for !x.over && !x.halt.Load() {
			x.work.Wait()
		}
		x.mutex.Unlock()
		if err := t.Poll(); err != nil {
			return err
		}
	}
}

// Rest waits until ready finds something to do, for a thread that has nothing to do. It takes part in
// meetings meanwhile. Done is true when all threads rest: then nobody will find anything. Threads
// that find work for others call Wake. One that rests calls ready while others must not rest or
// wake, so ready does not wait for them. It is called after Resting counts the thread.
func (t *Walker) Rest(ready func() bool) (done bool, err error) {
	x := t.worker.x
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.resting.Add(1)
	defer x.resting.Add(-1)
	for {
		switch {
		case x.over:
			return false, errEnded
		case x.halt.Load():
			x.mutex.Unlock()
			err := t.Poll()
			x.mutex.Lock()
			if err != nil {
				return false, err
			}
		case ready():
			return false, nil
		case x.resting.Load() == int32(len(x.workers)):
			return true, nil
		default:
			x.work.Wait()
		}
	}
}

// Resting reports whether some thread rests. It costs little.
func (t *Walker) Resting() bool { return t.worker.x.resting.Load() > 0 }

// Wake has all threads that rest look for something to do.
func (t *Walker) Wake() {
	x := t.worker.x
	x.mutex.Lock()
	x.work.Broadcast()
	x.mutex.Unlock()
}

// Successors returns the destinations of the edges of s, one for each enabled transition. There is
// always one. The slice is not to be modified. Unless the edges are kept, it is valid until the
// next call. An error ends the run.
func (t *Walker) Successors(s petri.StateID) ([]petri.StateID, error) {
	if row := t.kripke.Kept(s); row != nil {
		return row, nil
	}
	for {
		again, err := t.find(s)
		if err != nil {
			return nil, err
		}
		if !again {
			break
		}
	}
	deadlock := uint32(0)
	if len(t.ids) == 0 {
		t.ids, deadlock = append(t.ids, s), deadlockBit
	}
	if err := t.worker.account.Charge(t.worker.game.Work()); err != nil {
		return nil, err
	}
	return t.keep(s, deadlock), nil
}

// find finds the successors of s. It reports whether it has to be called again, as markings are packed
// in another way since.
func (t *Walker) find(s petri.StateID) (again bool, err error) {
	w := t.worker
	x, game := w.x, w.game
	t.ids, w.at = t.ids[:0], s
	x.store.Load(s, w.packed)
	for w.player.Begin(); !w.player.Done(); {
		t.out = t.out[:0]
		if narrow := w.player.Successors(w.packed, &t.out); narrow >= 0 {
			if !w.widen(s, narrow) {
				return false, errEnded
			}
			return true, nil
		}
		if err := w.account.Charge(16 * len(t.out)); err != nil {
			return false, err
		}
		words := len(w.packed)
		n := len(t.out) / words
		if err := account.Room(&w.account, t.ids, n); err != nil {
			return false, err
		}
		for first := 0; first < n; {
			m := min(n-first, x.batch)
			if !w.arena.Reserve(m) {
				w.giveWay()
				x.ask(func(m *meeting) { m.full = true })
				if !w.meet() {
					return false, errEnded
				}
				if w.game != game {
					return true, nil
				}
				continue
			}
			var from []petri.StateID
			if x.tracked {
				for i := range m {
					t.from[i] = s
				}
				from = t.from[:m]
			}
			w.arena.InternAll(t.out[first*words:(first+m)*words], from, w.ids[:m])
			t.ids = append(t.ids, w.ids[:m]...)
			first += m
		}
	}
	w.giveWay()
	return false, nil
}

// keep keeps the edges of s that were found, if there is room, and counts them once.
func (t *Walker) keep(s petri.StateID, deadlock uint32) []petri.StateID {
	k, w := t.kripke, t.worker
	place := uint32(notKept)
	length := uint32(len(t.ids))
	if t.room(length + 1) {
		chunk := k.chunks[t.chunk].Load()
		chunk[t.end] = length | deadlock
		copy(chunk[t.end+1:], t.ids)
		place = t.chunk<<rowShift | t.end
	}
	if !k.rows.Give(&w.account, s, place) {
		if row := k.Kept(s); row != nil {
			return row
		}
		return t.ids
	}
	if deadlock == 0 {
		w.firings += int64(length)
	}
	if place == notKept {
		return t.ids
	}
	t.end += length + 1
	return k.Kept(s)
}

// room reports whether the thread has room for so many numbers in one chunk.
func (t *Walker) room(n uint32) bool {
	k := t.kripke
	if n > 1<<rowShift {
		return false
	}
	if t.chunk != 0 && t.end+n <= 1<<rowShift {
		return true
	}
	chunk := k.used.Add(1) - 1
	if chunk > k.most {
		k.used.Add(^uint32(0))
		return false
	}
	t.worker.account.Add(4 << rowShift)
	k.chunks[chunk].Store(new([1 << rowShift]petri.StateID))
	t.chunk, t.end = chunk, 0
	return true
}

// Tokens writes the tokens that some places have in s to counts.
func (t *Walker) Tokens(s petri.StateID, places []petri.Place, counts []int64) {
	layout := t.hold(s)
	for i, p := range places {
		counts[i] = layout.Tokens(t.loaded, p)
	}
}

// hold makes t.loaded the marking of s, and returns how it is packed.
func (t *Walker) hold(s petri.StateID) *petri.Layout {
	w := t.worker
	if t.game != w.game {
		t.game, t.held = w.game, 0
		t.loaded = store.Apart[uint64](len(w.packed))
	}
	if t.held != s+1 {
		w.x.store.Load(s, t.loaded)
		t.held = s + 1
	}
	return w.game.Layout()
}

// Marking writes the marking of s to m, of Places() counts.
func (t *Walker) Marking(s petri.StateID, m petri.Marking) { t.hold(s).Unpack(t.loaded, m) }

// Deadlock reports whether s enables no transition.
func (t *Walker) Deadlock(s petri.StateID) bool {
	w := t.worker
	t.hold(s)
	t.out = t.out[:0]
	w.account.Add(w.game.Work())
	// The first batch has a successor if there is any. One that does not fit is one, too.
	w.player.Begin()
	return w.player.Successors(t.loaded, &t.out) < 0 && len(t.out) == 0
}

// Firing finds a transition that leads from one state to another; ok is false if there is none.
func (t *Walker) Firing(from, to petri.StateID) (fired petri.Transition, ok bool) {
	x := t.worker.x
	before, after, scratch := x.room(), x.room(), x.room()
	t.Marking(from, before)
	t.Marking(to, after)
	return x.net.FiringBetween(before, after, scratch)
}
