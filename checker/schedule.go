package checker

import (
	"context"
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/atoms"
	"pnmc/checker/internal/coloured"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/linear"
	"pnmc/checker/internal/liveness"
	"pnmc/checker/internal/sizes"
	"pnmc/checker/internal/tree"
)

// This file is the whole plan by which time is divided. Each family of questions has
// three lanes that run at the same time, as there are several cores. Engines in the
// proving lane can show that something is impossible. Those in the searching lane look
// for witnesses. Decision diagrams do both, if they get that far. A fourth lane is for engines that ask
// another program, if the user names one. A task ends when its
// last question is answered.
//
// A phase has the fraction of the task's time at which it ends at the latest. Of 100 seconds, for
// example, linearPlan gives place invariants the first 2 and the state equation those until 5, and
// products with automata follow until the end. An engine that is done before hands its time to the
// next one. In the searching lane, walks and then random runs go on meanwhile. An engine with
// fraction 1 ends by itself, or with the task.

// These are the needs of phases. An engine that can use several but does not always needs none
// here. It sees for itself what to do without.
const (
	invariants = inquiry.Topological
	equation   = inquiry.LinearProgram
	explicit   = inquiry.ExplicitSearch
	walks      = inquiry.RandomWalk
	sets       = inquiry.DecisionDiagrams
	implied    = inquiry.QueryReduction
	solver     = inquiry.SolverModuloTheories
)

// proving returns a phase in the proving lane. It ends when the fraction until of the task's time is
// over, or with 1 only by itself.
func proving(name string, until float64, needs inquiry.Techniques, e core.Engine) core.Phase {
	return core.Phase{Lane: core.Proving, Name: name, Until: until, Needs: needs, Engine: e}
}

// searching returns a phase in the searching lane.
func searching(name string, until float64, needs inquiry.Techniques, e core.Engine) core.Phase {
	return core.Phase{Lane: core.Searching, Name: name, Until: until, Needs: needs, Engine: e}
}

// diagrams returns a phase in the lane of decision diagrams.
func diagrams(name string, until float64, needs inquiry.Techniques, e core.Engine) core.Phase {
	return core.Phase{Lane: core.Diagrams, Name: name, Until: until, Needs: needs, Engine: e}
}

// onDisk returns the last phase in the proving lane: it is for what does not end in memory.
func onDisk(name string) core.Phase {
	return core.Phase{Lane: core.Proving, Name: name, Until: 1, Needs: explicit, Engine: atoms.OnDisk, OnDisk: true}
}

// solving returns a phase in the lane of engines that ask another program.
func solving(name string, needs inquiry.Techniques, e core.Engine) core.Phase {
	return core.Phase{Lane: core.Solving, Name: name, Until: 1, Needs: needs, Engine: e}
}

