package stateequation

import (
	"context"
	"time"

	"pnmc/checker/internal/lanes"
	"pnmc/logic"
	"pnmc/petri"
)

// This file proves of transitions that they never fire: no reachable marking has the tokens that they need, as
// that contradicts the state equation and its traps.
//
// Such a transition can be taken out of the net. The markings that are reached stay the same, but more is proven of
// them: the equation has a column less, which may have been part of solutions, a set of places is more easily a trap or
// an invariant, and other transitions may turn out never to fire. For example, let t need a and b, which have one
// token together by an invariant, and give one to c. Then c stays empty, which the equation does not know as
// long as it fires t, and what needs c never fires either.

// fewBranches bounds the linear programs of a question whether a transition fires. Most are decided by one.
const fewBranches = 16

// Dead returns those of the candidates that are proven never to fire. It asks about each at most for the time each,
// until ctx ends. A solution that stands for one candidate and has the tokens for others is one for these, too: they
// are not asked about. A transition that is not returned may never fire either.
func (e *Equation) Dead(ctx context.Context, candidates []petri.Transition, each time.Duration) (dead []petri.Transition) {
	return e.deadWithin(ctx, candidates, each, fewBranches)
}

// deadWithin is Dead with a bound of the linear programs of each question.
func (e *Equation) deadWithin(ctx context.Context, candidates []petri.Transition, each time.Duration, branches int) (dead []petri.Transition) {
	kept := e.kept
	e.kept = 0
	defer func() { e.kept = kept }()
	for len(candidates) > 0 && ctx.Err() == nil {
		t := candidates[0]
		candidates = candidates[1:]
		part, cancel := lanes.Sliced(ctx, each)
		refuted, stands := e.contradicts(part, &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(t)}}, branches)
		cancel()
		switch {
		case refuted:
			dead = append(dead, t)
		case stands:
			candidates = e.disabled(ctx, candidates)
		}
	}
	return dead
}

// disabled returns the transitions that lack tokens in the present solution, in the place of the list.
func (e *Equation) disabled(ctx context.Context, list []petri.Transition) []petri.Transition {
	s := refutation{equation: e, ctx: ctx}
	left := list[:0]
	for _, t := range list {
		if !s.enabled(t, true) {
			left = append(left, t)
		}
	}
	return left
}
