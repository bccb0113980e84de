package symbolic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"pnmc/internal/account"
	"pnmc/symbolic/order"
)

// A race tries several orders of variables.
//
// No heuristic for orders is good for all systems, and a bad order costs orders of magnitude. The
// same is true of encodings. So several orders race: each explores in a forest of its own, in turns
// of a slice of work, and the first to finish wins. For example, of ten orders with slices of ten
// milliseconds, the best may need a second alone, and then finishes after ten seconds at most. But
// after five rounds half of them are dropped, and after ten rounds half of the rest, down to three:
// the winner then waits little.
//
// Three measures decide who is dropped. Each of them is wrong for some systems. Saturation works
// from the bottom up, so that the level at which it works says how far it has come. The number of
// nodes made on the way says at what price. And the cost of the order is known before it is tried.
//
// Runners are goroutines, since an exploration is a deep recursion that cannot be left and entered
// again. But only one works at a time: it works between a value that it receives on turn and one
// that it sends on done. So nothing needs a lock, and which order wins does not depend on the
// number of processors.
type race struct {
	options  Options
	runners  []*runner
	slice    uint32
	late     []*runner // who start once more than lateFrom is spent, or if nobody else is left
	spent    uint64    // work of all turns
	lateFrom uint64
	// headStart is how many turns the preferred runner, the first, has before the others start.
	headStart int
	rounds    int
	beside    bool // a race on another net has turns, too: not even a single runner goes on without
	fewest    int  // that go on to the end
	// ordered ends the context of searches for orders, once they have begun.
	ordered context.CancelCauseFunc
}

// A runner explores with one order. It runs in its own goroutine, but only
// between a value on turn and the next on done.
type runner struct {
	name   string
	late   bool // not compared with others
	system *System
	find   func() []int
	orders *order.Search // nil if the order is given
	order  []int         // once it has started
	cost   float64       // of the order, with groups
	space  *space
	turn   chan bool // true: go on; false: stop
	done   chan bool // true: finished, successfully or not; false: a slice is done
	found  Node
	err    error
}

const (
	// firstSlice is the work of a turn at first, in nodes and operations: some ten
	// milliseconds. Every roundsToThinOut rounds runners are dropped, and the slice grows by
	// sliceGrowth: who has done little cannot be judged.
	firstSlice      = 25000
	sliceGrowth     = 2
	roundsToThinOut = 5
	// preferredTurns is how many turns a preferred order has before others start: some tenths of a
	// second. An order that won in one race mostly wins that of a similar net, in a small part of the
	// time that all orders take.
	preferredTurns = 40
	// fewestRunners go on to the end.
	fewestRunners = 3
	// roomToRun is how many times the memory that its rules and tables take a runner needs,
	// to get anywhere. On large nets these take tens of megabytes.
	roomToRun = 3
	// triedAgain is how many heuristics are tried for encodings after the first.
	triedAgain = 5
	// triedLate is the heuristic that is tried with places as variables, if groups of them did
	// not finish within lateWork, a second or two. Groups are better for nearly all nets, and
	// these must not pay for the others. Nothing that the race can measure early says which
	// nets the others are. So it takes part late, and is not compared.
	triedLate = "sloan-reversed"
	lateWork  = 10_000_000
)

// errDropped ends a runner that lost.
var errDropped = errors.New("another variable order won")

