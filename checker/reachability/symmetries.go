package reachability

import (
	"context"
	"errors"
	"slices"

	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/internal/hashing"
	"pnmc/petri"
	"pnmc/petri/automorphism"
)

// This file has what a search for goals does if markings stand for their images by symmetries. These
// are symmetries of the net and of all open goals. So a marking has as short a run to a goal as each of
// its images, and largest values are the same.
//
// Stubborn sets go well with that. What they promise is said of one marking: of the firings that
// begin shortest runs to an open goal, one is kept. Whether the marking that it leads to, or an image
// of it, is gone on from makes no difference to how far the goal is.
//
// Symmetries are of little use where components that are alike hardly ever differ, or where most
// transitions are those of what has no like. To lower each marking then costs about as much as to
// find it. So symmetries are used if they make the markings fewer that were explored first.

// beginning is how one thread explores first, until it is known how to go on.
type beginning struct {
	search     *GoalSearch
	kripke     *petri.Kripke
	begun      int64 // work charged before
	sought     bool
	symmetries *petri.Symmetries // found, and perhaps of no use
}

const (
	// symmetryWork is the most work that finding symmetries may take, in about nanoseconds, and
	// nodeWork about what it takes for each place and transition.
	symmetryWork = 100_000_000
	nodeWork     = 20_000
	// fewest is how many markings show whether symmetries are of use.
	fewest = 1 << 8
)

// begin begins with the first marking.
func (b *beginning) begin(k *petri.Kripke) {
	if b != nil {
		b.kripke, b.begun = k, k.Account().Spent()
	}
}

// isDue reports whether to look how to go on, before id is explored: at the end of the beginning, and as
// soon as exploring has cost as much as finding symmetries may do.
func (b *beginning) isDue(id petri.StateID) bool {
	if b == nil || id < fewest && int(id) != b.search.First {
		return false
	}
	if int(id) == b.search.First {
		return true
	}
	nodes := b.search.Net.Places() + b.search.Net.Transitions()
	return !b.sought && b.kripke.Account().Spent()-b.begun >= int64(min(symmetryWork, nodeWork*nodes))
}

// look reports whether to begin again, with symmetries if these make the markings before id fewer, or
// with several threads.
func (b *beginning) look(ctx context.Context, id petri.StateID) (again bool, err error) {
	g := b.search
	if !b.sought {
		b.sought = true
		if b.symmetries, err = g.findSymmetries(ctx); err != nil {
			return false, err
		}
	}
	if b.symmetries != nil {
		worth, err := worthwhile(b.kripke, b.symmetries, id)
		if err != nil {
			return false, err
		}
		if worth {
			g.symmetries, g.Symmetries = b.symmetries, b.symmetries.Len()
			return true, nil
		}
	}
	return g.Threads > 1 && int(id) == g.First, nil
}

// findSymmetries returns symmetries of the net and the open goals, if they are wanted and there are some.
func (g *GoalSearch) findSymmetries(ctx context.Context) (*petri.Symmetries, error) {
	if !g.Symmetric || !g.Net.Plain() {
		return nil, nil
	}
	var goals []automorphism.Goal
	for i, goal := range g.Goals {
		if g.Open(i) {
			goals = append(goals, automorphism.Goal(goal))
		}
	}
	within, stop := account.Within(ctx, g.Budget)
	defer stop(nil)
	found, err := automorphism.Find(within, g.Net, goals, symmetryWork)
	if errors.As(err, new(*petri.MemoryError)) {
		return nil, nil // exploring may do with what is left
	}
	return found, err
}

// worthwhile reports whether symmetries leave at most three of four of the first markings of k, those
// before id.
func worthwhile(k *petri.Kripke, s *petri.Symmetries, id petri.StateID) (bool, error) {
	places := k.Net().Places()
	m, scratch := make(petri.Marking, places), make(petri.Marking, places)
	left := make(map[uint64]struct{}, id)
	for i := range id {
		if err := k.Account().Charge(8 * (places + s.Len())); err != nil {
			return false, err
		}
		k.Marking(i, m)
		s.Lower(m, scratch)
		left[hashing.Numbers(m)] = struct{}{}
	}
	return 4*len(left) <= 3*int(id), nil
}

// straightPath returns a run to an image of s, where states stand for their images.
func (g *GoalSearch) straightPath(k *petri.Kripke, parents *growing.Stack[petri.StateID], s petri.StateID) []witness.Burst {
	var states []petri.StateID
	for ; s != k.Initial(); s = *parents.At(int(s)) {
		states = append(states, s)
	}
	trail := petri.NewTrail(g.Net, g.symmetries)
	before, after := g.Net.Initial(), make(petri.Marking, g.Net.Places())
	run := make([]witness.Burst, 0, len(states))
	for _, s := range slices.Backward(states) {
		if k.Account().Charge(trail.Work()) != nil {
			return nil
		}
		k.Marking(s, after)
		t, ok := trail.Follow(before, after)
		if !ok {
			return nil
		}
		run = append(run, witness.Burst{Transition: t, Times: 1})
		before, after = after, before
	}
	return run
}
