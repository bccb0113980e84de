package petri

import (
	"context"
	"math/big"
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
// called now and then with the statistics so far.
//
// The error is nil if the exploration is complete. Otherwise it is the reason
// why it is not: that of ctx, a *MemoryError, an *UnboundedError or an
// *OverflowError; the statistics are then of what was explored.
func Explore(ctx context.Context, net *Net, facts Facts, budget Budget, progress func(Statistics)) (Statistics, error) {
	e := explorer{space: NewSpace(net, facts)}
	e.measure = newMeasure(e.space.layout)
	err := e.run(ctx, budget, progress)
	e.measure.report(&e.result)
	e.result.States = int64(e.space.Len())
	e.result.Complete = err == nil
	e.result.BytesPerState = float64(e.space.MemoryBytes()) / float64(max(1, e.space.Len()))
	return e.result, err
}

// explorer walks the store in the order of arrival, which is breadth first: no
// queue is needed.
type explorer struct {
	space   *Space
	measure *measure
	result  Statistics
	out     []uint64 // packed successors waiting to be interned
	from    []StateID
	ids     []StateID
	work    int // words of successors since the last look at the budget
}

// pollEvery is the largest number of states between two looks at the budget.
const pollEvery = 1 << 13

func (e *explorer) run(ctx context.Context, budget Budget, progress func(Statistics)) error {
	s := e.space
	for id := StateID(0); ; id++ {
		if int(id) >= s.Len() {
			e.flush()
			if int(id) >= s.Len() {
				return nil
			}
		}
		if e.work > pollWork || id%pollEvery == 0 {
			e.work = 0
			if err := budget.Poll(ctx); err != nil {
				e.flush()
				return err
			}
			if progress != nil {
				e.result.States = int64(s.Len())
				e.measure.report(&e.result)
				progress(e.result)
			}
		}
		if s.Len() > maxStates-batchSize*2 {
			return ErrTooManyStates
		}
		if err := e.visit(id); err != nil {
			return err
		}
	}
}

// visit expands id and puts its successors into the waiting batch.
func (e *explorer) visit(id StateID) error {
	s := e.space
	before := len(e.out)
	err := s.expand(id, &e.out)
	if err == errFlushFirst {
		e.flush()
		before = 0
		err = s.expand(id, &e.out)
	}
	if err != nil {
		return err
	}
	if e.measure.layout != s.layout {
		e.measure = e.measure.relaid(s.layout)
	}
	e.measure.observe(s.packed)
	firings := (len(e.out) - before) / s.layout.words
	e.result.Firings += int64(firings)
	e.work += len(e.out) - before
	if firings == 0 {
		e.result.Deadlocks++
	}
	if s.trackParent {
		for range firings {
			e.from = append(e.from, id)
		}
	}
	if len(e.out) >= batchSize*s.layout.words {
		e.flush()
	}
	return nil
}

// flush interns the waiting successors.
func (e *explorer) flush() {
	s := e.space
	n := len(e.out) / s.layout.words
	if n == 0 {
		return
	}
	if cap(e.ids) < n {
		e.ids = make([]StateID, n+batchSize)
	}
	e.ids = e.ids[:n]
	s.store.internAll(e.out, e.ids)
	if s.trackParent {
		for i, id := range e.ids {
			if int(id) >= s.parent.length {
				s.parent.append(e.from[i])
			}
		}
		e.from = e.from[:0]
	}
	e.out = e.out[:0]
}
