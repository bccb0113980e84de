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
//
// With a limit of 1000 MB, for example, engines fill 600 MB at most (memoryShare). What is made of
// a net itself, such as a smaller one, may use the process up to 800 MB. Beyond that, and near the
// limit, what is kept for later questions is dropped first. If that is not enough, all work ends.

// MemoryShare returns the bytes of a share of what the process may use, in percent; 0 if there is no limit.
// It is for what is bounded apart, such as decision diagrams. Parts of the questions that are decided beside
// each other share it.
func (r *Task) MemoryShare(percent int64) int64 {
	return r.Shared.MemoryBytes / 100 * percent / int64(max(1, r.Parts))
}

// WatchMemory ends all work, by stop, when what the process holds comes near its limit and is not
// garbage. Answers given until then stay. If the system ended the process instead, an answer might be
// cut in two while it is written.
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

// reducing returns ctx for work on a net without its states, such as making a smaller one. It has a
// budget half way between what engines may fill and the limit of the process. release is to be
// called with the error of the work. If memory was short, what could be made again is dropped.
func (s *Shared) reducing(ctx context.Context) (within context.Context, release func(error)) {
	return s.bounded(ctx, s.MemoryBytes/100*(100+memoryShare)/2)
}

// Within returns ctx for what has no budget of its own, such as a phase with all that its engine prepares. It ends
// where WatchMemory would end all work, and whoever asks for memory itself sees that at once. release is to be
// called with the error of the work. If memory was short, what could be made again is dropped.
func (s *Shared) Within(ctx context.Context) (within context.Context, release func(error)) {
	return s.bounded(ctx, s.MemoryBytes)
}

// bounded returns ctx for work that ends when the process has so many bytes, as Within says.
func (s *Shared) bounded(ctx context.Context, bytes int64) (within context.Context, release func(error)) {
	inner, stop := account.Within(lanes.Plain(ctx), petri.Budget{MemoryBytes: bytes})
	return lanes.Of(ctx, inner), func(err error) {
		if errors.As(err, new(*petri.MemoryError)) {
			s.Kept.Drop()
		}
		stop(nil)
	}
}

// HasRoom reports whether there is memory to keep what could be made again: whether the
// process uses less than about half of what engines may fill. It reports false once ctx has ended.
func (s *Shared) HasRoom(ctx context.Context) bool {
	return ctx.Err() == nil && petri.Budget{MemoryBytes: s.Budget.MemoryBytes / 2}.Holds()
}

// Passing returns an account of work that holds little and leaves much garbage, such as one random run
// after the other. It asks for the memory of the whole process: a look waits while garbage is
// collected, and says that there is no more memory where WatchMemory ends all work.
func (s *Shared) Passing(ctx context.Context) *account.Account {
	work := account.New(petri.Budget{MemoryBytes: s.MemoryBytes})
	work.Begin(ctx)
	return work
}
