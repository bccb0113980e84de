package mcc

import (
	"context"
	"runtime/debug"
	"time"

	"pnmc/petri"
)

// Engines keep within a budget of their own; this file sees to what none of them
// counts, such as the net, parsed files, and several engines at once.

const (
	// memoryLook is the time between two looks at the memory in use.
	memoryLook = 20 * time.Millisecond
	// collectEvery is the least time between two collections that are forced.
	collectEvery = time.Second
	// programMemory is what the program's own code and tables take.
	programMemory = 24 << 20
)

// watchMemory ends the run, by stop, when what the process holds comes near its
// limit, an eighth below it, and is not garbage: what was answered stays, and no
// answer is cut in two as it might be if the system ended it.
func (r *run) watchMemory(ctx context.Context, stop context.CancelFunc) {
	limit := r.options.MemoryBytes
	budget := petri.Budget{MemoryBytes: limit, ProgramBytes: min(limit/2, programMemory)}
	look := time.NewTicker(memoryLook)
	defer look.Stop()
	var collected time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		if budget.Poll(ctx) == nil || time.Since(collected) < collectEvery {
			continue
		}
		debug.FreeOSMemory()
		collected = time.Now()
		if err := budget.Poll(ctx); err != nil && ctx.Err() == nil {
			r.note("the run ends: %v", err)
			stop()
			return
		}
	}
}

// hasRoom tells whether there is memory to keep what could be made again.
func (r *run) hasRoom(ctx context.Context) bool {
	return petri.Budget{MemoryBytes: r.budget.MemoryBytes / 2}.Poll(ctx) == nil
}
