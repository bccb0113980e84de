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
func (s *StateSpace) ExistsGlobally(ctx context.Context, n Node) (Node, error) {
	f := s.Forest
	defer f.within(ctx)()
	dead, err := s.Deadlocks()
	if err != nil {
		return Empty, err
	}
	return f.guarded([]Node{n, dead}, func() Node {
		f.push(n) // the set that shrinks, in place
		at := len(f.scratch) - 1
		for {
			next := s.predecessors(f.scratch[at].Child)
			f.push(next)
			next = f.union(next, dead)
			f.push(next)
			next = f.combine(operationIntersection, next, f.scratch[at].Child)
			f.pop()
			f.pop()
			if next == f.scratch[at].Child {
				return next
			}
			f.scratch[at].Child = next
		}
	})
}
