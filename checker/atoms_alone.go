package checker

import (
	"context"
	"errors"
	"time"

	"pnmc/checker/internal/turns"
	"pnmc/petri"
)

// decideOneByOne reduces the net for each open atom alone and decides it there,
// by the state equation and the state graph, with growing limits.
func decideOneByOne(ctx context.Context, r *task) error {
	t := r.atomTurns(200*time.Millisecond, 4)
	t.Memory = turns.NewRoom[int](r.budget.Free, r.shared.kept.drop, r.prospects)
	t.Try = func(part context.Context, atom int, slice time.Duration) (turns.Outcome, error) {
		n := r.reduceFor(ctx, []int{atom})
		if n == nil {
			return turns.Again, nil
		}
		if slice < time.Second {
			r.prove(part, n, slice/2)
		}
		if !r.ledger.isOpen(atom) {
			return turns.Again, nil
		}
		// What is explored in full, or ended by itself, does so again. What filled
		// the memory may find more of it later.
		err := r.explore(part, n, r.budget)
		switch {
		case errors.As(err, new(*petri.MemoryError)):
			return turns.Crowded, nil
		case part.Err() == nil:
			return turns.Hopeless, nil
		}
		return turns.Again, nil
	}
	return t.Run(ctx)
}
