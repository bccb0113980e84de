package induction

import (
	"context"
	"fmt"
	"time"

	"pnmc/checker/internal/lanes"
	"pnmc/logic"
)

// Certify checks that no reachable marking has the goal, by an invariant: no reachable marking is in one of
// its cubes. The error is ErrNotCertified, or the reason of ctx to stop. What the solver said plays no
// part in it. A cube of the invariant stands if
//
//   - the state equation excludes it, or
//   - the initial marking is not in it, and no firing leads into it from a marking that is in no cube of
//     the invariant and that satisfies the state equation.
//
// Reachable markings satisfy the state equation. So by induction over the firings of a run, no reachable
// marking is in a cube. At last, the goal must contradict the state equation outside the cubes.
//
// For example, let t take a token from p and put one on q, with p = 1 and q = 0 initially. The cube
// p + q ≥ 2 excludes p ≥ 1 ∧ q ≥ 1. Before it, by t, is p ≥ 1 ∧ p + q ≥ 2, which lies in the cube.
func (s *Search) Certify(ctx context.Context, invariant []Cube) error {
	all := &logic.Predicate{Operator: logic.And}
	for _, c := range invariant {
		all.Operands = append(all.Operands, c.outside())
	}
	for i, c := range invariant {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if s.excluded(ctx, c) {
			continue
		}
		if c.Contains(s.initial) {
			return fmt.Errorf("%w: the initial marking is in cube %d", ErrNotCertified, i)
		}
		for _, t := range s.touching(c) {
			before, possible, err := s.before(t, c)
			if err != nil {
				return err
			}
			if possible && !s.equation.Contradicts(ctx, both(before.Predicate(), all)) {
				return s.refused(ctx, fmt.Sprintf("a firing of transition %d may lead into cube %d", t, i))
			}
		}
	}
	if !s.equation.Contradicts(ctx, both(s.goal, all)) {
		return s.refused(ctx, "a marking with the goal may be outside of all cubes")
	}
	return nil
}

// refused returns the reason why an invariant is not certified: ctx may have ended meanwhile.
func (s *Search) refused(ctx context.Context, why string) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return fmt.Errorf("%w: %s", ErrNotCertified, why)
}

// both returns the conjunction of p and q.
func both(p, q *logic.Predicate) *logic.Predicate {
	return &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{p, q}}
}

// excludeTime is how long the state equation is asked about one cube.
const excludeTime = 100 * time.Millisecond

// excluded reports whether the state equation excludes c. It asks for a little while.
func (s *Search) excluded(ctx context.Context, c Cube) bool {
	part, cancel := lanes.Sliced(ctx, s.patience)
	defer cancel()
	return s.equation.Contradicts(part, c.Predicate())
}
