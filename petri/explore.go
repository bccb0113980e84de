package petri

import (
	"context"
	"errors"
	"math/big"

	"pnmc/internal/account"
	"pnmc/petri/internal/store"
)

// Statistics are what an exploration found out about a state space.
type Statistics struct {
	// States are the reachable markings, Firings the labelled edges between
	// them: pairs of a marking and a transition enabled in it.
	States, Firings int64
	// MaxTokensPerMarking is the largest sum of all counts in a marking,
	// MaxTokensInPlace the largest count of a place.
	MaxTokensPerMarking *big.Int
	MaxTokensInPlace    int64
	// Deadlocks are the markings that enable nothing.
	Deadlocks int64
	// Complete: the figures are those of the whole state space, not only of
	// what was explored when the budget was spent.
	Complete bool
	// BytesPerState is what a marking takes in the store, with its slots.
	BytesPerState float64
}

// Explore visits all reachable markings breadth first. progress, unless nil, is
// called now and then with the statistics so far. The tokens of uncounted places, such as
// the sums over colours of an unfolded net, are left out of the most tokens.
//
// The error is nil if the exploration is complete. Otherwise it is the reason: the
// error of ctx, a *MemoryError, an *UnboundedError or an *OverflowError. The statistics
// then cover what was explored.
func (n *Net) Explore(ctx context.Context, facts Facts, budget Budget, progress func(Statistics), uncounted ...Place) (Statistics, error) {
	return n.ExploreFurther(ctx, facts, budget, nil, progress, uncounted...)
}

// ExploreFurther explores as Explore does. Once memory or the numbers for markings are used
// up, it leaves the rest to further, unless that is nil.
func (n *Net) ExploreFurther(ctx context.Context, facts Facts, budget Budget, further func(*Rest) (Statistics, error), progress func(Statistics), uncounted ...Place) (Statistics, error) {
	e := newExplorer(ctx, n, facts, budget, uncounted)
	err := e.run(progress)
	if further != nil && (errors.As(err, new(*MemoryError)) || errors.Is(err, ErrTooManyStates)) {
		return further(e.rest())
	}
	return e.statistics(err), err
}

// ErrMore ends an exploration that was to explore only so many markings, and has met more.
var ErrMore = errors.New("more markings than were to be explored")

// ExploreFirst explores as Explore does, but ends with ErrMore soon after it has met more than most
// markings. Layout is how it packed them in the end: fields may be wider than in the beginning.
func (n *Net) ExploreFirst(ctx context.Context, facts Facts, budget Budget, most int, progress func(Statistics), uncounted ...Place) (s Statistics, layout *Layout, err error) {
	e := newExplorer(ctx, n, facts, budget, uncounted)
	e.most = most
	err = e.run(progress)
	return e.statistics(err), e.space.layout, err
}

// newExplorer returns one that has the initial marking.
func newExplorer(ctx context.Context, n *Net, facts Facts, budget Budget, uncounted []Place) *explorer {
	a := account.New(budget)
	a.Begin(ctx)
	e := &explorer{space: newSpace(a, n, facts), most: store.MaxStates}
	e.measure = e.space.layout.Measure()
	e.measure.LeaveOut(uncounted)
	return e
}

// statistics returns what was found until the exploration ended with err.
func (e *explorer) statistics(err error) Statistics {
	e.measure.Report(&e.result)
	e.result.States = int64(e.space.Len())
	e.result.Complete = err == nil
	e.result.BytesPerState = float64(e.space.MemoryBytes()) / float64(max(1, e.space.Len()))
	return e.result
}

// Rest is what is left of an exploration, for whoever goes on elsewhere.
type Rest struct {
	Layout  *Layout
	Measure *Measure
	// Found has the firings and deadlocks of the markings that were explored, and how many were met.
	Found Statistics
	// Markings calls visit with all markings met, packed, those that were explored first, and
	// gives each up when it was visited. It ends with the first error.
	Markings func(visit func(packed []uint64, explored bool) error) error
	// Waiting are successors of markings that were explored, which may have been met or not.
	Waiting []uint64
}

