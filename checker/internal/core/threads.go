package core

import (
	"context"

	"pnmc/checker/internal/lanes"
)

// Threads returns how many threads an engine with this context may explore with: those that the
// engines beside it leave, but no more than there is memory for.
func (r *Task) Threads(ctx context.Context) int {
	threads := lanes.Threads(ctx)
	if threads > 1 && r.Budget.MemoryBytes > 0 {
		threads = max(1, min(threads, int(r.Budget.Free()/threadBytes)))
	}
	return threads
}

// threadBytes is how much memory there is to be for each thread. Before it explores anything, a
// thread takes about a sixteenth of that.
const threadBytes = 16 << 20

// FewMarkings is how many markings one thread explores before several begin. They need some
// hundred microseconds each to begin, and of many small nets one is explored after the other.
const FewMarkings = 1 << 12
