package checker

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"pnmc/petri"
)

// Engines keep within a budget of their own; this file sees to what none of them
// counts, such as the net, parsed files, and several engines at once.

const (
	// memoryLook is the time between two looks at the memory in use.
	memoryLook = 5 * time.Millisecond
)

// watchMemory ends all, by stop, when what the process holds comes near its
// limit and is not garbage: what was answered stays, and no
// answer is cut in two as it might be if the system ended it.
func (s *Solver) watchMemory(ctx context.Context, stop context.CancelCauseFunc) {
	budget := petri.Budget{MemoryBytes: s.options.MemoryBytes}
	look := time.NewTicker(memoryLook)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		if err := s.makeRoom(ctx, budget); err != nil {
			s.note("all ends: %v", err)
			stop(err)
			return
		}
	}
}

// makeRoom drops what could be made again if memory is short. The error tells that this is
// not enough. Once ctx has ended nothing need be dropped: later questions may want it.
func (s *Solver) makeRoom(ctx context.Context, budget petri.Budget) error {
	short := func() error {
		if err := budget.Poll(ctx); errors.As(err, new(*petri.MemoryError)) {
			return err
		}
		return nil
	}
	if short() == nil {
		return nil
	}
	s.kept.drop()
	return short()
}

// hasRoom reports whether there is memory to keep what could be made again.
func (r *task) hasRoom(ctx context.Context) bool { return r.solver.hasRoom(ctx) }

func (s *Solver) hasRoom(ctx context.Context) bool {
	return ctx.Err() == nil && petri.Budget{MemoryBytes: s.budget.MemoryBytes / 2}.Holds()
}

// collector is the limit of the garbage collector, which is one for the process: while
// solvers with a limit are at work it is the sum of theirs, and then again what it was.
var collector struct {
	mutex  sync.Mutex
	before int64   // its limit without solvers
	limits []int64 // of the solvers at work
}

// limitCollector makes garbage be collected before more than limit bytes are in use, until
// release is called.
func limitCollector(limit int64) (release func()) {
	c := &collector
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.limits) == 0 {
		c.before = debug.SetMemoryLimit(-1)
	}
	c.limits = append(c.limits, limit)
	setCollector()
	return func() {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		for i, l := range c.limits {
			if l == limit {
				c.limits = append(c.limits[:i], c.limits[i+1:]...)
				break
			}
		}
		setCollector()
	}
}

// setCollector sets the limit that the solvers at work ask for. Its caller holds the
// mutex.
func setCollector() {
	total := int64(0)
	for _, l := range collector.limits {
		if total += l; total < 0 {
			total = collector.before
			break
		}
	}
	if len(collector.limits) == 0 {
		total = collector.before
	}
	debug.SetMemoryLimit(min(total, collector.before))
}
