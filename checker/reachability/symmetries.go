package reachability

import (
	"context"
	"slices"

	"pnmc/checker/witness"
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

// symmetryWork is the work that finding symmetries may take, in about nanoseconds.
const symmetryWork = 100_000_000

// findSymmetries finds symmetries of the net and the open goals, if they are wanted. Unless it is nil, k
// has markings of the net to try them on.
func (g *GoalSearch) findSymmetries(ctx context.Context, k *petri.Kripke) error {
	if !g.Symmetric || !g.Net.Plain() {
		return nil
	}
	var goals []automorphism.Goal
	for i, goal := range g.Goals {
		if g.Open(i) {
			goals = append(goals, automorphism.Goal(goal))
		}
	}
	found, err := automorphism.Find(ctx, g.Net, goals, symmetryWork)
	if found == nil || err != nil {
		return err
	}
	if k != nil {
		if worth, err := worthwhile(k, found, g.First); !worth || err != nil {
			return err
		}
	}
	g.symmetries, g.Symmetries = found, found.Len()
	return nil
}

// worthwhile reports whether symmetries leave at most three of four of the first markings of k, so
// many of them.
func worthwhile(k *petri.Kripke, s *petri.Symmetries, first int) (bool, error) {
	places := k.Net().Places()
	m, scratch := make(petri.Marking, places), make(petri.Marking, places)
	left := make(map[uint64]struct{}, first)
	for id := range petri.StateID(first) {
		if err := k.Account().Charge(8 * (places + s.Len())); err != nil {
			return false, err
		}
		k.Marking(id, m)
		s.Lower(m, scratch)
		left[hashing.Numbers(m)] = struct{}{}
	}
	return 4*len(left) <= 3*first, nil
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