// rest takes from the explorer what it has. If the markings are lost, it begins anew.
func (e *explorer) rest() *Rest {
	s := e.space
	r := &Rest{Layout: s.layout, Measure: e.measure.Relaid(s.layout), Found: e.result, Waiting: e.out}
	markings, explored := s.store, e.explored
	if s.lost != nil {
		r.Found.Firings, r.Found.Deadlocks, explored = 0, 0, 0
		markings = store.New(s.layout.words, s.layout.bytes)
		s.layout.Pack(s.net.Initial(), s.packed)
		markings.Intern(s.packed)
	}
	r.Found.States = int64(markings.Len())
	markings.ForgetTable()
	r.Markings = func(visit func(packed []uint64, explored bool) error) error {
		return markings.Drain(func(id StateID, packed []uint64) error { return visit(packed, id < explored) })
	}
	return r
}

// explorer walks the store in the order of arrival, which is breadth first: no
// queue is needed.
type explorer struct {
	space   *space
	measure *Measure
	result  Statistics
	most    int // markings, where the exploration ends soon after
	// explored is the number of markings whose successors are found, interned or in out.
	explored StateID
	out      []uint64 // packed successors waiting to be interned
	from     []StateID
	ids      []StateID
}

// tellEvery is the number of states between two calls of progress. It is a power
// of two.
const tellEvery = 1 << 10

// run visits all markings in order of their numbers, until there is none that was not visited.
func (e *explorer) run(progress func(Statistics)) error {
	s := e.space
	if s.lost != nil {
		return s.lost
	}
	for id := StateID(0); ; id++ {
		if int(id) >= s.Len() {
			if err := e.flush(); err != nil || int(id) >= s.Len() {
				return err
			}
		}
		if s.Len() > e.most {
			return ErrMore
		}
		if progress != nil && id&(tellEvery-1) == 0 {
			e.result.States = int64(s.Len())
			e.measure.Report(&e.result)
			progress(e.result)
		}
		if err := e.visit(id); err != nil {
			return err
		}
	}
}

// visit expands id and puts its successors into the waiting batch.
func (e *explorer) visit(id StateID) error {
	s := e.space
	firings := 0
	for c := (cursor{}); !c.done(s.firing); {
		before := len(e.out)
		if narrow := s.expand(id, &e.out, &c); narrow >= 0 {
			if err := e.flush(); err != nil {
				return err
			}
			if err := s.makeRoom(id, narrow); err != nil {
				return err
			}
			c, firings = cursor{}, 0 // what was met already is met again
			continue
		}
		found := (len(e.out) - before) / s.layout.words
		firings += found
		if s.trackParent {
			for range found {
				e.from = append(e.from, id)
			}
		}
		if len(e.out) >= store.Batch*s.layout.words {
			if err := e.flush(); err != nil {
				return err
			}
		}
	}
	if e.measure.layout != s.layout {
		e.measure = e.measure.Relaid(s.layout)
	}
	e.measure.Observe(s.packed)
	e.result.Firings += int64(firings)
	e.explored = id + 1
	s.account.Add(s.firing.tryWork() + 8*s.layout.words)
	if firings == 0 {
		e.result.Deadlocks++
		return s.account.Charge(0) // nothing is interned, which would ask
	}
	return nil
}

// flush interns the waiting successors.
func (e *explorer) flush() error {
	s := e.space
	n := len(e.out) / s.layout.words
	if n == 0 {
		return nil
	}
	if cap(e.ids) < n {
		e.ids = make([]StateID, n+store.Batch)
	}
	e.ids = e.ids[:n]
	if err := s.intern(e.out, e.ids); err != nil {
		return err
	}
	if s.trackParent {
		for i, id := range e.ids {
			if int(id) >= s.parent.Length {
				s.parent.Append(e.from[i])
			}
		}
		e.from = e.from[:0]
	}
	e.out = e.out[:0]
	return nil
}
