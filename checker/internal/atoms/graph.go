package atoms

import (
	"context"
	"errors"
	"math"
	"slices"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/disk"
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

// pollMarkings is the number of markings between two looks at what is still asked.
const pollMarkings = 1 << 10

// errNoPredicate says that the largest value of a sum is asked for.
var errNoPredicate = errors.New("on disk only predicates are looked for")

// OnDisk visits all markings of the net reduced for what is open, with sorted runs on disk: it needs
// little memory, and comes last, for graphs that memory has no room for. One task at a time has the
// folder. Goals are predicates.
//
// A goal is unreachable if no marking has it, and all were visited: nothing is left out of the reduced net.
// One that was met does not count as impossible, even if its run does not replay, or was too long for
// that. Then it stays open.
func OnDisk(ctx context.Context, r *core.Task) error {
	lanes.Lock(ctx, &r.Shared.Searching)
	defer r.Shared.Searching.Unlock()
	atoms := r.Ledger.OpenAtoms()
	if len(atoms) == 0 || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	n := r.ReduceFor(ctx, atoms)
	if n == nil {
		return context.Cause(ctx)
	}
	if slices.ContainsFunc(n.Goals, func(g walk.Goal) bool { return g.Predicate == nil }) {
		return errNoPredicate
	}
	err := searchOnDisk(ctx, r, n)
	if ctx.Err() == nil && (errors.As(err, new(*disk.FullError)) || errors.As(err, new(*disk.FileError))) {
		r.Shared.TellDisk(err)
	}
	return err
}

// searchOnDisk decides the atoms of n by all its markings.
func searchOnDisk(ctx context.Context, r *core.Task, n *core.Reduced) error {
	by := n.By(core.Exploring)
	seen := make([]bool, len(n.Goals)) // met, even if the run did not replay
	conditions := make([]*walk.Condition, len(n.Goals))
	predicates := make([]*logic.Predicate, len(n.Goals))
	var open []int
	for i, goal := range n.Goals {
		conditions[i], predicates[i] = walk.NewCondition(goal.Predicate), goal.Predicate
		open = append(open, i)
	}
	isOver := func(i int) bool { return seen[i] || !r.Ledger.IsOpen(n.Atoms[i]) }
	search := &disk.Search{
		Net: n.Net, Facts: n.FactsOf(ctx, r), Budget: r.Shared.DiskBudget(), Folder: r.Shared.Disk, Tell: r.Note,
		Work: witness.EvaluationWork(n.Net, predicates...),
	}
	looked := 0
	search.Look = func(m petri.Marking) error {
		met := false
		for _, i := range open {
			if !conditions[i].HoldsIn(n.Net, m) {
				continue
			}
			met, seen[i] = true, true
			run, err := search.Path()
			if err != nil {
				return err
			}
			original := n.Original(witness.Bursts(run), r.LongestReplay())
			if original != nil && !r.Ledger.Witnessed(n.Atoms[i], original, by) {
				r.Note("a witness of atom %d does not replay", n.Atoms[i])
			}
		}
		if looked++; met || looked%pollMarkings == 0 {
			if open = slices.DeleteFunc(open, isOver); len(open) == 0 {
				return disk.ErrEnough
			}
		}
		return nil
	}
	complete, err := search.Run(ctx)
	r.Note("looked at %d markings on disk, of %d: %v", looked, search.States, err)
	if !complete {
		return err
	}
	for i, number := range n.Atoms {
		if !seen[i] {
			r.Ledger.Impossible(number, by, inquiry.Witness{Ground: inquiry.AllMarkings, Count: search.States})
		}
	}
	return nil
}
