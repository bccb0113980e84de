package multicore

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/internal/store"
)

// Explore explores as petri.Explore does, with so many threads. Figures of a complete
// exploration do not depend on their number. Progress is called by the thread of the caller.
//
// If a place is found to be unbounded, or to overflow, the net is explored again with one
// thread. So it is always the same place, and the same part of the state space.
func Explore(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, progress func(petri.Statistics), uncounted ...petri.Place) (petri.Statistics, error) {
	if threads <= 1 {
		return net.Explore(ctx, facts, budget, progress, uncounted...)
	}
	found, err := explore(ctx, net, facts, budget, threads, progress, uncounted)
	if Endless(err) {
		if again, reason := net.Explore(ctx, facts, budget, progress, uncounted...); Endless(reason) {
			return again, reason
		}
	}
	return found, err
}

// exploration is what threads share.
type exploration struct {
	net      *petri.Net
	store    *store.Shared
	workers  []*worker
	game     *petri.Game // with its layout; changes at meetings
	tracked  bool        // parents are: some place may be unbounded, or runs are wanted
	progress func(petri.Statistics)
	yield    func() // nil but in tests
	batch    int    // markings that are interned at a time

	_ [line]byte
	// halt: all threads are to come to a meeting, or to end. They look at it for each marking.
	halt atomic.Bool
	_    [line]byte
	// resting are the threads without work.
	resting atomic.Int32
	_       [line]byte

	mutex   sync.Mutex
	work    sync.Cond // there is something to do for those who rest
	met     sync.Cond // a meeting goes on
	meeting meeting
	over    bool
	reason  error // why it is over, if it is not complete
	defect  any   // of some thread, with where it showed
}

// line is two cache lines: what is written by different threads lies so far apart.
const line = 128

// forTests are zero but in tests.
type forTests struct {
	yield func() // is called where another thread may come between
	step  int    // the table is filled anew each time after so many markings
	batch int    // so many markings at most are interned at a time; not more than step, which there is room for
}

var knobs forTests

// explore explores with two threads or more.
func explore(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, progress func(petri.Statistics), uncounted []petri.Place) (petri.Statistics, error) {
	x := newExploration(ctx, net, facts, budget, threads, false, uncounted)
	x.progress = progress
	x.run()
	return x.statistics(), x.reason
}

// newExploration returns one that has the initial marking, with parents in any case if runs are wanted.
func newExploration(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, runs bool, uncounted []petri.Place) *exploration {
	return knobs.newExploration(ctx, net, facts, budget, threads, runs, uncounted)
}

// newExploration is the function of that name, in tests with these knobs.
func (knobs forTests) newExploration(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, runs bool, uncounted []petri.Place) *exploration {
	layout, initial := net.InitialLayout(facts)
	x := &exploration{net: net, game: layout.Game(), tracked: runs || layout.Unproven(), yield: knobs.yield, batch: store.Batch}
	if knobs.batch > 0 {
		x.batch = knobs.batch
	}
	x.work.L, x.met.L = &x.mutex, &x.mutex
	x.store = store.NewShared(layout.Words(), layout.Bytes(), store.Options{Threads: threads, Parents: x.tracked, Step: knobs.step})
	for range threads {
		w := &worker{x: x, arena: x.store.NewArena(x.yield), account: *account.New(budget)}
		w.account.Begin(ctx)
		w.measure = *layout.Measure()
		w.measure.LeaveOut(uncounted)
		w.adopt(x.game)
		x.workers = append(x.workers, w)
	}
	first := x.workers[0]
	first.arena.Reserve(1)
	first.arena.InternAll(initial, []petri.StateID{0}, first.ids[:1]) // its parent is itself
	first.arena.Publish()
	return x
}

// run explores with all workers.
func (x *exploration) run() { x.each((*worker).run) }

// each has each worker do some work, the first one by the thread of the caller, and returns when all
// have. It panics if one of them does.
func (x *exploration) each(work func(*worker)) {
	var others sync.WaitGroup
	for _, w := range x.workers[1:] {
		others.Go(func() { w.guarded(work) })
	}
	x.workers[0].guarded(work)
	others.Wait()
	if x.defect != nil {
		panic(x.defect)
	}
}

// guarded does some work. A defect ends the exploration for all.
func (w *worker) guarded(work func(*worker)) {
	defer func() {
		if defect := recover(); defect != nil {
			w.x.end(errDefect)
			w.x.mutex.Lock()
			defer w.x.mutex.Unlock()
			w.x.defect = fmt.Sprintf("%v\n%s", defect, debug.Stack())
		}
	}()
	work(w)
}

// errDefect ends an exploration in which a thread has panicked.
var errDefect = errors.New("a thread has a defect")

// statistics returns those of all workers together. None may be at work.
func (x *exploration) statistics() petri.Statistics {
	var s petri.Statistics
	measure := &x.workers[0].measure
	for _, w := range x.workers {
		s.States += w.arena.Count()
		s.Firings += w.firings
		s.Deadlocks += w.deadlocks
		measure.Raise(&w.measure)
	}
	measure.Report(&s)
	s.Complete = x.reason == nil
	s.BytesPerState = float64(x.store.MemoryBytes()) / float64(max(1, s.States))
	return s
}

// end ends the exploration for a reason; the first one counts.
func (x *exploration) end(reason error) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.endNow(reason)
}

// endNow ends the exploration. The caller holds the mutex.
func (x *exploration) endNow(reason error) {
	if !x.over {
		x.over, x.reason = true, reason
		x.halt.Store(true)
		x.work.Broadcast()
		x.met.Broadcast()
	}
}

// Marking and Parent make the exploration what Layout.CheckGrowth asks, in a meeting.

// Marking writes the marking of id to m.
func (x *exploration) Marking(id petri.StateID, m petri.Marking) {
	packed := make([]uint64, x.game.Layout().Words())
	x.store.Load(id, packed)
	x.game.Layout().Unpack(packed, m)
}

// Parent returns the state that id was first reached from. The initial state's is itself.
func (x *exploration) Parent(id petri.StateID) (petri.StateID, bool) {
	parent := x.store.Parent(id)
	return parent, parent != id
}
