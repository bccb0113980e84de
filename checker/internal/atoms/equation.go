package atoms

import (
	"context"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/turns"
	"pnmc/checker/stateequation"
	"pnmc/logic"
)

// Equation refutes goals, or bounds sums, by the state equation.
func Equation(ctx context.Context, r *core.Task) error {
	n := r.ReducedForAll(ctx)
	if n == nil {
		return context.Cause(ctx)
	}
	return prove(ctx, r, n, firstProof, r.Shared.Uses(inquiry.RandomWalk))
}

// firstProof is how long the state equation is asked about an atom at first.
const firstProof = 50 * time.Millisecond

// prove asks the state equation about the open atoms of n, in slices of time that begin with first
// and grow by a factor of four. An atom about which the equation said all it can within its slice is
// not asked about again. If it is to leave solutions, n has them afterwards, for walks.
func prove(ctx context.Context, r *core.Task, n *core.Reduced, first time.Duration, leave bool) error {
	equation := stateequation.New(ctx, n.Net)
	if equation == nil {
		return nil
	}
	if leave {
		equation.KeepSolutions(solutionsOf(n), r.Shared.Seed)
	}
	t := openAtoms(r, n, first, 4)
	deadlocks := make(map[int]*logic.Predicate) // goals over places, the same in each slice, so that a search goes on
	t.Try = func(part context.Context, i int, _ time.Duration) (turns.Outcome, error) {
		if deadlocks[i] == nil {
			var err error
			if deadlocks[i], err = deadlockOf(part, r, n, i); err != nil {
				return lacking(part), nil
			}
		}
		proveOne(part, r, n, i, equation, deadlocks[i], equation.ContradictsByClauses)
		if part.Err() != nil {
			return turns.Again, nil
		}
		return turns.Hopeless, nil
	}
	return t.Run(ctx)
}

// severalSolutions is how many solutions the state equation leaves for each of a few goals: the one of fewest
// firings, and others. Where goals are many it leaves none, as most of them are near, and to find a solution
// of fewest firings takes about as long as the question itself.
const (
	severalSolutions = 4
	fewGoals         = 32
)

// solutionsOf returns how many solutions may be left for a goal of n.
func solutionsOf(n *core.Reduced) int {
	if len(n.Goals) > fewGoals {
		return 0
	}
	return severalSolutions
}

// deadlockCopies is how often a goal over places is written anew: simplified, and as constraints or clauses of the equation.
const deadlockCopies = 4

// deadlockOf returns a goal that looks at deadlocks over places, and nil of others. An error says that there is no room for it: it has as
// many copies of what a deadlock is in the net as deadlock stands in the question.
func deadlockOf(ctx context.Context, r *core.Task, n *core.Reduced, i int) (*logic.Predicate, error) {
	goal := n.Goals[i].Predicate
	if goal == nil || !rephrase.LooksAtDeadlock(goal) {
		return nil, nil
	}
	if err := r.RoomFor(ctx, deadlockCopies*rephrase.BytesOfDeadlockOverPlaces(n.Net, goal)); err != nil {
		return nil, err
	}
	return rephrase.DeadlockOverPlaces(n.Net, goal), nil
}

// lacking is the outcome of a try for which there was no room, unless it was its time that ended.
func lacking(part context.Context) turns.Outcome {
	if part.Err() != nil {
		return turns.Again
	}
	return turns.Hopeless
}

// proveOne asks the state equation about one atom: for an upper bound of a sum, if there are no
// products, or whether a goal contradicts it. If the goal looks at deadlocks, deadlock is the same over places, of
// which contradicts is asked: it has a disjunction for each transition. A search by clauses leaves no solutions.
func proveOne(ctx context.Context, r *core.Task, n *core.Reduced, i int, equation *stateequation.Equation, deadlock *logic.Predicate, contradicts func(context.Context, *logic.Predicate) bool) {
	if sum := n.Goals[i].Maximum; sum != nil {
		if len(n.Goals[i].Products) > 0 {
			return
		}
		if bound, ok := equation.UpperBound(ctx, *sum); ok {
			r.Ledger.Limit(n.Atoms[i], bound, n.By(inquiry.LinearProgram))
		}
		return
	}
	goal := deadlock
	if goal == nil {
		goal, contradicts = n.Goals[i].Predicate, equation.Contradicts
	}
	if contradicts(ctx, goal) {
		r.Ledger.Impossible(n.Atoms[i], n.By(inquiry.LinearProgram), inquiry.Witness{Ground: inquiry.Equation})
	}
	n.KeepSolutions(i, equation.Solutions())
}

// openAtoms returns a queue of the open atoms of n. Its keys are the atoms' numbers in n.
func openAtoms(r *core.Task, n *core.Reduced, first time.Duration, growth float64) *turns.Queue[int] {
	t := &turns.Queue[int]{First: first, Growth: growth, IsOpen: func(i int) bool { return r.Ledger.IsOpen(n.Atoms[i]) }}
	t.Open = func() (open []int) {
		for i := range n.Atoms {
			if t.IsOpen(i) {
				open = append(open, i)
			}
		}
		return open
	}
	return t
}
