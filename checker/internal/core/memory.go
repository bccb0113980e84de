package core

import (
	"context"
	"errors"

	"pnmc/checker/internal/lanes"
	"pnmc/internal/account"
	"pnmc/petri"
)

// Engines keep within a budget of their own; this file sees to what none of them
// counts, such as the net, parsed files, and several engines at once.

// WatchMemory ends all, by stop, when what the process holds comes near its
// limit and is not garbage: what was answered stays, and no
// answer is cut in two as it might be if the system ended it.
func (s *Shared) WatchMemory(ctx context.Context, stop context.CancelCauseFunc) {
	budget := petri.Budget{MemoryBytes: s.MemoryBytes}
	if err := account.Watch(ctx, func() error { return s.makeRoom(ctx, budget) }); err != nil {
		s.Note("all ends: %v", err)
		stop(err)
	}
}

// makeRoom drops what could be made again if memory is short. The error says that this is
// not enough. Once ctx has ended nothing need be dropped: later questions may want it.
func (s *Shared) makeRoom(ctx context.Context, budget petri.Budget) error {
	short := func() error {
		if err := budget.Poll(ctx); errors.As(err, new(*petri.MemoryError)) {
			return err
		}
		return nil
	}
	if short() == nil {
		return nil
	}
	s.Kept.Drop()
	return short()
}

// reducing is ctx for what is made of a net without its states, such as a smaller one: it ends
// where the process has more than engines may fill, and most of what is beyond. Release is to be
// called with the error that came of it; what could be made again is dropped if it was memory.
func (s *Shared) reducing(ctx context.Context) (within context.Context, release func(error)) {
	budget := petri.Budget{MemoryBytes: s.MemoryBytes / 100 * (100 + memoryShare) / 2}
	inner, stop := account.Within(lanes.Plain(ctx), budget)
	return lanes.Of(ctx, inner), func(err error) {
		if errors.As(err, new(*petri.MemoryError)) {
			s.Kept.Drop()
		}
		stop(nil)
	}
}

// HasRoom reports whether there is memory to keep what could be made again.
func (s *Shared) HasRoom(ctx context.Context) bool {
	return ctx.Err() == nil && petri.Budget{MemoryBytes: s.Budget.MemoryBytes / 2}.Holds()
}
