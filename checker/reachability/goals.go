package reachability

import (
	"context"
	"errors"
	"slices"

	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/growing"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/multicore"
	"pnmc/petri/stubborn"
)

// GoalSearch looks for goals in the whole state graph of a net, all of them in one exploration.
// When it is complete, goals that it has not found are unreachable.
//
// It goes breadth first: markings have numbers in the order in which they are met, and are looked
// at in that order. The marking from which each was first met is its parent, so that a run to a
// goal is read off backwards, and no shorter one was explored. A predicate is a goal that is
// reached once. A maximum is known only at the end, when all markings were seen; until then the
// best value is kept.
//
// For example, let the goals be "a deadlock", "p ≥ 2", and the maximum of q. The exploration may
// find p ≥ 2 after ten markings, the deadlock after a thousand, and end after a million with the
// maximum of q. From the time when two goals were found, stubborn sets need to keep only what makes
// q larger (Keep).
//
// The cost is that of the state graph, and for each marking the size of the open goals.
type GoalSearch struct {
	Net    *petri.Net
	Facts  petri.Facts
	Budget petri.Budget
	Goals  []walk.Goal
	// Open reports whether a goal is still looked for.
	Open func(goal int) bool
	// Found is called with the number of an open goal and the run that leads to it: for a
	// predicate in a marking where it holds, for a maximum at the end, with its value. The run
	// is nil if it is not known.
	Found func(goal int, value int64, run []witness.Burst)
	// Stubborn: leave out firings that no open goal needs.
	Stubborn bool
	// Symmetric: in plain nets, one marking stands for all that symmetries of the net and the open
	// goals make of it.
	Symmetric bool
	// Threads is how many explore, 0 for one. With several, markings are met in another order each
	// time: runs need not be shortest, and how many markings are explored before the last goal is
	// found differs. Open and Found are called by one thread at a time. A context of a lane
	// (package lanes) is looked at by the thread of the caller only.
	Threads int
	// First, unless 0, is how many markings one thread explores before several begin again, and how many
	// at most before symmetries are looked for. Many graphs have no more: they are explored before
	// several threads would have begun, or symmetries were found.
	First int
	// States counts the markings explored so far, and Savings what was left out of them. Found
	// may read both.
	States  int
	Savings petri.Savings
	// Symmetries counts the permutations by which markings stand for others.
	Symmetries int

	symmetries *petri.Symmetries // nil: each marking stands for itself
	// found are the predicates that were found, and ahead those of them that one thread, which
	// explores again, has not met yet. It takes these for open: what stubborn sets leave out, and so
	// what is explored, is then as if nobody had explored before.
	found, ahead []bool
}

// Run explores. It returns nil if all of the state graph was explored, or if no goal is open any
// more. An error is that of ctx or the budget, or says that a place is unbounded or a sum too
// large. If several threads find a place to be unbounded, one explores again: so it is always the
// same place, and the same part of the graph.
func (g *GoalSearch) Run(ctx context.Context) error {
	selection, err := g.selection(ctx)
	if err != nil {
		return err
	}
	g.found, g.ahead = make([]bool, len(g.Goals)), make([]bool, len(g.Goals))
	g.symmetries, g.Symmetries = nil, 0
	if g.First > 0 {
		if again, err := g.runAlone(ctx, selection, &beginning{search: g}); !again {
			return err
		}
	} else if symmetries, err := g.findSymmetries(ctx); err != nil {
		return err
	} else if symmetries != nil {
		g.symmetries, g.Symmetries = symmetries, symmetries.Len()
	}
	if g.Threads > 1 {
		if err := g.runTogether(ctx, selection); !multicore.Endless(err) {
			return err
		}
	}
	copy(g.ahead, g.found)
	_, err = g.runAlone(ctx, selection, nil)
	return err
}

