package interrupt

import (
	"context"
	"errors"
	"sync/atomic"
)

// told is what a command has told by itself of its interruption.
type told struct{ Way atomic.Bool }

type toldKey struct{}

// WithTold returns ctx with a place where a command notes what it has told.
func WithTold(ctx context.Context) (context.Context, *told) {
	t := &told{}
	return context.WithValue(ctx, toldKey{}, t), t
}

// NoteWayTold notes that it was told how to go on, or that nothing is missing.
func NoteWayTold(ctx context.Context) {
	if t, ok := ctx.Value(toldKey{}).(*told); ok {
		t.Way.Store(true)
	}
}

// Reason says why ctx ended: the user did it, or a limit.
func Reason(ctx context.Context) string {
	if why := context.Cause(ctx); why != nil && !errors.Is(why, context.Canceled) {
		return why.Error()
	}
	return ErrInterrupted.Error()
}

// WasInterrupted reports whether the user ended ctx.
func WasInterrupted(ctx context.Context) bool { return errors.Is(context.Cause(ctx), ErrInterrupted) }
