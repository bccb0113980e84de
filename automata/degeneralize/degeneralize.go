package degeneralize

import (
	"context"
	"errors"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
)

// Limits of the search for a good order of acceptance sets.
const (
	// orderedSets is the number of sets up to which all orders are tried.
	orderedSets = 5
	// orderWork bounds orders × edges tried in one component.
	orderWork = 1 << 18
	// placementWork is the work after which no other way to place the marks of a component
	// is tried, and copyWork what the copy of an edge costs, in nanoseconds.
	placementWork = 1 << 22
	copyWork      = 16
	// triedOrders is the number of rotations tried to the end.
	triedOrders = 8
	// manyCopiedEdges is the number of edges, counted for each level, above which
	// one order is tried to the end, for merging takes seconds then.
	manyCopiedEdges = 1 << 12
	// degeneralizeWork is the work after which no further way to degeneralize is tried:
	// states × edges of the results, as merging takes the longer the more there are. Twenty
	// acceptance sets on ten states reach it in a second, usual formulas do not.
	degeneralizeWork = 1 << 20
)

// Degeneralize makes a Büchi automaton of a, which has generalized Büchi
// acceptance: one acceptance set, in which are all or none of the edges that
// leave a state. It counts, as is usual, in copies of a component up to which
// acceptance set a run has got ("levels"), but
//
//   - each component by itself, with the sets that it needs, in the order that
//     needs fewest copies, and one copy where every cycle is accepted or none;
//   - with marks that all edges into a state share, or all out of it, counted
//     where that is best;
//   - entering a component where that makes no copy more.
//
// For example, one state q with four loops: a & !b in set 0, !a & b in set 1, a & b in both, and
// !a & !b in none. A run on level 0 waits for set 0, and on level 1 for set 1. On level 2 it has
// seen both, which is accepting, and waits for set 0 again:
//
//	          a & !b    !a & b    a & b     !a & !b
//	(q, 0)    (q, 1)    (q, 0)    (q, 2)    (q, 0)
//	(q, 1)    (q, 1)    (q, 2)    (q, 2)    (q, 1)
//	(q, 2)    (q, 1)    (q, 0)    (q, 2)    (q, 0)    accepting
//
// Level 2 is visited again and again if and only if both sets are. The level at which a component
// is entered does not matter to that. So not all copies are needed. For example, let two states go
// to each other, s to t in set 0 and t to s in set 1. They need (t, 1) and (s, 2) only, and are
// entered there.
//
// Source: Babiak, Badie, Duret-Lutz, Křetínský, Strejček, "Compositional
// approach to suspension and other improvements to LTL translation" (2013),
// section 5. States that simulate each other are merged afterwards, and in a second
// attempt parts whose languages are obligations are determinized before; the smallest
// of several results is taken. There are fewer results where these are large, only two for a
// large automaton, and one, without merging, where labels are too large to merge. It has at most
// states × (sets + 1) + 1 states. An error is that of the context, of the functions, or of the
// memory.
func Degeneralize(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	if a.Edges()*len(a.Propositions) > marked.ManyLabelLiterals {
		return plainDegeneralization(ctx, a)
	}
	best, err := smallestDegeneralization(ctx, a)
	if errors.Is(err, bdd.ErrTooLarge) {
		return plainDegeneralization(ctx, a)
	}
	if err != nil || isLargeToDegeneralize(a) {
		return best, err
	}
	weak, replaced, err := replaceObligations(ctx, a)
	if err != nil || !replaced {
		return best, err
	}
	if other, err := smallestDegeneralization(ctx, weak); err == nil && smallerThan(other, best) {
		best = other
	}
	return best, ctx.Err()
}

// plainDegeneralization counts levels in one way, and merges nothing.
func plainDegeneralization(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	return marked.Transform(ctx, a, func(ctx context.Context, r *marked.Reducible) error {
		r.Prune()
		if err := degeneralize(r, ctx, levels{order: someOrders(a.Acceptance.Sets)[0]}); err != nil {
			return err
		}
		pruneStateBased(r)
		return nil // an error of the functions is found when the automaton is made
	})
}

// isLargeToDegeneralize reports whether few ways to degeneralize a are to be tried.
func isLargeToDegeneralize(a *automata.Automaton) bool {
	return a.Edges()*(a.Acceptance.Sets+1) > manyCopiedEdges
}

// smallerThan reports whether a has fewer states than b, or as many states and fewer
// edges.
func smallerThan(a, b *automata.Automaton) bool {
	return a.States() < b.States() || a.States() == b.States() && a.Edges() < b.Edges()
}

// smallestDegeneralization degeneralizes a as it is, in the way that Degeneralize describes.
func smallestDegeneralization(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	var best *automata.Automaton
	work := 0
	try := func(how levels, simulated, rooted bool) error {
		b, err := marked.Transform(ctx, a, func(ctx context.Context, r *marked.Reducible) error {
			r.Prune()
			if simulated {
				if err := r.ReduceBySimulation(ctx); err != nil {
					return err
				}
			}
			if err := degeneralize(r, ctx, how); err != nil {
				return err
			}
			if rooted {
				if err := mergeRooted(r, ctx); err != nil {
					return err
				}
			}
			return mergeStateBased(r, ctx)
		})
		if err != nil {
			return err
		}
		work += b.States() * b.Edges()
		if best == nil || smallerThan(b, best) {
			best = b
		}
		return nil
	}
	large := isLargeToDegeneralize(a)
	orders := someOrders(a.Acceptance.Sets)
	if large {
		orders = orders[:1]
	}
	for _, order := range orders {
		if work > degeneralizeWork {
			return best, nil
		}
		for _, simulated := range [2]bool{false, true} { // neither is always better
			if err := try(levels{order: order}, simulated, false); err != nil {
				return nil, err
			}
		}
	}
	if large {
		return best, nil
	}
	for variant := range 4 {
		if work > degeneralizeWork {
			break
		}
		if err := try(levels{asMarked: variant&1 != 0}, variant&2 != 0, true); err != nil {
			return nil, err
		}
	}
	return best, nil
}

// levels says what is fixed of how components count acceptance sets.
type levels struct {
	// order of the acceptance sets, unless nil.
	order []int
	// asMarked counts marks where they are, rather than where that makes fewest
	// copies.
	asMarked bool
}

// someOrders returns orders of acceptance sets to try: nil, which leaves the choice
// to the number of copies, then rotations of 0, 1, 2 …, and rotations of the reverse. It returns at
// most triedOrders of each kind. Which of them gives the fewest states is known only after merging.
func someOrders(sets int) [][]int {
	orders := [][]int{nil}
	for i := range min(sets, triedOrders) {
		up, down := make([]int, sets), make([]int, sets)
		for j := range sets {
			up[j] = (i + j) % sets
			down[sets-1-j] = up[j]
		}
		orders = append(orders, up)
		if sets > 2 {
			orders = append(orders, down)
		}
	}
	if sets < 2 {
		return orders[:1]
	}
	return orders
}
