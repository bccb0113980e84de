package account

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Budget limits work. Time comes through a context.
type Budget struct {
	// MemoryBytes is the most memory that the process may use; 0 means no limit. It is
	// what the operating system counts as resident, with the program itself and with
	// garbage that was not collected yet.
	MemoryBytes int64
	// EdgeBytes is the most that a Kripke structure's kept edges take, 0 for a
	// third of MemoryBytes.
	EdgeBytes int64
	// LabelBytes is the most that the table of the labels of a Kripke structure's
	// states takes, 0 for a sixteenth of MemoryBytes.
	LabelBytes int64
}

// MemoryError reports that the memory budget is spent.
type MemoryError struct{ Limit int64 }

// Error names the limit, and how much of it is kept back.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("memory limit of %d MB reached, with %d MB in reserve", e.Limit>>20, Budget{MemoryBytes: e.Limit}.reserve()>>20)
}

// reserve returns the memory that is kept back for growth before the next look, and for memory that
// nobody charges. It is a thirty-second of the budget and 4 MB, but an eighth at most. Of 1 GB that
// is 36 MB, and of 16 MB it is 2 MB.
func (b Budget) reserve() int64 { return min(b.MemoryBytes/32+4<<20, b.MemoryBytes/8) }

// Poll returns the reason to stop, the context's or a *MemoryError, or nil. It is for
// whoever has no account, every few milliseconds.
func (b Budget) Poll(ctx context.Context) error { return b.room(ctx, 0, 0) }

// room polls as Poll does before bytes are allocated, with a budget that is larger by grace.
func (b Budget) room(ctx context.Context, bytes, grace int64) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	rest(ctx)
	if b.MemoryBytes <= 0 {
		return nil
	}
	most := b.MemoryBytes - b.reserve() + grace - bytes
	if InUse() <= most || collect(most) {
		return nil
	}
	return &MemoryError{Limit: b.MemoryBytes}
}

// Holds reports whether the process has less memory than the budget, garbage counted.
func (b Budget) Holds() bool { return b.MemoryBytes <= 0 || InUse() <= b.MemoryBytes-b.reserve() }

// collecting has one goroutine at a time collect garbage.
var collecting sync.Mutex

// collect gives garbage back to the system. It reports whether the process then has less
// than most, by enough that this need not be done again soon. It takes some milliseconds
// for each hundred megabytes that are no garbage.
func collect(most int64) bool {
	collecting.Lock()
	defer collecting.Unlock()
	least := most - most/32
	if InUse() <= least { // another one did it
		return true
	}
	debug.FreeOSMemory()
	return InUse() <= least
}

// Free returns how much of the memory is not yet taken by what the process holds now, garbage
// among that; at least an eighth of the whole.
func (b Budget) Free() int64 {
	return max(b.MemoryBytes-b.reserve()-InUse(), b.MemoryBytes/8)
}

// LimitCollector makes the garbage collector work the harder, the closer the process comes to the
// budget, so that what counts is hardly ever garbage. It is for the whole process. The collector
// does not see code and tables of the program; these are taken off the budget first.
func (b Budget) LimitCollector() {
	if b.MemoryBytes > 0 {
		outside := max(InUse()-goMemory(), leastOutside)
		debug.SetMemoryLimit(max(b.MemoryBytes-b.reserve()-outside, b.MemoryBytes/8))
	}
}

// leastOutside is what code and tables of the program take at least, which the collector
// does not see.
const leastOutside = 8 << 20
