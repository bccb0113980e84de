package atoms

import (
	"context"
	"errors"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/turns"
	"pnmc/petri"
)

// OneByOne reduces the net for each open atom alone and decides it there, by the state equation and
// the state graph. Each atom gets a slice of 200 ms, or more on a large net, then each that is still open one four times as
// long, and so on. In slices below a second half of the time belongs to the state equation. Later
// it is not asked again. Techniques that the solver must not use are left out.
//
// An atom is given up for good if its search ended by itself without an answer. If its search filled
// the memory, it is tried again when more is free. Where threads are free, atoms are tried beside each other.
func OneByOne(ctx context.Context, r *core.Task) error {
	whole := lanes.Plain(ctx)
	t := r.AtomTurns(r.SliceAlone(200*time.Millisecond), 4)
	t.Beside = r.Beside()
	t.Memory = turns.NewRoom[int](r.Budget.Free, r.Shared.Kept.Drop, r.Prospects)
	t.Try = func(part context.Context, atom int, slice time.Duration) (turns.Outcome, error) {
		n := r.ReduceFor(lanes.Of(part, whole), []int{atom})
		if n == nil { // for lack of memory, if not of time
			return turns.Crowded, nil
		}
		explored := r.Shared.Uses(inquiry.ExplicitSearch)
		if r.Shared.Uses(inquiry.LinearProgram) && (slice < time.Second || !explored) {
			proving, cancel := part, context.CancelFunc(func() {})
			if explored {
				proving, cancel = lanes.Sliced(part, slice/2)
			}
			_ = prove(proving, r, n, slice, false) // what it finds is on the ledger
			cancel()
		}
		if explored && r.Ledger.IsOpen(atom) {
			err := explore(part, r, n, r.Budget)
			if errors.As(err, new(*petri.MemoryError)) {
				return turns.Crowded, nil // there may be more of it later
			}
		}
		if part.Err() == nil { // what ended by itself does so again
			return turns.Hopeless, nil
		}
		return turns.Again, nil
	}
	return t.Run(ctx)
}
