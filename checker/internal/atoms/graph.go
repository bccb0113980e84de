package atoms

import (
	"context"
	"math"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/reachability"
	"pnmc/checker/witness"
	"pnmc/petri"
)

// Graph visits all markings of the net reduced for all.
func Graph(ctx context.Context, r *core.Task) error {
	if n := r.ReducedForAll(ctx); n != nil {
		return explore(ctx, r, n, r.Budget)
	}
	return context.Cause(ctx)
}

// explore decides the atoms of n by all its markings. The error is nil if the
// state graph was explored as far as it is needed. Then a goal that was not met is impossible.
//
// Found is called with markings that have an open goal, or at the end with a largest value. A goal
// that was met does not count as impossible, even if its run did not replay on the original net, or
// was too long for that. Then the atom stays open for other engines.
func explore(ctx context.Context, r *core.Task, n *core.Reduced, budget petri.Budget) error {
	threads, release := r.Threads(ctx, math.MaxInt)
	defer release()
	seen := make([]bool, len(n.Goals)) // met, even if the witness did not replay
	var search reachability.GoalSearch
	search = reachability.GoalSearch{
		Net: n.Net, Facts: n.FactsOf(ctx, r), Budget: budget, Goals: n.Goals, Stubborn: r.Shared.Uses(inquiry.StubbornSets), Symmetric: r.Shared.Uses(inquiry.Symmetries),
		Threads: threads, First: core.FewMarkings,
		Open: func(i int) bool { return r.Ledger.IsOpen(n.Atoms[i]) },
		Found: func(i int, value int64, run []witness.Burst) {
			seen[i] = true
			number, original := n.Atoms[i], n.Original(run, r.LongestReplay())
			switch {
			case n.Goals[i].Maximum != nil && original == nil:
				r.Ledger.Exact(number, inquiry.Number(value), n.By(core.ExploringWith(search.Savings, search.Symmetries)), inquiry.Witness{Ground: inquiry.AllMarkings, Count: int64(search.States), Unshown: branching.ErrLongReplay})
				return
			case n.Goals[i].Maximum != nil:
				r.Ledger.Limit(number, value, n.By(core.ExploringWith(search.Savings, search.Symmetries)))
			}
			if original != nil && !r.Ledger.Witnessed(number, original, n.By(core.ExploringWith(search.Savings, search.Symmetries))) {
				r.Note("a witness of atom %d does not replay", number)
			}
		},
	}
	err := search.Run(ctx)
	r.Note("explored %d markings: %v", search.States, err)
	if search.Threads > 1 && search.States > core.FewMarkings {
		r.Note("%d threads explored", search.Threads)
	}
	r.NoteSavings(search.Savings)
	if search.Symmetries > 0 {
		r.Note("%d symmetries", search.Symmetries)
	}
	if err != nil {
		return err
	}
	for i, number := range n.Atoms {
		if n.Goals[i].Predicate != nil && !seen[i] {
			r.Ledger.Impossible(number, n.By(core.ExploringWith(search.Savings, search.Symmetries)), inquiry.Witness{Ground: inquiry.AllMarkings, Count: int64(search.States)})
		}
	}
	return nil
}
