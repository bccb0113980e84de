package symbolic

import "context"

// The operators of CTL on sets of reachable states, each a fixpoint backwards
// along the relation. A state without successors ends its paths: it has no next
// state, and what holds all along a path may hold along one that ends there.

// backwards is the inverse of the relation, made when first needed.
func (s *StateSpace) backwards() *Relation {
	if s.reverse == nil {
		s.reverse = s.Relation.Reverse()
	}
	return s.reverse
}

// ExistsNext is the set of reachable states with a successor in n: EX n.
func (s *StateSpace) ExistsNext(ctx context.Context, n Node) (Node, error) {
	f := s.Forest
	defer f.within(ctx)()
	return f.guarded([]Node{n}, func() Node { return s.predecessors(n) })
}

// predecessors are the reachable states with a successor in n, which is a root.
func (s *StateSpace) predecessors(n Node) Node {
	f := s.Forest
	before := f.image(s.backwards(), n)
	f.push(before)
	before = f.combine(operationIntersection, before, s.Reachable)
	f.pop()
	return before
}

// ExistsUntil is the set of reachable states from which a path leads through
// states of hold to one of reach: E[hold U reach]. Both are sets of reachable
// states; the fixpoint is constrained saturation.
func (s *StateSpace) ExistsUntil(ctx context.Context, hold, reach Node) (Node, error) {
	return s.backwards().SaturateWithin(ctx, reach, hold)
}

// ExistsGlobally is the set of states of n, which are reachable, from which a
// path stays in n that is infinite or ends in a state without successors: EG n.
//
// States of n without a successor in n are removed until there are none (Emerson,
// Lei, "Efficient model checking in fragments of the propositional mu-calculus",
// 1986): one image for each step of the longest path out of n that has no cycle.
func (s *StateSpace) ExistsGlobally(ctx context.Context, n Node) (Node, error) {
	f := s.Forest
	defer f.within(ctx)()
	dead, err := s.deadlocks()
	if err != nil {
		return Empty, err
	}
	return f.guarded([]Node{n}, func() Node {
		return s.trim(n, func(left Node) Node {
			next := s.predecessors(left)
			f.push(next)
			next = f.union(next, dead)
			f.pop()
			return next
		})
	})
}

// trim is the largest part of n that keep leaves as it is: keep is applied, and
// what it drops is removed, until it drops nothing.
func (s *StateSpace) trim(n Node, keep func(Node) Node) Node {
	f := s.Forest
	f.push(n) // the set that shrinks, in place
	at := len(f.scratch) - 1
	for {
		left := f.scratch[at].Child
		next := keep(left)
		f.push(next)
		next = f.combine(operationIntersection, next, left)
		f.pop()
		if next == left {
			f.pop()
			return next
		}
		f.scratch[at].Child = next
	}
}