var (
	reachabilityPlan = []core.Phase{
		proving("state graph of the net as it is, if it was begun", 0.20, explicit, atoms.Further),
		proving("place invariants", 0.05, invariants, atoms.Invariants),
		proving("state equation of the net reduced for all", 0.20, equation, atoms.Equation),
		proving("state graph of the net reduced for all", 0.45, explicit, atoms.Graph),
		proving("each open question on a net reduced for it", 1, 0, atoms.OneByOne),
		onDisk("markings on disk, of the net reduced for what is open"),
		searching("walks on the net reduced for all", 0.40, walks, atoms.Walks),
		searching("walks on nets reduced for one", 1, walks, atoms.WalksOneByOne),
		diagrams("decision diagrams of the net reduced for all", 1, sets, atoms.Diagrams),
		solving("induction with an SMT solver, on nets reduced for one", solver|equation, atoms.Induction),
	}
	boundsPlan = []core.Phase{
		proving("state graph of the net as it is, if it was begun", 0.20, explicit, atoms.Further),
		proving("place invariants", 0.10, invariants, atoms.Invariants),
		proving("bounds from the state equation", 0.25, equation, atoms.Equation),
		proving("state graph of the net reduced for all", 0.50, explicit, atoms.Graph),
		proving("each open question on a net reduced for it", 1, 0, atoms.OneByOne),
		searching("walks on the net reduced for all", 0.40, walks, atoms.Walks),
		searching("walks on nets reduced for one", 1, walks, atoms.WalksOneByOne),
		diagrams("decision diagrams of the net reduced for all", 1, sets, atoms.Diagrams),
	}
	deadlockPlan = []core.Phase{
		proving("state graph of the net as it is, if it was begun", 0.20, explicit, atoms.Further),
		proving("state equation of the net reduced for deadlocks", 0.15, equation, atoms.Equation),
		proving("state graph of the net reduced for deadlocks", 1, explicit, atoms.Graph),
		onDisk("markings on disk, of the net reduced for deadlocks"),
		searching("walks on the net reduced for deadlocks", 1, walks, atoms.Walks),
		diagrams("decision diagrams of the net reduced for all", 1, sets, atoms.Diagrams),
	}
	placesPlan = []core.Phase{
		proving("state graph of the net as it is, if it was begun", 0.20, explicit, atoms.Further),
		proving("place invariants", 0.10, invariants, atoms.Invariants),
		proving("state equation", 0.40, equation, atoms.Equation),
		proving("state graph", 0.70, explicit, atoms.Graph),
		proving("each open place on a net reduced for it", 1, 0, atoms.OneByOne),
		searching("walks", 1, walks, atoms.Walks),
		diagrams("decision diagrams of the net reduced for all", 1, sets, atoms.Diagrams),
	}
	transitionsPlan = []core.Phase{
		proving("state graph of the net as it is, if it was begun", 0.20, explicit, atoms.Further),
		proving("place invariants", 0.05, invariants, atoms.Invariants),
		proving("state equation", 0.40, equation, atoms.Equation),
		proving("state graph", 0.70, explicit, atoms.Graph),
		proving("each open transition on a net reduced for it", 1, 0, atoms.OneByOne),
		searching("walks", 1, walks, atoms.Walks),
		diagrams("decision diagrams of the net reduced for all", 1, sets, atoms.Diagrams),
	}
	livenessPlan = []core.Phase{
		proving("state graph of the net as it is, if it was begun", 0.20, explicit, atoms.Further),
		proving("place invariants", 0.05, invariants, atoms.Invariants),
		proving("state equation", 0.30, equation, atoms.Equation),
		proving("components of the state graph", 1, explicit, liveness.Graph),
		searching("walks, for deadlocks and dead transitions", 1, walks, liveness.Walks),
		diagrams("decision diagrams", 1, sets, liveness.Diagrams),
	}
	branchingPlan = []core.Phase{
		proving("state graph of the net as it is, if it was begun", 0.20, explicit, atoms.Further),
		proving("state equation of the net reduced for all", 0.10, equation, atoms.Equation),
		proving("state graph by symmetries, formulas evaluated on all of it", 1, explicit, tree.Orbits),
		proving("state graph, formulas evaluated on all of it", 0.55, explicit, tree.Graph),
		proving("formulas on the fly", 1, explicit, tree.Search),
		searching("walks on the net reduced for all", 0.08, walks, atoms.Walks),
		searching("random runs, on which is evaluated what formulas imply", 0.16, implied|walks, tree.OfImplied(linear.RandomRuns)),
		searching("formulas on the fly, deeper at first, a little", 0.40, explicit, tree.SearchDeep),
		searching("products with automata of what formulas imply", 0.60, implied|explicit, tree.OfImplied(linear.Products)),
		searching("formulas on the fly, deeper at first", 1, explicit, tree.SearchDeep),
		diagrams("decision diagrams, fixpoints over sets", 1, sets, tree.Diagrams),
	}
	linearPlan = []core.Phase{
		proving("place invariants, for what is needed", 0.02, invariants, atoms.Invariants),
		proving("state equation, for what is needed", 0.05, equation, atoms.Equation),
		proving("products with automata", 1, explicit, linear.Products),
		searching("walks, for what is always so", 0.05, walks, atoms.WalksForAnswers),
		searching("random runs, on which formulas are evaluated, then products in random order", 1, walks, linear.Search),
		diagrams("products of decision diagrams with automata", 1, sets, linear.Diagrams),
	}
	stateSpacePlan = []core.Phase{
		proving("explicit state graph by symmetries", 1, explicit, sizes.Orbits),
		proving("explicit state graph", 1, explicit, sizes.Graph),
		searching("walks, for a part that can be repeated for ever", 0.02, walks, sizes.Walks),
		searching("bounds of tokens", 0.4, 0, sizes.Bounds),
		searching("walks, for many tokens", 1, walks, sizes.Walks),
		diagrams("decision diagrams", 1, sets, sizes.Diagrams),
	}
	// stateSpacePlanOfOne is for one processor. Explicit search explores in a third of the time
	// only a small part of what diagrams may hold. So diagrams then have the processor to
	// themselves. If they fail, explicit search begins again. Of ShieldPPPt-PT-005B the markings
	// and firings are counted within 20 s only so.
	stateSpacePlanOfOne = slices.Concat([]core.Phase{proving("explicit state graph by symmetries", 1, explicit, sizes.Orbits), proving("explicit state graph", 0.3, explicit, sizes.Graph)}, stateSpacePlan[2:],
		[]core.Phase{diagrams("explicit state graph, as diagrams failed", 1, explicit, sizes.Graph)})
)

