package core

import (
	"context"
	"math"

	"pnmc/checker/internal/lanes"
)

// Threads returns how many threads an engine with this context may explore with until it calls release:
// those that the engines beside it leave, but no more than most, or than there is memory for.
func (r *Task) Threads(ctx context.Context, most int) (threads int, release func()) {
	return lanes.Take(ctx, min(most, r.mostThreads()))
}

// mostThreads returns for how many threads there is memory.
func (r *Task) mostThreads() int {
	if r.Budget.MemoryBytes <= 0 {
		return math.MaxInt
	}
	return int(max(1, r.Budget.Free()/threadBytes))
}

// threadBytes is how much memory there is to be for each thread. Before it explores anything, a
// thread takes about a sixteenth of that.
const threadBytes = 16 << 20

// FewMarkings is how many markings one thread explores before several begin. They need some
// hundred microseconds each to begin, and of many small nets one is explored after the other.
const FewMarkings = 1 << 12

// MostEngines returns for how many engines there is memory that work at the same time.
func (s *Shared) MostEngines() int {
	if s.MemoryBytes <= 0 {
		return math.MaxInt
	}
	return int(max(1, s.MemoryBytes/engineBytes))
}

// engineBytes is how much memory there is to be for each engine. On a net of 720,000 arcs each lays out some
// megabytes of its own, and may take some more before it asks again whether there is memory.
const engineBytes = 32 << 20
