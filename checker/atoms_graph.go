package checker

import (
	"context"

	"pnmc/checker/branching"
	"pnmc/checker/reachability"
	"pnmc/checker/witness"
	"pnmc/petri"
)

// exploreAll visits all markings of the net reduced for all.
func exploreAll(ctx context.Context, r *task) error {
	if n := r.reducedForAll(ctx); n != nil {
		return r.explore(ctx, n, r.budget)
	}
	return context.Cause(ctx)
}

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
