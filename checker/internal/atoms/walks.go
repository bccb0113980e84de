package atoms

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/turns"
	"pnmc/checker/stateequation"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
)

// Where a net has manyArcs, reducing it takes longer than it takes to find what is near: so a walk of
// firstWalk on the net as it is comes before.
const (
	manyArcs  = 50_000
	firstWalk = 500 * time.Millisecond
)

// WalkAsItIs walks on the net as it is for a while, if it is large.
func WalkAsItIs(ctx context.Context, r *core.Task) {
	if r.Net.Arcs() >= manyArcs && !r.LookedFirst && len(r.Ledger.OpenAtoms()) > 0 {
		part, cancel := lanes.Sliced(ctx, firstWalk)
		defer cancel()
		walkAsItIs(part, r)
	}
}

// walkAsItIs walks on the net as it is.
func walkAsItIs(ctx context.Context, r *core.Task) {
	w, err := NewWalk(ctx, r, r.AsItIs(), r.Shared.Seed)
	if err != nil {
		return
	}
	w.Run(ctx)
	r.Note("walked %d steps on the net as it is", w.Steps)
}

// Walks walks on the net reduced for all until all is found.
func Walks(ctx context.Context, r *core.Task) error {
	WalkAsItIs(ctx, r)
	if n := r.ReducedForAll(ctx); n != nil {
		walkOn(ctx, r, n, r.Shared.Seed)
	}
	return context.Cause(ctx)
}

// WalksForAnswers calls Walks if there is an open question that one reached atom answers.
func WalksForAnswers(ctx context.Context, r *core.Task) error {
	for _, q := range r.Ledger.OpenQuestions() {
		if q.OnReached.IsKnown() {
			return Walks(ctx, r)
		}
	}
	return nil
}

// walkOn walks for the open atoms of n until all is found.
func walkOn(ctx context.Context, r *core.Task, n *core.Reduced, seed uint64) {
	w, err := NewWalk(ctx, r, n, seed)
	if err != nil {
		return
	}
	w.Run(ctx)
	r.Note("walked %d steps", w.Steps)
}

// NewWalk prepares walks for the open atoms of n. An error is the context's, or that of the budget it carries.
func NewWalk(ctx context.Context, r *core.Task, n *core.Reduced, seed uint64) (*walk.Walk, error) {
	w, err := walk.New(ctx, n.Net, n.Goals, seed)
	if err != nil {
		return nil, err
	}
	for i, number := range n.Atoms {
		if !r.Ledger.IsOpen(number) {
			w.Drop(i)
		}
	}
	if r.Shared.Uses(inquiry.LinearProgram) {
		w.Counts = n.Solution
	}
	by := func() inquiry.Techniques {
		if w.IsAlongCounts() {
			return n.By(inquiry.RandomWalk | inquiry.LinearProgram)
		}
		return n.By(inquiry.RandomWalk)
	}
	w.Found = func(i int, value int64, run []witness.Burst) bool {
		original := n.Original(run, r.LongestReplay())
		if original == nil {
			return false
		}
		if !r.Ledger.Witnessed(n.Atoms[i], original, by()) {
			r.Note("a witness of atom %d does not replay", n.Atoms[i])
		}
		return !r.Ledger.IsOpen(n.Atoms[i])
	}
	w.FoundAlong = func(run []witness.Burst, reached []walk.Reached) []bool {
		done, numbers, lengths := make([]bool, len(reached)), make([]int, len(reached)), make([]int, len(reached))
		for k, at := range reached {
			numbers[k], lengths[k] = n.Atoms[at.Goal], at.Length
		}
		original, along := n.OriginalAlong(run, lengths, r.LongestReplay())
		if original == nil {
			return done
		}
		if !r.Ledger.WitnessedAlong(numbers, along, original, by()) {
			r.Note("a witness of some of %d atoms does not replay", len(numbers))
		}
		for k, number := range numbers {
			done[k] = !r.Ledger.IsOpen(number)
		}
		return done
	}
	w.Pumped = func(i int, run, loop []witness.Burst) bool {
		number := n.Atoms[i]
		longest := r.LongestReplay()
		prefix, repeated := n.Original(run, longest), n.OriginalSteps(nil, loop, longest)
		if prefix != nil && repeated != nil && witness.ConfirmsPump(r.Net, prefix, repeated, r.Ledger.Atoms[number].Number()) {
			prefix, repeated = witness.ShortenPump(r.Net, prefix, repeated, r.Ledger.Atoms[number].Number())
			r.Ledger.Exact(number, inquiry.Infinite, by(), inquiry.Witness{Ground: inquiry.Pump, Net: r.Net, Run: prefix, Cycle: repeated})
		}
		return !r.Ledger.IsOpen(number)
	}
	w.Wanted = func(i int) bool { return r.Ledger.IsOpen(n.Atoms[i]) }
	return w, nil
}

// solvingShare is what part of a slice of time the state equation may have for solutions that lead walks.
// Where it found none, it is not asked again before slices are solveAgain times as long.
const (
	solvingShare = 6
	solveAgain   = 4
)

// solve has the state equation leave solutions for the only goal of n, and reports whether it did. If it
// refutes the goal, that counts.
func solve(ctx context.Context, r *core.Task, n *core.Reduced, seed uint64) bool {
	if equation := stateequation.New(ctx, n.Net); equation != nil {
		equation.KeepSolutions(solutionsOf(n), seed)
		if deadlock, err := deadlockOf(ctx, r, n, 0); err == nil {
			proveOne(ctx, r, n, 0, equation, deadlock, equation.Contradicts)
		}
	}
	return len(n.Solution(0, 0)) > 0
}

// WalksOneByOne walks on nets reduced for one open atom at a time, or on several beside each other where
// threads are free.
func WalksOneByOne(ctx context.Context, r *core.Task) error {
	whole := lanes.Plain(ctx)
	var tries atomic.Uint64
	var unsolved sync.Map // of atoms: from what slice on to ask the state equation again
	t := r.AtomTurns(r.SliceAlone(100*time.Millisecond), 1.5)
	t.Beside = r.Beside()
	t.Try = func(part context.Context, atom int, slice time.Duration) (turns.Outcome, error) {
		if n := r.ReduceFor(lanes.Of(part, whole), []int{atom}); n != nil {
			seed := r.Shared.Seed + tries.Add(1)
			least, _ := unsolved.Load(atom)
			if again, ok := least.(time.Duration); r.Shared.Uses(inquiry.LinearProgram) && (!ok || slice >= again) {
				solving, cancel := lanes.Sliced(part, slice/solvingShare)
				if !solve(solving, r, n, seed) {
					unsolved.Store(atom, solveAgain*slice)
				}
				cancel()
			}
			walkOn(part, r, n, seed)
		}
		return turns.Again, nil
	}
	return t.Run(ctx)
}