// newRace prepares the race of the orders that the options ask for, and of the systems, which
// encode the same states. An error says that there is no heuristic of the name that was asked for.
func newRace(systems []*System, o Options) (*race, error) {
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	r := &race{options: o, slice: firstSlice, lateFrom: lateWork, fewest: fewestRunners}
	if o.Slice > 0 {
		r.slice = uint32(o.Slice)
	}
	tried := order.Heuristics()
	if o.Heuristic != "" {
		h, err := order.Named(o.Heuristic)
		if err != nil {
			return nil, fmt.Errorf("variable order: %w", err)
		}
		tried = []order.Heuristic{h}
	}
	if i := slices.IndexFunc(tried, func(h order.Heuristic) bool { return h.Name == o.Prefer }); i >= 0 && o.Order == nil {
		preferred := tried[i]
		tried = slices.Insert(slices.Delete(tried, i, i+1), 0, preferred)
		r.headStart = preferredTurns
	}
	for i, s := range systems {
		if o.Order != nil {
			r.runners = append(r.runners, &runner{name: "given", system: s, find: func() []int { return o.Order }})
			continue
		}
		orders := order.NewSearch(len(s.Names), s.supports, s.Groups)
		for j, h := range tried {
			x := &runner{name: h.Name, system: s, orders: orders, find: func() []int { return orders.Find(h) }}
			switch {
			case i > 0 && s.Codes == nil:
				if h.Name == triedLate {
					x.name, x.late = x.name+" of places", true
					r.late = append(r.late, x)
				}
			case i == 0 || j < triedAgain:
				r.runners = append(r.runners, x)
			}
		}
	}
	return r, nil
}

// run lets the runners take turns until one finishes, and returns what that found. If the context
// ends, the runner whose turn it is notices.
func (r *race) run(ctx context.Context) (*StateSpace, error) {
	defer r.end()
	for {
		if s, over, err := r.round(ctx); over {
			return s, err
		}
	}
}

// end ends the goroutines of all runners.
func (r *race) end() {
	for _, x := range r.runners {
		x.drop()
	}
	if r.ordered != nil {
		r.ordered(nil)
	}
}

// round gives each runner a turn, and drops some if it is time for that. It reports whether the race is
// over, with what run returns.
func (r *race) round(ctx context.Context) (s *StateSpace, over bool, err error) {
	if r.rounds == 0 {
		ordering, ordered := account.Within(ctx, r.options.Process)
		r.ordered = ordered
		for _, x := range slices.Concat(r.runners, r.late) {
			if x.orders != nil {
				x.orders.Watch(ordering)
			}
		}
	}
	r.rounds++
	if r.spent > r.lateFrom || len(r.runners) == 0 {
		r.runners, r.late = append(r.runners, r.late...), nil
	}
	if len(r.runners) == 0 {
		if ctx.Err() != nil {
			return nil, true, context.Cause(ctx)
		}
		return nil, true, ErrNoOrder
	}
	for i := 0; i < len(r.runners); i++ {
		x := r.runners[i]
		if x.space == nil {
			if x.order = x.find(); x.order == nil || r.isTried(x, i) {
				r.runners = slices.Delete(r.runners, i, i+1)
				i--
				continue
			}
			switch err := x.start(ctx, r); {
			case errors.Is(err, ErrMemory) && ctx.Err() == nil && i > 0:
				r.runners = slices.Delete(r.runners, i, i+1)
				i--
				continue
			case x.space != nil && err != nil:
				return x.space.result(x.name, Empty), true, err
			case err != nil:
				return nil, true, err
			}
			if r.crowd(x.space.forest.Memory()); i >= len(r.runners) {
				break
			}
		}
		x.space.forest.setBudget(r.options.Memory / int64(len(r.runners)))
		turns := 1
		if x.name == r.options.Prefer {
			turns, r.headStart = max(turns, r.headStart), 0
		}
		if !r.give(x, turns) {
			continue
		}
		if x.err == nil {
			x.space.forest.setBudget(r.options.Memory) // the others are gone
			return x.space.result(x.name, x.found), true, nil
		}
		if ctx.Err() != nil || len(r.runners) == 1 && len(r.late) == 0 || isUnbounded(x.err) {
			return x.space.result(x.name, Empty), true, x.err
		}
		r.runners = slices.Delete(r.runners, i, i+1) // out of memory: others may do
		i--
	}
	if r.rounds%roundsToThinOut == 0 && r.thinOut() {
		r.slice *= sliceGrowth
	}
	return nil, false, nil
}

// give lets a runner have so many turns, and reports whether it finished.
func (r *race) give(x *runner, turns int) (finished bool) {
	for range turns {
		r.spent += uint64(r.slice)
		x.turn <- true
		if finished = <-x.done; finished {
			break
		}
	}
	return finished
}

