package product

import (
	"context"
	"errors"

	"pnmc/checker/internal/lanes"
	"pnmc/checker/product/internal/partition"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
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

// shared is a search of a product that several threads make together.
type shared interface {
	// search is what each thread does. It returns nil when all was explored.
	search(w *multicore.Walker) error
	// hasFound reports whether an accepted run was found. The error of a run does not matter then.
	hasFound() bool
	statistics() properties.Statistics
	// counterexample turns what was found into a run. Far: none is looked for near the initial states.
	counterexample(ctx context.Context, far bool) (*witness.Counterexample, error)
}

// graph returns the state graph of a net, for a search that begins.
func (t *Threads) graph(k *petri.Kripke) *multicore.Kripke {
	if t.kripke == nil || t.net != k.Net() {
		t.kripke, t.net = multicore.NewKripke(k.Net(), t.facts, k.Account().Budget(), t.count), k.Net()
		t.kripke.Harass(t.knobs.yield, t.knobs.step, t.knobs.batch)
	}
	return t.kripke
}

// check searches a product together; k is the state graph that one thread alone has begun. ok is false
// if one thread has to decide: some place is not bounded, or there are too many states.
func (t *Threads) check(ctx context.Context, k *petri.Kripke, x shared, property properties.Property) (result properties.Result, ok bool, err error) {
	err = t.kripke.Run(ctx, lanes.Plain(ctx), x.search)
	if x.hasFound() {
		err = nil
	}
	result.Statistics = x.statistics()
	result.Statistics.Threads = t.count
	if err == nil && x.hasFound() {
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
	result, err = concluded(ctx, k, property, result)
	return result, true, err
}
