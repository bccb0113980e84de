package symbolic

import "context"

// Fixpoints forwards from a set of states, by which formulas of CTL can be decided
// for that set without looking at the rest of the state space (Iwashita, Nakata,
// Hirose, "CTL model checking based on forward state traversal", 1996).

// Successors are the states that follow some state of n, which are reachable.
func (s *StateSpace) Successors(ctx context.Context, n Node) (Node, error) {
	f := s.Forest
	defer f.within(ctx)()
	return f.guarded([]Node{n}, func() Node { return f.image(s.Relation, n) })
}

// Onwards is the set of states that paths from states of n pass while they stay
// in within; both are sets of reachable states.
func (s *StateSpace) Onwards(ctx context.Context, n, within Node) (Node, error) {
	if within == s.Reachable {
		return s.Relation.Saturate(ctx, n)
	}
	f := s.Forest
	defer f.within(ctx)()
	return f.guarded([]Node{n, within}, func() Node {
		start := f.combine(operationIntersection, n, within)
		f.push(start)
		onwards := s.Relation.saturate(start, within)
		f.pop()
		return onwards
	})
}

// HasMaximalPath reports whether some path from a state of n, which are reachable,
// stays in within and is infinite or ends in a state without successors: whether
// some state of n satisfies EG within.
//
// The states that paths from n pass within are computed first. Of these, those
// without a predecessor among them are removed until there are none: the hull of
// the strongly connected components, with what follows them, is left (after
// Fisler, Fraer, Kamhi, Vardi, Yang, "Is there a best symbolic cycle-detection
// algorithm?", 2001).
func (s *StateSpace) HasMaximalPath(ctx context.Context, n, within Node) (bool, error) {
	f := s.Forest
	defer f.within(ctx)()
	dead, err := s.deadlocks()
	if err != nil {
		return false, err
	}
	onwards, err := s.Onwards(ctx, n, within)
	if err != nil {
		return false, err
	}
	hull, err := f.guarded([]Node{onwards}, func() Node {
		if ends := f.combine(operationIntersection, onwards, dead); ends != Empty {
			return ends
		}
		return s.trim(s.Relation, onwards, Empty)
	})
	return hull != Empty, err
}