// ErrNoOrder reports that no heuristic which was asked has an order: the system is too large for it, or
// lacks what it goes by, such as groups. Others may have one.
var ErrNoOrder = errors.New("the heuristic of the variable order says nothing about this system, or takes too long")

// crowd drops the last runners if there are so many that each would have less than roomToRun times
// the memory that one has taken before it ran.
func (r *race) crowd(taken int64) {
	most := int(max(1, r.options.Memory/(roomToRun*taken)))
	if len(r.runners) <= most {
		return
	}
	for _, x := range r.runners[most:] {
		x.drop()
	}
	r.runners = slices.Delete(r.runners, most, len(r.runners))
}

// isTried reports whether one of the first runners has the order of x.
func (r *race) isTried(x *runner, first int) bool {
	return slices.ContainsFunc(r.runners[:first], func(y *runner) bool {
		return y.system == x.system && slices.Equal(y.order, x.order)
	})
}

// thinOut keeps half of the runners, and at least fewest. It takes in turn the best that is
// left by each of three measures: how high saturation has come, promise, and the cost of the order.
// So a runner that is best by one measure stays. Late runners stay anyhow. It reports whether it
// had to choose.
func (r *race) thinOut() bool {
	var compared, kept []*runner
	for _, x := range r.runners {
		if x.late {
			kept = append(kept, x)
		} else {
			compared = append(compared, x)
		}
	}
	if len(compared) <= r.fewest {
		return false
	}
	byPromise := func(a, b *runner) int { return cmp.Compare(b.promise(), a.promise()) }
	byLevel := func(a, b *runner) int {
		return cmp.Or(cmp.Compare(b.space.forest.level, a.space.forest.level), byPromise(a, b))
	}
	byCost := func(a, b *runner) int { return cmp.Compare(a.cost, b.cost) }
	var sorted [][]*runner
	for _, compare := range []func(a, b *runner) int{byLevel, byPromise, byCost} {
		sorted = append(sorted, slices.SortedStableFunc(slices.Values(compared), compare))
	}
	target := len(kept) + max(r.fewest, (len(compared)+1)/2)
	for i := 0; len(kept) < target; i = (i + 1) % len(sorted) {
		x := sorted[i][0]
		sorted[i] = sorted[i][1:]
		if !slices.Contains(kept, x) {
			kept = append(kept, x)
		}
	}
	for _, x := range r.runners {
		if !slices.Contains(kept, x) {
			x.drop()
		}
	}
	r.runners = kept
	return true
}

// promise returns the number of events that the runner has done with, divided by the number of
// nodes that it made. Of two runners that have come equally far, the one with fewer nodes has the
// better order.
func (x *runner) promise() float64 {
	f := x.space.forest
	done := x.space.eventsBelow[f.level]
	return float64(done+1) / float64(f.Nodes())
}

// start lays out the space and starts the goroutine, which waits for its turn.
func (x *runner) start(ctx context.Context, r *race) error {
	sp, err := newSpace(ctx, x.system, x.order, r.options)
	x.space = sp // tells how far it came
	if err != nil {
		return err
	}
	if r.options.Method == Saturation {
		_, err := sp.forest.guarded(nil, func() Node {
			defer sp.forest.within(ctx)()
			sp.relation.merge()
			return Empty
		})
		if err != nil {
			return err
		}
	}
	if x.orders != nil {
		x.cost = x.orders.Cost(x.order)
	}
	x.turn, x.done = make(chan bool), make(chan bool, 1) // with room, so that the goroutine ends before its end is heard of
	work := uint32(0)
	sp.forest.pause = func() {
		if work += pollEvery; work < r.slice || len(r.runners) == 1 && len(r.late) == 0 && !r.beside {
			return
		}
		work = 0
		x.done <- false
		if !<-x.turn {
			panic(stop{errDropped})
		}
	}
	go func() {
		if <-x.turn {
			x.found, x.err = sp.reach(ctx, r.options.Method)
		}
		sp.forest.pause = nil
		x.done <- true
	}()
	return nil
}

// drop ends the goroutine of a runner that waits for its turn, if it does.
func (x *runner) drop() {
	if x.space == nil || x.space.forest.pause == nil {
		return
	}
	x.turn <- false
	<-x.done
}
