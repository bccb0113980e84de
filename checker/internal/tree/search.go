package tree

import (
	"context"
	"errors"
	"runtime/debug"
	"sync/atomic"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/turns"
	"pnmc/petri"
)

// Search decides formulas on the fly, breadth first.
func Search(ctx context.Context, r *core.Task) error {
	return searchFormulas(ctx, r, false, 500*time.Millisecond)
}

// SearchDeep decides formulas on the fly, depth first in several orders and breadth first.
func SearchDeep(ctx context.Context, r *core.Task) error {
	return searchFormulas(ctx, r, true, 50*time.Millisecond)
}

// searchFormulas gives each open formula a slice of time, and again longer ones. Where threads are free,
// formulas are searched beside each other.
func searchFormulas(ctx context.Context, r *core.Task, deep bool, slice time.Duration) error {
	chosen := newNets(r)
	defer func() {
		for _, g := range chosen.all {
			r.KeepGraph(g.Kripke)
		}
	}()
	var tries atomic.Uint64
	t := r.QuestionTurns(slice, 2)
	t.Beside = r.Beside()
	t.Memory = turns.NewRoom[*ledger.Question](r.Budget.Free, r.Shared.Kept.Drop, r.Prospects)
	if deep {
		t.Memory.Prospects = nil // of those who can prove something
	}
	t.Try = func(part context.Context, q *ledger.Question, _ time.Duration) (turns.Outcome, error) {
		net := chosen.of(part, q)
		if net == nil {
			return turns.Again, nil
		}
		g := chosen.take(net)
		defer chosen.giveBack(net, g)
		fresh := g.Kripke.Len() <= 1
		value, shown, err := decide(part, r, g, q.CTL, deep, r.Shared.Seed+tries.Add(1))
		if err == nil {
			r.Ledger.AnswerNow(q, inquiry.Truth(value), core.ReducedBy(core.Exploring, g.Reduction), shown)
			return turns.Again, nil
		}
		if part.Err() == nil && (!deep || g.Kripke.Unbounded() == nil) { // which chance meets again and again
			r.Note("question %d: %v", q.Number, err)
		}
		full := errors.As(err, new(*petri.MemoryError))
		same := !full && part.Err() == nil && !deep // it ended by itself, and will again
		if full || g.Kripke.Unbounded() != nil {
			g.Renew(ctx, r.Budget)
		}
		// Where the graph had states of other searches, or chance leads elsewhere, there
		// is room for another try.
		switch {
		case full && fresh && !deep:
			return turns.Crowded, nil
		case same && fresh:
			return turns.Hopeless, nil
		case same:
			g.Renew(ctx, r.Budget)
		case full:
			debug.FreeOSMemory()
		}
		if full && errors.As(r.Budget.Poll(lanes.Plain(ctx)), new(*petri.MemoryError)) {
			chosen.renew()
		}
		if full {
			return turns.Full, nil
		}
		return turns.Again, nil
	}
	return t.Run(ctx)
}
