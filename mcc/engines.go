package mcc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"pnmc/checker"
	"pnmc/petri"
)

// reducedForAll is the net reduced for all open atoms, made once.
func (r *run) reducedForAll(ctx context.Context) *reducedNet {
	r.shared.Lock()
	defer r.shared.Unlock()
	if r.reduced == nil {
		atoms := r.board.openAtoms()
		r.reduced = r.reduceFor(ctx, atoms)
		if n := r.reduced; n != nil {
			r.note("reduced from %d places, %d transitions to %d, %d for %d atoms", r.net.Places(), r.net.Transitions(),
				n.net.Places(), n.net.Transitions(), len(atoms))
		}
	}
	return r.reduced
}

// proveAll refutes goals, or bounds sums, by the state equation.
func proveAll(ctx context.Context, r *run) {
	if n := r.reducedForAll(ctx); n != nil {
		r.prove(ctx, n, 0)
	}
}

// prove tries each open atom of n. each bounds the time for one; 0: the time is
// shared out.
func (r *run) prove(ctx context.Context, n *reducedNet, each time.Duration) {
	equation := checker.NewStateEquation(n.net)
	if equation == nil {
		return
	}
	for i, number := range n.atoms {
		if ctx.Err() != nil {
			return
		}
		if !r.board.isOpen(number) {
			continue
		}
		slice := each
		if slice == 0 {
			deadline, _ := ctx.Deadline()
			slice = max(time.Until(deadline)/time.Duration(len(n.atoms)-i)*2, 20*time.Millisecond)
		}
		part, cancel := context.WithTimeout(ctx, slice)
		if sum := n.goals[i].Maximum; sum != nil {
			if bound, ok := equation.UpperBound(part, *sum); ok {
				r.board.limit(number, bound, n.by(StateEquation))
			}
		} else if equation.Contradicts(part, n.goals[i].Predicate) {
			r.board.impossible(number, n.by(StateEquation), "contradicts the state equation")
		}
		cancel()
	}
}

// exploreAll visits all markings of the net reduced for all.
func exploreAll(ctx context.Context, r *run) {
	if n := r.reducedForAll(ctx); n != nil {
		r.explore(ctx, n, r.budget)
	}
}

// exploring is what answers found on a state graph, whose markings are compressed, rest on.
const exploring = Explicit | StateCompression