// runAlone explores with one thread, which fires what another selection like the given one chooses.
// It reports whether the exploration is to begin again in another way, which first says unless it is
// nil.
func (g *GoalSearch) runAlone(ctx context.Context, selection petri.Selection, first *beginning) (left bool, err error) {
	k := petri.NewKripkeWithin(ctx, g.Net, g.Facts, g.Budget)
	k.Begin(ctx)
	first.begin(k)
	if g.symmetries != nil {
		k.Fold(g.symmetries)
	}
	own, narrow := another(selection)
	if own != nil {
		k.Select(own, false)
	}
	defer func() { g.Savings = k.Savings() }()
	conditions := make([]*walk.Condition, len(g.Goals))
	best := make([]int64, len(g.Goals))
	bestAt := make([]petri.StateID, len(g.Goals))
	var open []int
	for i, goal := range g.Goals {
		best[i] = -1 << 63
		if goal.Predicate != nil {
			conditions[i] = walk.NewCondition(goal.Predicate)
		}
		open = append(open, i)
	}
	var parents growing.Stack[petri.StateID]
	parents.Push(k.Initial())
	marking := make(petri.Marking, g.Net.Places())
	work := g.work()
	for id := petri.StateID(0); int(id) < k.Len(); id++ {
		if first.isDue(id) {
			if left, err := first.look(ctx, id); left || err != nil {
				return left, err
			}
		}
		k.Account().Add(work)
		look := id%pollStates == 0 || k.Account().Due() // Successors looks, and then nothing is due any more
		if look {
			open = slices.DeleteFunc(open, g.isOver)
			if !slices.ContainsFunc(open, g.Open) {
				return false, nil
			}
			narrow(open)
		}
		g.States, g.Savings = int(id)+1, k.Savings()
		k.Marking(id, marking)
		decided := false
		for _, i := range open {
			if c := conditions[i]; c != nil {
				if c.HoldsIn(g.Net, marking) {
					if g.ahead[i] {
						g.ahead[i] = false
					} else {
						g.found[i] = true
						g.Found(i, 0, g.pathTo(k, &parents, id))
					}
					decided = true
				}
			} else if v, ok := g.Goals[i].Value(marking); !ok {
				return false, errTooLarge
			} else if v > best[i] {
				best[i], bestAt[i] = v, id
			}
		}
		if decided {
			open = slices.DeleteFunc(open, g.isOver)
			narrow(open)
		}
		if _, err := k.Successors(id); err != nil {
			return false, err
		}
		if u := k.Unbounded(); u != nil {
			return false, u
		}
		// Successors has charged sixteen bytes a word of each new marking: four more need no charge.
		for parents.Length < k.Len() {
			parents.Push(id)
		}
	}
	for i, goal := range g.Goals {
		if goal.Predicate == nil && g.Open(i) {
			g.Found(i, best[i], g.pathTo(k, &parents, bestAt[i]))
		}
	}
	return false, nil
}

// isOver reports whether a goal is not looked for any more.
func (g *GoalSearch) isOver(goal int) bool { return !g.ahead[goal] && !g.Open(goal) }

// errTooLarge says that the value of a goal can't be told.
var errTooLarge = errors.New("a sum of tokens exceeds 63 bits")

// work returns about what it costs to look at a marking, in nanoseconds.
func (g *GoalSearch) work() int {
	work := 4 * g.Net.Places()
	for _, goal := range g.Goals {
		work += goalWork * size(&goal)
	}
	return work
}

// selection returns what fires only what goals need, or nil if that is not wanted: the one that
// another makes more of. If all goals are deadlocks, a stronger selection serves. An error is that
// of ctx.
func (g *GoalSearch) selection(ctx context.Context) (petri.Selection, error) {
	if !g.Stubborn {
		return nil, nil
	}
	if !slices.ContainsFunc(g.Goals, func(goal walk.Goal) bool { return goal.Predicate == nil || goal.Predicate.Operator != logic.Deadlocked }) {
		deadlocks, err := stubborn.NewDeadlocks(ctx, g.Net, g.Facts)
		if err != nil {
			return nil, err
		}
		return deadlocks, nil
	}
	goals := make([]stubborn.Goal, len(g.Goals))
	for i, goal := range g.Goals {
		goals[i] = stubborn.Goal(goal)
	}
	closure, err := stubborn.NewGoals(ctx, g.Net, g.Facts, goals)
	if err != nil {
		return nil, err
	}
	return closure, nil
}

// another returns a selection like the given one, which may be nil, for one exploration or thread, and
// what is to be told which goals are still open.
func another(selection petri.Selection) (petri.Selection, func(open []int)) {
	switch s := selection.(type) {
	case *stubborn.Closure:
		closure := s.Another()
		return closure, closure.Keep
	case *stubborn.Component:
		return s.Another(), func([]int) {}
	}
	return nil, func([]int) {}
}

// pollStates is the number of states between two looks at what is still asked.
const pollStates = 1 << 10

// goalWork is about the cost of evaluating a part of a goal in a marking, in nanoseconds.
const goalWork = 8

// size returns the number of parts of the goal.
func size(g *walk.Goal) int {
	if g.Predicate == nil {
		return predicateSize(&logic.Predicate{Sum: *g.Maximum, Products: g.Products})
	}
	return predicateSize(g.Predicate)
}

// predicateSize returns the number of operators, terms and transitions in p.
func predicateSize(p *logic.Predicate) int {
	size := 1 + len(p.Transitions)
	for s := range p.Sums() {
		size += 1 + len(s.Terms)
	}
	for _, o := range p.Operands {
		size += predicateSize(o)
	}
	return size
}

// pathTo returns the run along parents from the initial state to s, or to an image of it. It is nil if
// a firing is not found again, or the time is over before.
func (g *GoalSearch) pathTo(k *petri.Kripke, parents *growing.Stack[petri.StateID], s petri.StateID) []witness.Burst {
	if g.symmetries != nil {
		return g.straightPath(k, parents, s)
	}
	var run []witness.Burst
	for s != k.Initial() {
		before := *parents.At(int(s))
		t, ok := k.Firing(before, s)
		if !ok {
			return nil
		}
		run = append(run, witness.Burst{Transition: t, Times: 1})
		s = before
	}
	slices.Reverse(run)
	return run
}
