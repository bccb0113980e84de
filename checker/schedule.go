package checker

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/turns"
)

// This file is the whole plan by which time is divided. Each family of questions has
// three lanes that run at the same time, as there are several cores: engines in
// the proving lane can tell that something is impossible, those in the searching
// lane look for witnesses, and decision diagrams do both if they get there. A task
// ends when its last question is answered.

// lane is one of the three.
type lane uint8

const (
	proving lane = iota
	searching
	diagrams
)

// phase is an engine with its share of the time.
type phase struct {
	lane lane
	name string
	// until is the fraction of the task's time at which the phase ends at the
	// latest, 1 for no end of its own; phases of a lane follow one another.
	until  float64
	engine engine
}

var (
	reachabilityPlan = []phase{
		{proving, "place invariants", 0.05, proveByInvariants},
		{proving, "state equation of the net reduced for all", 0.20, proveAll},
		{proving, "state graph of the net reduced for all", 0.45, exploreAll},
		{proving, "each open question on a net reduced for it", 1, decideOneByOne},
		{searching, "walks on the net reduced for all", 0.40, walkAll},
		{searching, "walks on nets reduced for one", 1, walkOneByOne},
		{diagrams, "decision diagrams of the net reduced for all", 1, diagramsAll},
	}
	boundsPlan = []phase{
		{proving, "place invariants", 0.10, proveByInvariants},
		{proving, "bounds from the state equation", 0.25, proveAll},
		{proving, "state graph of the net reduced for all", 0.50, exploreAll},
		{proving, "each open question on a net reduced for it", 1, decideOneByOne},
		{searching, "walks on the net reduced for all", 0.40, walkAll},
		{searching, "walks on nets reduced for one", 1, walkOneByOne},
		{diagrams, "decision diagrams of the net reduced for all", 1, diagramsAll},
	}
	deadlockPlan = []phase{
		{proving, "state equation of the net reduced for deadlocks", 0.15, proveAll},
		{proving, "state graph of the net reduced for deadlocks", 1, exploreAll},
		{searching, "walks on the net reduced for deadlocks", 1, walkAll},
		{diagrams, "decision diagrams of the net reduced for all", 1, diagramsAll},
	}
	placesPlan = []phase{
		{proving, "place invariants", 0.10, proveByInvariants},
		{proving, "state equation", 0.40, proveAll},
		{proving, "state graph", 0.70, exploreAll},
		{proving, "each open place on a net reduced for it", 1, decideOneByOne},
		{searching, "walks", 1, walkAll},
		{diagrams, "decision diagrams of the net reduced for all", 1, diagramsAll},
	}
	transitionsPlan = []phase{
		{proving, "place invariants", 0.05, proveByInvariants},
		{proving, "state equation", 0.40, proveAll},
		{proving, "state graph", 0.70, exploreAll},
		{proving, "each open transition on a net reduced for it", 1, decideOneByOne},
		{searching, "walks", 1, walkAll},
		{diagrams, "decision diagrams of the net reduced for all", 1, diagramsAll},
	}
	livenessPlan = []phase{
		{proving, "place invariants", 0.05, proveByInvariants},
		{proving, "state equation", 0.30, proveAll},
		{proving, "components of the state graph", 1, decideLiveness},
		{searching, "walks, for deadlocks and dead transitions", 1, walkForLiveness},
		{diagrams, "decision diagrams", 1, diagramsLiveness},
	}
	branchingPlan = []phase{
		{proving, "state equation of the net reduced for all", 0.10, proveAll},
		{proving, "state graph, formulas evaluated on all of it", 0.55, evaluateBranching},
		{proving, "formulas on the fly", 1, searchBranching},
		{searching, "walks on the net reduced for all", 0.15, walkAll},
		{searching, "formulas on the fly, deeper at first", 1, searchBranchingDeep},
		{diagrams, "decision diagrams, fixpoints over sets", 1, diagramsBranching},
	}
	linearPlan = []phase{
		{proving, "place invariants, for what is needed", 0.02, proveByInvariants},
		{proving, "state equation, for what is needed", 0.05, proveAll},
		{proving, "products with automata", 1, checkLinear},
		{searching, "walks, for what is always so", 0.05, walkForAnswers},
		{searching, "random runs, on which formulas are evaluated", 0.3, tryRandomRuns},
		{searching, "products with automata, transitions shuffled", 1, checkLinearShuffled},
		{diagrams, "products of decision diagrams with automata", 1, diagramsLinear},
	}
	// What is proven of the skeleton of a coloured net, while it is being unfolded,
	// or longer if it can't be: one lane for reachability, two for temporal formulas.
	skeletonPlan = []phase{
		{proving, "skeleton: place invariants", 0.1, proveByInvariants},
		{proving, "skeleton: state equation", 0.3, proveAll},
		{proving, "skeleton: state graph", 0.5, exploreAll},
		{proving, "skeleton: decision diagrams", 0.7, diagramsAll},
		{proving, "skeleton: each question alone", 1, decideOneByOne},
	}
	skeletonLinearPlan = []phase{
		{proving, "skeleton: products with automata", 1, checkLinear},
		{diagrams, "skeleton: products of decision diagrams with automata", 1, diagramsLinear},
	}
	skeletonBranchingPlan = []phase{
		{proving, "skeleton: state graph, formulas evaluated on all of it", 0.4, evaluateBranching},
		{proving, "skeleton: formulas on the fly", 1, searchBranching},
		{diagrams, "skeleton: decision diagrams, fixpoints over sets", 1, diagramsBranching},
	}
	stateSpacePlan = []phase{
		{proving, "explicit state graph", 1, countExplicitly},
		{searching, "walks, for a part that can be repeated for ever", 0.02, walkTokens},
		{searching, "bounds of tokens", 0.4, boundTokens},
		{searching, "walks, for many tokens", 1, walkTokens},
		{diagrams, "decision diagrams", 1, countSymbolically},
	}
)