// explore decides the atoms of n by all its markings. The error is nil if the
// state graph was explored as far as it is needed.
func (r *run) explore(ctx context.Context, n *reducedNet, budget petri.Budget) error {
	seen := make([]bool, len(n.goals)) // met, even if the witness did not replay
	search := checker.GoalSearch{
		Net: n.net, Facts: n.factsOf(ctx, r), Budget: budget, Goals: n.goals,
		Open: func(i int) bool { return r.board.isOpen(n.atoms[i]) },
		Found: func(i int, value int64, run []checker.Burst) {
			seen[i] = true
			number, original := n.atoms[i], n.original(run)
			switch {
			case n.goals[i].Maximum != nil && original == nil:
				r.board.exact(number, fmt.Sprint(value), n.by(exploring), "largest value of all markings; "+notShown(checker.ErrLongReplay))
				return
			case n.goals[i].Maximum != nil:
				r.board.limit(number, value, n.by(exploring))
			}
			if original != nil && !r.board.witnessed(number, original, n.by(exploring)) {
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
			r.board.impossible(number, n.by(exploring), fmt.Sprintf("in none of %d markings", search.States))
		}
	}
	return nil
}

// walkAll walks on the net reduced for all until all is found.
func walkAll(ctx context.Context, r *run) {
	if n := r.reducedForAll(ctx); n != nil {
		r.walk(ctx, n, r.options.Seed)
	}
}

func (r *run) walk(ctx context.Context, n *reducedNet, seed uint64) {
	w := checker.NewWalk(n.net, n.goals, seed)
	for i, number := range n.atoms {
		if !r.board.isOpen(number) {
			w.Drop(i)
		}
	}
	w.Found = func(i int, value int64, run []checker.Burst) bool {
		original := n.original(run)
		if original == nil {
			return false
		}
		if !r.board.witnessed(n.atoms[i], original, n.by(RandomWalk)) {
			r.note("a witness of atom %d does not replay", n.atoms[i])
		}
		return !r.board.isOpen(n.atoms[i])
	}
	w.Pumped = func(i int, run, loop []checker.Burst) bool {
		number := n.atoms[i]
		prefix, repeated := n.original(run), n.originalSteps(nil, loop)
		if prefix != nil && repeated != nil && checker.ConfirmsPump(r.net, prefix, repeated, r.board.atoms[number].maximum) {
			how := fmt.Sprintf("after %d steps, %d others can be repeated for ever", len(prefix), len(repeated))
			r.board.exact(number, infinite, n.by(RandomWalk), how)
		}
		return !r.board.isOpen(number)
	}
	w.Wanted = func(i int) bool { return r.board.isOpen(n.atoms[i]) }
	w.Run(ctx)
	r.note("walked %d steps", w.Steps)
}

// decideOneByOne reduces the net for each open atom alone and decides it there,
// by the state equation and the state graph, with growing limits.
func decideOneByOne(ctx context.Context, r *run) {
	nets := make(map[int]*reducedNet)
	failed := make(map[int]bool) // for other reasons than limits
	memory := newRoom[int](r)
	for slice := 200 * time.Millisecond; ctx.Err() == nil; {
		atoms := slices.DeleteFunc(r.board.openAtoms(), func(a int) bool { return failed[a] })
		if len(atoms) == 0 {
			return
		}
		tried, waiting := false, false
		for _, a := range atoms {
			if ctx.Err() != nil || !r.board.isOpen(a) {
				continue
			}
			if !memory.suffices(a) {
				waiting = true
				continue
			}
			part, cancel := context.WithTimeout(ctx, slice)
			n := nets[a]
			if n == nil {
				n = r.reduceFor(ctx, []int{a})
				if len(nets) < mostKeptNets && r.hasRoom(ctx) {
					nets[a] = n
				}
			}
			if n != nil {
				tried = true
				if slice < time.Second {
					r.prove(part, n, slice/2)
				}
				if r.board.isOpen(a) {
					had := memory.free()
					err := r.explore(part, n, r.budget)
					// What is explored in full, or ended by itself, does so again. What filled
					// the memory may find more of it later.
					full := errors.As(err, new(*petri.MemoryError))
					if failed[a] = part.Err() == nil && !full; full {
						memory.failed(a, had)
					}
				}
			}
			cancel()
		}
		switch {
		case tried:
			slice = min(longestSlice, slice*4)
		case waiting:
			waitForRoom(ctx)
		default:
			return
		}
	}
}

// longestSlice is time that no run has, and four times which is still a duration.
const longestSlice = 1000 * time.Hour

// mostKeptNets bounds the nets reduced for one atom that are kept, as memory does.
const mostKeptNets = 200

// walkOneByOne walks on nets reduced for one open atom at a time.
func walkOneByOne(ctx context.Context, r *run) {
	nets := make(map[int]*reducedNet)
	seed := r.options.Seed
	for slice := 100 * time.Millisecond; ctx.Err() == nil; slice += slice / 2 {
		atoms := r.board.openAtoms()
		if len(atoms) == 0 {
			return
		}
		for _, a := range atoms {
			if ctx.Err() != nil || !r.board.isOpen(a) {
				continue
			}
			n := nets[a]
			if n == nil {
				if n = r.reduceFor(ctx, []int{a}); n == nil {
					return
				}
				if len(nets) < mostKeptNets && r.hasRoom(ctx) {
					nets[a] = n
				}
			}
			part, cancel := context.WithTimeout(ctx, slice)
			seed++
			r.walk(part, n, seed)
			cancel()
		}
	}
}