// firstLookOf returns what looks at a large net as it is before the plan begins, for a family of questions; nil if
// nothing does.
func firstLookOf(f inquiry.Family) func(ctx context.Context, r *core.Task) {
	switch f {
	case inquiry.LinearFamily:
		return nil
	case inquiry.SizesFamily:
		return sizes.First
	}
	return atoms.First
}

// skeletonPlans are for proofs on the skeleton of a coloured net while the net is being
// unfolded, or longer if it can't be unfolded. There is one lane for reachability, and two
// for temporal formulas.
var skeletonPlans = coloured.Plans{
	Reachability: []core.Phase{
		proving("skeleton: place invariants", 0.1, invariants, atoms.Invariants),
		proving("skeleton: state equation", 0.3, equation, atoms.Equation),
		proving("skeleton: state graph", 0.5, explicit, atoms.Graph),
		proving("skeleton: decision diagrams", 0.7, sets, atoms.Diagrams),
		proving("skeleton: each question alone", 1, 0, atoms.OneByOne),
	},
	Linear: []core.Phase{
		proving("skeleton: products with automata", 1, explicit, linear.Products),
		diagrams("skeleton: products of decision diagrams with automata", 1, sets, linear.Diagrams),
	},
	Branching: []core.Phase{
		proving("skeleton: state graph, formulas evaluated on all of it", 0.4, explicit, tree.Graph),
		proving("skeleton: formulas on the fly", 1, explicit, tree.Search),
		diagrams("skeleton: decision diagrams, fixpoints over sets", 1, sets, tree.Diagrams),
	},
}

// planOfOne returns a plan for a family of questions, where one engine works at a time and there is a
// deadline.
func planOfOne(f inquiry.Family, plan []core.Phase) []core.Phase {
	if f == inquiry.SizesFamily {
		return stateSpacePlanOfOne
	}
	return plan
}

// planOf returns the plan for a family of questions.
func planOf(f inquiry.Family) []core.Phase {
	return [inquiry.Families][]core.Phase{
		inquiry.PlacesFamily: placesPlan, inquiry.DeadlockFamily: deadlockPlan, inquiry.TransitionsFamily: transitionsPlan,
		inquiry.LivenessFamily: livenessPlan, inquiry.BoundsFamily: boundsPlan, inquiry.ReachabilityFamily: reachabilityPlan,
		inquiry.BranchingFamily: branchingPlan, inquiry.LinearFamily: linearPlan, inquiry.SizesFamily: stateSpacePlan,
	}[f]
}
