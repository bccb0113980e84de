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
// One thread explores the first markings. If there are more, they are counted (counting.go), unless
// a place turns out to have more tokens than it was thought to have. Then markings have numbers in
// a store, of petri or shared by threads.
func Explore(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, progress func(petri.Statistics), uncounted ...petri.Place) (petri.Statistics, error) {
	return ExploreBeside(ctx, ctx, net, facts, budget, threads, progress, uncounted...)
}

// ExploreBeside explores as Explore does. Others is the context of the threads other than the caller's.
func ExploreBeside(ctx, others context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, progress func(petri.Statistics), uncounted ...petri.Place) (petri.Statistics, error) {
	layout, _ := initialLayout(ctx, net, facts, budget)
	most := mostFirst
	if layout.Words() > 1 {
		most = max(mostFirst, firstBytes/layout.Bytes())
	}
	if knobs.first > 0 {
		most = knobs.first
	}
	found, layout, err := net.ExploreFirst(ctx, facts, budget, most, progress, uncounted...)
	if !errors.Is(err, petri.ErrMore) {
		return found, err
	}
	if found, err := count(ctx, others, net, layout, budget, threads, progress, uncounted); !errors.Is(err, errTooNarrow) {
		return found, err
	}
	return exploreNumbered(ctx, others, net, facts, budget, threads, progress, uncounted...)
}

const (
	// mostFirst is about how many markings are explored before others are counted.
	mostFirst = 1 << 14
	// firstBytes is what more words of markings may take that are explored before, as they are
	// counted in less memory, but not faster.
	firstBytes = 1 << 20
)

// exploreNumbered explores with markings that have numbers.
//
// If a place is found to be unbounded, or to overflow, the net is explored again with one
// thread. So it is always the same place, and the same part of the state space.
func exploreNumbered(ctx, others context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, progress func(petri.Statistics), uncounted ...petri.Place) (petri.Statistics, error) {
	if threads <= 1 {
		return net.Explore(ctx, facts, budget, progress, uncounted...)
	}
	found, err := explore(ctx, others, net, facts, budget, threads, progress, uncounted)
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

	symmetries *petri.Symmetries // by which markings stand for others; nil: none does

	yield func() // nil but in tests
	batch int    // markings that are interned at a time

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
}

// line is two cache lines: what is written by different threads lies so far apart.
const line = 128

// forTests are zero but in tests.
type forTests struct {
	yield func() // is called where another thread may come between
	step  int    // the table is filled anew each time after so many markings
	batch int    // so many markings at most are interned or given at a time; not more than step, which there is room for
	first int    // so many markings are explored before others are counted
	most  uint64 // so many numbers are there for markings
}

var knobs forTests

// explore explores with two threads or more.
func explore(ctx, others context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, progress func(petri.Statistics), uncounted []petri.Place) (petri.Statistics, error) {
	x, err := newExploration(ctx, net, facts, budget, threads, false, uncounted)
	if err != nil {
		return petri.Statistics{States: 1}, err
	}
	for _, w := range x.workers[1:] {
		w.account.Begin(others)
	}
	x.progress = progress
	x.run()
	return x.statistics(), x.reason
}

// newExploration returns one that has the initial marking, with parents in any case if runs are wanted. An error is a reason
// of the account.
func newExploration(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, runs bool, uncounted []petri.Place) (*exploration, error) {
	return knobs.newExploration(ctx, net, facts, budget, threads, runs, uncounted)
}

// newExploration is the function of that name, in tests with these knobs.
func (knobs forTests) newExploration(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, runs bool, uncounted []petri.Place) (*exploration, error) {
	layout, initial := initialLayout(ctx, net, facts, budget)
	game, err := gameOf(ctx, layout, budget)
	if err != nil {
		return nil, err
	}
	x := &exploration{net: net, game: game, tracked: runs || layout.Unproven(), yield: knobs.yield, batch: store.Batch}
	if knobs.batch > 0 {
		x.batch = knobs.batch
	}
	x.work.L, x.met.L = &x.mutex, &x.mutex
	x.store = store.NewShared(layout.Words(), layout.Bytes(), store.Options{Threads: threads, Parents: x.tracked, Step: knobs.step, Most: knobs.most})
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
	return x, nil
}

// gameOf returns the game of a layout, made within these limits. An error is a reason of the account.
func gameOf(ctx context.Context, layout *petri.Layout, budget petri.Budget) (*petri.Game, error) {
	a := account.New(budget)
	a.Begin(ctx)
	return layout.Game(a)
}

// initialLayout returns that of the net and its initial marking, found within these limits.
func initialLayout(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget) (layout *petri.Layout, initial []uint64) {
	a := account.New(budget)
	a.Begin(ctx)
	return net.InitialLayout(a, facts)
}

// run explores with all workers.
func (x *exploration) run() { x.each((*worker).run) }

// each has each worker do some work, the first one by the thread of the caller, and returns when all
// have. It panics if one of them does.
func (x *exploration) each(work func(*worker)) {
	runTogether(len(x.workers), func(i int) { work(x.workers[i]) }, x.end)
}

// runTogether calls run for each of so many threads at the same time, for the first with the thread
// of the caller. If one panics it calls end, and panics itself when all have ended.
func runTogether(threads int, run func(i int), end func(error)) {
	var mutex sync.Mutex
	var found any
	guarded := func(i int) {
		defer func() {
			if defect := recover(); defect != nil {
				end(errDefect)
				mutex.Lock()
				defer mutex.Unlock()
				found = fmt.Sprintf("%v\n%s", defect, debug.Stack())
			}
		}()
		run(i)
	}
	var others sync.WaitGroup
	for i := 1; i < threads; i++ {
		others.Go(func() { guarded(i) })
	}
	guarded(0)
	others.Wait()
	if found != nil {
		panic(found)
	}
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
