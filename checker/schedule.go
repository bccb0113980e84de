package checker

import (
	"pnmc/checker/inquiry"
)

// This file is the whole plan by which time is divided. Each family of questions has
// three lanes that run at the same time, as there are several cores: engines in
// the proving lane can tell that something is impossible, those in the searching
// lane look for witnesses, and decision diagrams do both if they get there. A task
// ends when its last question is answered.

// proving is a phase in the proving lane. It ends when the fraction until of the task's time is
// over, or with 1 only by itself.
func proving(name string, until float64, e engine) phase {
	return phase{lane: laneProving, name: name, until: until, engine: e}
}

// searching is a phase in the searching lane.
func searching(name string, until float64, e engine) phase {
	return phase{lane: laneSearching, name: name, until: until, engine: e}
}

// diagrams is a phase in the lane of decision diagrams.
func diagrams(name string, until float64, e engine) phase {
	return phase{lane: laneDiagrams, name: name, until: until, engine: e}
}

var (
	reachabilityPlan = []phase{
		proving("place invariants", 0.05, proveByInvariants),
		proving("state equation of the net reduced for all", 0.20, proveAll),
		proving("state graph of the net reduced for all", 0.45, exploreAll),
		proving("each open question on a net reduced for it", 1, decideOneByOne),
		searching("walks on the net reduced for all", 0.40, walkAll),
		searching("walks on nets reduced for one", 1, walkOneByOne),
		diagrams("decision diagrams of the net reduced for all", 1, diagramsAll),
	}
	boundsPlan = []phase{
		proving("place invariants", 0.10, proveByInvariants),
		proving("bounds from the state equation", 0.25, proveAll),
		proving("state graph of the net reduced for all", 0.50, exploreAll),
		proving("each open question on a net reduced for it", 1, decideOneByOne),
		searching("walks on the net reduced for all", 0.40, walkAll),
		searching("walks on nets reduced for one", 1, walkOneByOne),
		diagrams("decision diagrams of the net reduced for all", 1, diagramsAll),
	}
	deadlockPlan = []phase{
		proving("state equation of the net reduced for deadlocks", 0.15, proveAll),
		proving("state graph of the net reduced for deadlocks", 1, exploreAll),
		searching("walks on the net reduced for deadlocks", 1, walkAll),
		diagrams("decision diagrams of the net reduced for all", 1, diagramsAll),
	}
	placesPlan = []phase{
		proving("place invariants", 0.10, proveByInvariants),
		proving("state equation", 0.40, proveAll),
		proving("state graph", 0.70, exploreAll),
		proving("each open place on a net reduced for it", 1, decideOneByOne),
		searching("walks", 1, walkAll),
		diagrams("decision diagrams of the net reduced for all", 1, diagramsAll),
	}
	transitionsPlan = []phase{
		proving("place invariants", 0.05, proveByInvariants),
		proving("state equation", 0.40, proveAll),
		proving("state graph", 0.70, exploreAll),
		proving("each open transition on a net reduced for it", 1, decideOneByOne),
		searching("walks", 1, walkAll),
		diagrams("decision diagrams of the net reduced for all", 1, diagramsAll),
	}
	livenessPlan = []phase{
		proving("place invariants", 0.05, proveByInvariants),
		proving("state equation", 0.30, proveAll),
		proving("components of the state graph", 1, decideLiveness),
		searching("walks, for deadlocks and dead transitions", 1, walkForLiveness),
		diagrams("decision diagrams", 1, diagramsLiveness),
	}
	branchingPlan = []phase{
		proving("state equation of the net reduced for all", 0.10, proveAll),
		proving("state graph, formulas evaluated on all of it", 0.55, evaluateBranching),
		proving("formulas on the fly", 1, searchBranching),
		searching("walks on the net reduced for all", 0.15, walkAll),
		searching("formulas on the fly, deeper at first", 1, searchBranchingDeep),
		diagrams("decision diagrams, fixpoints over sets", 1, diagramsBranching),
	}
	linearPlan = []phase{
		proving("place invariants, for what is needed", 0.02, proveByInvariants),
		proving("state equation, for what is needed", 0.05, proveAll),
		proving("products with automata", 1, checkLinear),
		searching("walks, for what is always so", 0.05, walkForAnswers),
		searching("random runs, on which formulas are evaluated", 0.3, tryRandomRuns),
		searching("products with automata, transitions shuffled", 1, checkLinearShuffled),
		diagrams("products of decision diagrams with automata", 1, diagramsLinear),
	}
	stateSpacePlan = []phase{
		proving("explicit state graph", 1, countExplicitly),
		searching("walks, for a part that can be repeated for ever", 0.02, walkTokens),
		searching("bounds of tokens", 0.4, boundTokens),
		searching("walks, for many tokens", 1, walkTokens),
		diagrams("decision diagrams", 1, countSymbolically),
	}
)

// skeletonPlans are for what is proven of the skeleton of a coloured net, while it is being
// unfolded, or longer if it can't be: one lane for reachability, two for temporal formulas.
var skeletonPlans = colouredPlans{
	reachability: []phase{
		proving("skeleton: place invariants", 0.1, proveByInvariants),
		proving("skeleton: state equation", 0.3, proveAll),
		proving("skeleton: state graph", 0.5, exploreAll),
		proving("skeleton: decision diagrams", 0.7, diagramsAll),
		proving("skeleton: each question alone", 1, decideOneByOne),
	},
	linear: []phase{
		proving("skeleton: products with automata", 1, checkLinear),
		diagrams("skeleton: products of decision diagrams with automata", 1, diagramsLinear),
	},
	branching: []phase{
		proving("skeleton: state graph, formulas evaluated on all of it", 0.4, evaluateBranching),
		proving("skeleton: formulas on the fly", 1, searchBranching),
		diagrams("skeleton: decision diagrams, fixpoints over sets", 1, diagramsBranching),
	},
}

// planOf is the plan for a family of questions.
func planOf(f inquiry.Family) []phase {
	return [inquiry.Families][]phase{
		inquiry.PlacesFamily: placesPlan, inquiry.DeadlockFamily: deadlockPlan, inquiry.TransitionsFamily: transitionsPlan,
		inquiry.LivenessFamily: livenessPlan, inquiry.BoundsFamily: boundsPlan, inquiry.ReachabilityFamily: reachabilityPlan,
		inquiry.BranchingFamily: branchingPlan, inquiry.LinearFamily: linearPlan, inquiry.SizesFamily: stateSpacePlan,
	}[f]
}
