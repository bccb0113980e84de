package checker

import (
	"context"
	"time"

	"pnmc/checker/internal/turns"
	"pnmc/checker/reachability"
	"pnmc/checker/witness"
)

// walkAll walks on the net reduced for all until all is found.
func walkAll(ctx context.Context, r *task) error {
	if n := r.reducedForAll(ctx); n != nil {
		r.walk(ctx, n, r.shared.seed)
	}
	return context.Cause(ctx)
}

// walkForAnswers does so if something that is reached answers a question.
func walkForAnswers(ctx context.Context, r *task) error {
	for _, q := range r.ledger.openQuestions() {
		if q.onReached.IsKnown() {
			return walkAll(ctx, r)
		}
	}
	return nil
}

func (r *task) walk(ctx context.Context, n *reducedNet, seed uint64) {
	w := r.walkOn(n, seed)
	w.Run(ctx)
	r.note("walked %d steps", w.Steps)
}

// walkOn prepares walks for the open atoms of n.
func (r *task) walkOn(n *reducedNet, seed uint64) *reachability.Walk {
	w := reachability.NewWalk(n.net, n.goals, seed)
	for i, number := range n.atoms {
		if !r.ledger.isOpen(number) {
			w.Drop(i)
		}
	}
	w.Found = func(i int, value int64, run []witness.Burst) bool {
		original := n.original(run)
		if original == nil {
			return false
		}
		if !r.ledger.witnessed(n.atoms[i], original, n.by(RandomWalk)) {
			r.note("a witness of atom %d does not replay", n.atoms[i])
		}
		return !r.ledger.isOpen(n.atoms[i])
	}
	w.Pumped = func(i int, run, loop []witness.Burst) bool {
		number := n.atoms[i]
		prefix, repeated := n.original(run), n.originalSteps(nil, loop)
		if prefix != nil && repeated != nil && witness.ConfirmsPump(r.net, prefix, repeated, r.ledger.atoms[number].maximum) {
			r.ledger.exact(number, Infinite, n.by(RandomWalk), Witness{Ground: Pump, Net: r.net, Run: prefix, Cycle: repeated})
		}
		return !r.ledger.isOpen(number)
	}
	w.Wanted = func(i int) bool { return r.ledger.isOpen(n.atoms[i]) }
	return w
}

// walkOneByOne walks on nets reduced for one open atom at a time.
func walkOneByOne(ctx context.Context, r *task) error {
	seed := r.shared.seed
	t := r.atomTurns(100*time.Millisecond, 1.5)
	t.Try = func(part context.Context, atom int, _ time.Duration) (turns.Outcome, error) {
		if n := r.reduceFor(ctx, []int{atom}); n != nil {
			seed++
			r.walk(part, n, seed)
		}
		return turns.Again, nil
	}
	return t.Run(ctx)
}
