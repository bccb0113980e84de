package product

import (
	"context"
	"errors"
	"testing"

	"pnmc/checker/internal/lanes"
)

// TestTellingEndsWithTheWhole: a counterexample that is being told beyond its slice of time
// has no more than the task that the slice is of.
func TestTellingEndsWithTheWhole(t *testing.T) {
	reason := errors.New("all is over")
	whole, end := context.WithCancelCause(t.Context())
	slice, cancel := context.WithCancel(t.Context()) // not over
	defer cancel()
	var ctxs []context.Context
	lanes.NewTurnstile(1).Run(slice, func(lane context.Context) { ctxs = []context.Context{slice, lane} })
	for _, ctx := range ctxs {
		telling, stop := tellingTime(WithinWhole(ctx, whole))
		defer stop()
		if telling.Err() != nil {
			t.Errorf("%T: it has ended before", ctx)
		}
		defer func() {
			<-telling.Done()
			if err := context.Cause(telling); !errors.Is(err, reason) {
				t.Errorf("%T: it ended by %v", ctx, err)
			}
		}()
	}
	end(reason)
}
