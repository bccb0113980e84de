package product

import (
	"context"
	"errors"

	"pnmc/checker/internal/lanes"
	"pnmc/checker/product/internal/partition"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/petri"
	"pnmc/petri/multicore"
)

// Threads are those that search products together (together.go). They keep the state graph that they
// have explored for the next property of the same net. Not safe for concurrent use.
type Threads struct {
	// First is how many states of a product one thread enters before several begin again. Many
	// products have no more, and many violations are found before.
	First uint32

	count  int
	kripke *multicore.Kripke // or nil
	net    *petri.Net        // whose graph that is
	facts  petri.Facts       // that hold of it
	knobs  struct {          // zero but in tests
		yield       func() // is called where another thread may come between
		step, batch int    // of multicore.Kripke.Harass
		far         bool   // no run is looked for near the initial states
	}
}

// firstStates is a usual number for Threads.First: before a few milliseconds are over, nobody waits
// for threads.
const firstStates = 1 << 13

// MostThreads is how many threads can search together.
const MostThreads = partition.MostThreads

// NewThreads returns so many threads, MostThreads at most, for products of nets; facts must hold of the
// net whose products they search.
func NewThreads(count int, facts petri.Facts) *Threads {
	return &Threads{First: firstStates, count: min(count, MostThreads), facts: facts}
}

// several reports whether there are two threads or more.
func (t *Threads) several() bool { return t != nil && t.count > 1 }

// Count returns how many threads there are.
func (t *Threads) Count() int { return t.count }

// Kept reports whether there is a state graph that they have explored.
func (t *Threads) Kept() bool { return t != nil && t.kripke != nil }

// Forget gives up the state graph that is kept.
func (t *Threads) Forget() { t.kripke, t.net = nil, nil }

// check searches a product together, of which alone has looked at the first states. ok is false if one
// thread has to decide: some place is not bounded, or there are too many states.
func (t *Threads) check(ctx context.Context, alone *componentsOnTheFly, property properties.Property) (result properties.Result, ok bool, err error) {
	net, budget := alone.kripke.Net(), alone.account.Budget()
	if t.kripke == nil || t.net != net {
		t.kripke, t.net = multicore.NewKripke(net, t.facts, budget, t.count), net
		t.kripke.Harass(t.knobs.yield, t.knobs.step, t.knobs.batch)
	}
	x := newTogether(t.kripke, alone, t.knobs.yield)
	err = t.kripke.Run(ctx, lanes.Plain(ctx), x.search)
	if x.found != nil {
		err = nil
	}
	result.Statistics = x.statistics()
	result.Statistics.Threads = t.count
	if err == nil && x.found != nil {
		result.Counterexample, err = x.counterexample(ctx, t.knobs.far)
	}
	switch {
	case multicore.Endless(err) || errors.Is(err, states.ErrTooMany):
		t.Forget()
		return result, false, nil
	case err != nil && !isLimit(ctx, err):
		return result, true, err
	case err != nil:
		if errors.As(err, new(*petri.MemoryError)) {
			t.Forget()
		}
		result.GiveUp(err)
		return result, true, nil
	}
	result, err = concluded(ctx, alone.kripke, property, result)
	return result, true, err
}
