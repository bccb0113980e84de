package checker

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"pnmc/checker/internal/turns"
	"pnmc/petri"
)

// searchBranching decides formulas on the fly, breadth first.
func searchBranching(ctx context.Context, r *task) error {
	g := r.leftGraph()
	if g == nil {
		g = r.branchingNet(ctx)
	}
	return r.searchFormulas(ctx, g, false, 500*time.Millisecond)
}

// searchBranchingDeep decides formulas on the fly, depth first at random.
func searchBranchingDeep(ctx context.Context, r *task) error {
	return r.searchFormulas(ctx, r.branchingNet(ctx), true, 50*time.Millisecond)
}

// searchFormulas gives each open formula a slice of time, and again longer ones.
func (r *task) searchFormulas(ctx context.Context, g *graphNet, deep bool, slice time.Duration) error {
	if g == nil {
		return context.Cause(ctx)
	}
	defer func() { r.keepGraph(ctx, g.kripke) }()
	seed := r.shared.seed
	t := r.questionTurns(slice, 2)
	t.Memory = turns.NewRoom[*question](r.budget.Free, r.shared.kept.drop, r.prospects)
	if deep {
		t.Memory.Prospects = nil // of those who can prove something
	}
	t.Try = func(part context.Context, q *question, _ time.Duration) (turns.Outcome, error) {
		fresh := g.kripke.Len() <= 1
		seed++
		value, shown, err := g.decide(part, r, q.ctl, deep, seed)
		if err == nil {
			r.ledger.answerNow(q, Truth(value), reducedBy(exploring, g.reduction), shown)
			return turns.Again, nil
		}
		if part.Err() == nil && (!deep || g.kripke.Unbounded() == nil) { // which chance meets again and again
			r.note("question %d: %v", q.number, err)
		}
		full := errors.As(err, new(*petri.MemoryError))
		same := !full && part.Err() == nil && !deep // it ended by itself, and will again
		if full || g.kripke.Unbounded() != nil {
			g.renew(r.budget)
		}
		// Where the graph had states of other searches, or chance leads elsewhere, there
		// is room for another try.
		switch {
		case full && fresh && !deep:
			return turns.Crowded, nil
		case same && fresh:
			return turns.Hopeless, nil
		case same:
			g.renew(r.budget)
		case full:
			debug.FreeOSMemory()
		}
		return turns.Again, nil
	}
	return t.Run(ctx)
}
