package atoms

import (
	"context"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/petri"
)

// On a net with very many arcs everything that engines begin with takes seconds: semiflows, columns of the
// state equation, reductions, a diagram of each transition. Where all of them share a processor, it takes
// three times as long. But the net as it was read can be walked and explored at once, and many such nets have
// few markings. So a short exploration and a walk come before the plan, one after the other, with
// the processor to themselves. The exploration is not thrown away: the plan goes on with it (Further).

// These are fractions of a task's time, and times that are not exceeded, of the first walk and the first
// exploration. They are counted by the work that is done (lanes.Worked).
const (
	firstWalkShare    = 0.025
	firstGraphShare   = 0.06
	longestFirstWalk  = 600 * time.Millisecond
	longestFirstGraph = 1500 * time.Millisecond
	// firstUntil is the fraction of the time at which both end on a busy machine.
	firstUntil = 0.25
)

// wideArcs is how many arcs transitions have on average where a net is explored before it is reduced. Those
// of nets with fewer mostly become much less by reductions.
const wideArcs = 8

// First bounds sums by machines of a large net, explores it as it is for a while, where its transitions are
// wide, and then walks on it. It does nothing on other nets.
func First(ctx context.Context, r *core.Task) {
	if r.Net.Arcs() < manyArcs || !r.Net.Plain() || r.Folded || r.Ledger.Sink != nil || len(r.Ledger.OpenAtoms()) == 0 {
		return
	}
	ctx, stop := r.Until(ctx, firstUntil)
	defer stop()
	facts := r.MachinesOf(ctx, r.Net)
	if r.Family == inquiry.BoundsFamily || r.Family == inquiry.PlacesFamily { // to settle 31,000 firings would take seconds
		if err := settle(ctx, r, facts); err != nil || len(r.Ledger.OpenAtoms()) == 0 {
			return
		}
	}
	if r.Net.Arcs() >= wideArcs*r.Net.Transitions() && r.Shared.Uses(inquiry.ExplicitSearch) {
		exploreAsItIs(ctx, r, facts)
	}
	if ctx.Err() == nil && len(r.Ledger.OpenAtoms()) > 0 && r.Shared.Uses(inquiry.RandomWalk) {
		r.LookedFirst = true
		w, err := NewWalk(ctx, r, r.AsItIs(), r.Shared.Seed)
		if err != nil {
			return
		}
		for range mostFirstWalks {
			open := w.Open()
			walkFirst(ctx, r, w)
			if ctx.Err() != nil || w.Open() == 0 || open-w.Open() < open/goesOnShare {
				break
			}
		}
		r.Note("walked %d steps on the net as it is", w.Steps)
	}
}

// The first walk goes on, for as long again, if it reached one of so many open goals, but not more often than that. Where
// goals are whether each of thousands of transitions fires, nothing else reaches as many.
const (
	goesOnShare    = 8
	mostFirstWalks = 4
)

// walkFirst walks for a part of the task's time.
func walkFirst(ctx context.Context, r *core.Task, w *walk.Walk) {
	part, cancel := lanes.Worked(ctx, r.ShareOf(firstWalkShare, longestFirstWalk))
	defer cancel()
	slice, end := lanes.Sliced(part, longestFirstWalk) // looks are rare where goals are very many
	defer end()
	w.Run(slice)
}

// exploreAsItIs explores the net as it is for a while, and leaves the rest to Further.
func exploreAsItIs(ctx context.Context, r *core.Task, facts petri.Facts) {
	search := firingSearch(ctx, r, facts)
	part, cancel := lanes.Worked(ctx, r.ShareOf(firstGraphShare, longestFirstGraph))
	defer cancel()
	if exploreFirst(part, r, search) == nil {
		r.KeepGraph(search.Kripke())
		return
	}
	// What was found until then is told now, as far as the task's context allows.
	if err := search.Tell(ctx); err != nil {
		return
	}
	r.Further = func(ctx context.Context) error {
		err := exploreFirst(ctx, r, search)
		if err == nil {
			r.KeepGraph(search.Kripke())
		}
		return err
	}
}

// Further goes on with what First explored, if it began to.
func Further(ctx context.Context, r *core.Task) error {
	if r.Further == nil {
		return nil
	}
	defer func() { r.Further = nil }() // the graph may take much memory
	return r.Further(ctx)
}

// exploreFirst explores further, and notes how far.
func exploreFirst(ctx context.Context, r *core.Task, search *reachability.FiringSearch) error {
	err := search.Run(ctx)
	r.Note("explored %d markings of the net as it is: %v", search.States(), err)
	return err
}

// firingSearch returns a search for all open atoms in the state graph of the net as it is.
func firingSearch(ctx context.Context, r *core.Task, facts petri.Facts) *reachability.FiringSearch {
	n := r.AsItIs()
	search := reachability.NewFiringSearch(ctx, n.Net, facts, r.Budget)
	search.Goals = n.Goals
	search.Open = func(i int) bool { return r.Ledger.IsOpen(n.Atoms[i]) }
	search.Found = func(run []witness.Burst, reached []walk.Reached) {
		numbers, lengths := make([]int, len(reached)), make([]int, len(reached))
		for i, at := range reached {
			numbers[i], lengths[i] = n.Atoms[at.Goal], at.Length
		}
		if !r.Ledger.WitnessedAlong(numbers, lengths, run, core.Exploring) {
			r.Note("a witness of some of %d atoms does not replay", len(numbers))
		}
	}
	search.Raised = func(i int, run []witness.Burst) {
		if !r.Ledger.Witnessed(n.Atoms[i], run, core.Exploring) {
			r.Note("a witness of atom %d does not replay", n.Atoms[i])
		}
	}
	search.Largest = func(i int, value int64) { r.Ledger.Limit(n.Atoms[i], value, core.Exploring) }
	search.Unreachable = func(i int) {
		r.Ledger.Impossible(n.Atoms[i], core.Exploring, inquiry.Witness{Ground: inquiry.AllMarkings, Count: int64(search.States())})
	}
	return search
}
