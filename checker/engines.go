package checker

import (
	"context"
	"errors"
	"time"

	"pnmc/checker/branching"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/turns"
	"pnmc/checker/reachability"
	"pnmc/checker/stateequation"
	"pnmc/checker/witness"
	"pnmc/petri"
)

// reducedForAll is the net reduced for all open atoms, made once.
func (r *task) reducedForAll(ctx context.Context) *reducedNet {
	lanes.Lock(ctx, &r.shared)
	defer r.shared.Unlock()
	if r.reduced == nil {
		atoms := r.ledger.openAtoms()
		r.reduced = r.reduceFor(ctx, atoms)
		if n := r.reduced; n != nil {
			r.note("reduced from %d places, %d transitions to %d, %d for %d atoms", r.net.Places(), r.net.Transitions(),
				n.net.Places(), n.net.Transitions(), len(atoms))
		}
	}
	return r.reduced
}

// proveAll refutes goals, or bounds sums, by the state equation.
func proveAll(ctx context.Context, r *task) error {
	if n := r.reducedForAll(ctx); n != nil {
		r.prove(ctx, n, 0)
	}
	return context.Cause(ctx)
}

// prove tries each open atom of n. each bounds the time for one; 0: the time is
// shared out.
func (r *task) prove(ctx context.Context, n *reducedNet, each time.Duration) {
	equation := stateequation.New(n.net)
	if equation == nil {
		return
	}
	for i, number := range n.atoms {
		if ctx.Err() != nil {
			return
		}
		if !r.ledger.isOpen(number) {
			continue
		}
		slice := each
		if slice == 0 {
			deadline, _ := ctx.Deadline()
			slice = max(time.Until(deadline)/time.Duration(len(n.atoms)-i)*2, 20*time.Millisecond)
		}
		part, cancel := lanes.Sliced(ctx, slice)
		if sum := n.goals[i].Maximum; sum != nil {
			if bound, ok := equation.UpperBound(part, *sum); ok {
				r.ledger.limit(number, bound, n.by(LinearProgram))
			}
		} else if equation.Contradicts(part, rephrase.DeadlockOverPlaces(n.net, n.goals[i].Predicate)) {
			r.ledger.impossible(number, n.by(LinearProgram), Witness{Ground: Equation})
		}
		cancel()
	}
}

// exploreAll visits all markings of the net reduced for all.
func exploreAll(ctx context.Context, r *task) error {
	if n := r.reducedForAll(ctx); n != nil {
		return r.explore(ctx, n, r.budget)
	}
	return context.Cause(ctx)
}

// exploring is what answers found on a state graph, whose markings are compressed, rest on.
const exploring = ExplicitSearch | StateCompression

// explore decides the atoms of n by all its markings. The error is nil if the
// state graph was explored as far as it is needed.
func (r *task) explore(ctx context.Context, n *reducedNet, budget petri.Budget) error {
	seen := make([]bool, len(n.goals)) // met, even if the witness did not replay
	var search reachability.GoalSearch
	search = reachability.GoalSearch{
		Net: n.net, Facts: n.factsOf(ctx, r), Budget: budget, Goals: n.goals,
		Open: func(i int) bool { return r.ledger.isOpen(n.atoms[i]) },
		Found: func(i int, value int64, run []witness.Burst) {
			seen[i] = true
			number, original := n.atoms[i], n.original(run)
			switch {
			case n.goals[i].Maximum != nil && original == nil:
				r.ledger.exact(number, Number(value), n.by(exploring), Witness{Ground: AllMarkings, Count: int64(search.States), Unshown: branching.ErrLongReplay})
				return
			case n.goals[i].Maximum != nil:
				r.ledger.limit(number, value, n.by(exploring))
			}
			if original != nil && !r.ledger.witnessed(number, original, n.by(exploring)) {
				r.note("a witness of atom %d does not replay", number)
			}
		},
	}
	err := search.Run(ctx)
	r.note("explored %d markings: %v", search.States, err)
	if err != nil {
		return err
	}
	for i, number := range n.atoms {
		if n.goals[i].Predicate != nil && !seen[i] {
			r.ledger.impossible(number, n.by(exploring), Witness{Ground: AllMarkings, Count: int64(search.States)})
		}
	}
	return nil
}

// walkAll walks on the net reduced for all until all is found.
func walkAll(ctx context.Context, r *task) error {
	if n := r.reducedForAll(ctx); n != nil {
		r.walk(ctx, n, r.solver.options.Seed)
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

// atomTurns take turns among the open atoms.
func (r *task) atomTurns(first time.Duration, growth float64) *turns.Queue[int] {
	return &turns.Queue[int]{First: first, Growth: growth, Open: r.ledger.openAtoms, IsOpen: r.ledger.isOpen}
}

// decideOneByOne reduces the net for each open atom alone and decides it there,
// by the state equation and the state graph, with growing limits.
func decideOneByOne(ctx context.Context, r *task) error {
	t := r.atomTurns(200*time.Millisecond, 4)
	t.Memory = turns.NewRoom[int](r.budget.Free, r.solver.kept.drop, r.prospects)
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

// walkOneByOne walks on nets reduced for one open atom at a time.
func walkOneByOne(ctx context.Context, r *task) error {
	seed := r.solver.options.Seed
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
