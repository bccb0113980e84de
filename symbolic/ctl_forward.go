package symbolic

import "context"

// Fixpoints forwards from a set of states. Formulas of CTL can be decided by them for that set,
// without looking at the rest of the state space (Iwashita, Nakata, Hirose, "CTL model checking
// based on forward state traversal", 1996). For example, EF (p ∧ EX q) holds in the initial state
// if some reachable state with p has a successor with q. That takes one image forwards, of a set
// that is known. The same backwards begins with all states with q, most of which may have nothing
// to do with p.

// Successors returns the states that follow some state of n. All states of n must be reachable.
func (s *StateSpace) Successors(ctx context.Context, n Node) (Node, error) {
	f := s.Forest
	defer f.within(ctx)()
	return f.guarded([]Node{n}, func() Node { return f.image(s.Relation, n) })
}

// Onwards returns the states that paths from states of n visit while they stay in within. Both must
// be sets of reachable states.
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

// HasMaximalPath reports whether some path from a state of n stays in within and is infinite or
// ends in a state without successors: whether some state of n satisfies EG within. All states of n
// must be reachable.
//
// The states that paths from n visit within are computed first. Then states without a predecessor
// among these are removed, until there are no such states. The strongly connected components are
// left, and all that follows them: their hull (after Fisler, Fraer, Kamhi, Vardi, Yang, "Is there a
// best symbolic cycle-detection algorithm?", 2001). It is empty if and only if there is no cycle.
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