// Formulas are simplified by the state equation before anything else, for this
// fraction of the time at most, and each question to it for this long.
const (
	simplifyUntil = 0.15
	simplifyEach  = 100 * time.Millisecond
)

// memoryShare is the part of the memory that engines may fill, in percent: the
// rest is for what the garbage collector has not returned yet.
const memoryShare = 60

// planOf is the plan for a family of questions.
func planOf(f inquiry.Family) []phase {
	return [inquiry.Families][]phase{
		inquiry.PlacesFamily: placesPlan, inquiry.DeadlockFamily: deadlockPlan, inquiry.TransitionsFamily: transitionsPlan,
		inquiry.LivenessFamily: livenessPlan, inquiry.BoundsFamily: boundsPlan, inquiry.ReachabilityFamily: reachabilityPlan,
		inquiry.BranchingFamily: branchingPlan, inquiry.LinearFamily: linearPlan, inquiry.SizesFamily: stateSpacePlan,
	}[f]
}

// simplifies reports whether predicates are simplified before the questions of a family
// are put. Where the questions are reachability itself, the engines do that.
func simplifies(f inquiry.Family) bool {
	return f == inquiry.BranchingFamily || f == inquiry.LinearFamily
}

// looksAtPlacesOnly reports whether all that is asked is how many tokens places have.
func looksAtPlacesOnly(f inquiry.Family) bool {
	return f == inquiry.PlacesFamily || f == inquiry.BoundsFamily
}

// follow runs the lanes of a plan until ctx ends, all engines are at their ends, or what is
// left is given up. Then it reports whether more time could help.
func (r *task) follow(ctx context.Context, plan []phase) (cut bool) {
	var late atomic.Bool
	var lanes []func(context.Context)
	provers := 0
	for _, l := range []lane{proving, searching, diagrams} {
		phases := slices.DeleteFunc(slices.Clone(plan), func(p phase) bool { return p.lane != l })
		if len(phases) == 0 {
			continue
		}
		if l != searching {
			provers++
		}
		lanes = append(lanes, func(lane context.Context) {
			if l == searching {
				searching, done := r.prospects.Search(lane)
				defer done()
				r.followLane(searching, phases)
				if lane.Err() != nil {
					late.Store(true)
				}
				return
			}
			defer r.prospects.Rest()
			if r.followLane(lane, phases) {
				late.Store(true)
			}
		})
	}
	if !r.within { // else they are those of whom this is a part
		r.prospects = r.newProspects()
		defer r.prospects.Stop()
	}
	r.prospects.Add(provers)
	r.solver.turns.Run(ctx, lanes...)
	return late.Load()
}

// followLane runs phases one after the other. It reports whether some engine's time was over
// before it was at its end.
func (r *task) followLane(ctx context.Context, phases []phase) (late bool) {
	for _, p := range phases {
		if ctx.Err() != nil {
			return true
		}
		phase, cancel := ctx, context.CancelFunc(func() {})
		if p.until < 1 {
			phase, cancel = lanes.Until(ctx, r.clock.at(p.until))
		}
		r.run(phase, p)
		late = late || phase.Err() != nil
		cancel()
	}
	return late
}

// newProspects are those of the task's searches; nil if there is a deadline.
func (r *task) newProspects() *turns.Prospects {
	if !r.clock.endless {
		return nil
	}
	return turns.NewProspects(cmp.Or(r.solver.options.Patience, defaultPatience), ErrNotDecided)
}
