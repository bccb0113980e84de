package limits

import (
	"context"
	"runtime/debug"
	"time"

	"pnmc/petri"
	"pnmc/petri/invariant"
)

// Preparing a search gets a share of its time and memory. If that is not enough, the
// search goes on without: facts that are proven of a net make it faster, but are not
// needed.
const (
	preparingTime   = 4 // a quarter of the time that is left
	preparingMemory = 2 // half of the memory
)

// Prove finds out what it can about the net within the share that preparing has.
func Prove(ctx context.Context, net *petri.Net, budget petri.Budget) petri.Facts {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/preparingTime)
		defer cancel()
	}
	budget.MemoryBytes /= preparingMemory
	ctx, cancel := WithinMemory(ctx, budget)
	defer cancel()
	facts := invariant.Prove(ctx, net, 0)
	if ctx.Err() != nil {
		debug.FreeOSMemory() // what it leaves counts as memory in use
	}
	return facts
}
