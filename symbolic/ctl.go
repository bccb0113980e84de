package symbolic

import "context"

// The operators of CTL on sets of reachable states. All go backwards along the relation. EX n is
// the image of n under the inverse relation. E[p U q] is what saturation reaches from q backwards
// within p. EG p is the largest part of p in which each state has a successor in the part, or has
// no successor at all. The others are expressed by these and complements. A state without
// successors ends its paths: it has no next state, and what holds all along a path may hold along
// one that ends there.
//
// Images under the inverse are intersected with the reachable states. An event may well lead from a
// state that is never reached to one that is.

// backwards returns the inverse of the relation, made when it is first needed.
func (s *StateSpace) backwards() *Relation {
	if s.reverse == nil {
		s.reverse = s.Relation.Reverse()
	}
	return s.reverse
}

// ExistsNext returns the set of reachable states with a successor in n: EX n. It costs one image.
func (s *StateSpace) ExistsNext(ctx context.Context, n Node) (Node, error) {
	f := s.Forest
	defer f.within(ctx)()
	return f.guarded([]Node{n}, func() Node { return s.predecessors(n) })
}

// predecessors returns the reachable states with a successor in n, which is a root.
func (s *StateSpace) predecessors(n Node) Node {
	f := s.Forest
	before := f.imageInto(s.backwards(), n, s.Reachable)
	f.push(before)
	before = f.combine(operationIntersection, before, s.Reachable)
	f.pop()
	return before
}

// ExistsUntil returns the set of reachable states from which a path leads through states of hold to
// one of reach: E[hold U reach]. Both must be sets of reachable states. The fixpoint is constrained
// saturation, which is one operation, not one for each step of a path.
func (s *StateSpace) ExistsUntil(ctx context.Context, hold, reach Node) (Node, error) {
	return s.backwards().SaturateWithin(ctx, reach, hold)
}

// ExistsGlobally returns the set of states of n from which a path stays in n that is infinite or
// ends in a state without successors: EG n. All states of n must be reachable.
//
// States of n without a successor in n are removed until there are none (Emerson, Lei, "Efficient
// model checking in fragments of the propositional mu-calculus", 1986). That takes an image for
// each step of the longest path out of n that has no cycle. So it is the expensive operator.
// Saturation does not help, as a state is removed only when all of its successors are.
func (s *StateSpace) ExistsGlobally(ctx context.Context, n Node) (Node, error) {
	f := s.Forest
	defer f.within(ctx)()
	dead, err := s.deadlocks()
	if err != nil {
		return Empty, err
	}
	return f.guarded([]Node{n}, func() Node { return s.trim(s.backwards(), n, dead) })
}

// trim returns the largest part of n in which each state is the image under r of a state of the
// part, or is one of ends. States that are neither are removed, until there are no such states.
// With the inverse relation that is EG: the image of a state is its predecessor.
//
// For example, let n be {1, 2, 3, 5}, with the edges 1→2, 2→3, 3→4 and 5→5, and let r be the inverse
// relation. Nothing but 4 follows 3, so that 3 goes in the first round, 2 in the second and 1 in the
// third; 5 stays. With one more edge 3→5 nothing would go.
//
// If few states go in a round, only those are looked at in the next round whose successor was among
// them.
func (s *StateSpace) trim(r *Relation, n, ends Node) Node {
	f := s.Forest
	base := len(f.scratch)
	// An intermediate set is a root, in its place of scratch.
	const left, removed, candidates, images = 0, 1, 2, 3
	for range 4 {
		f.push(Empty)
	}
	set := func(i int, n Node) { f.scratch[base+i].Child = n }
	get := func(i int) Node { return f.scratch[base+i].Child }
	set(left, n)
	for few := false; ; {
		if few {
			set(images, f.imageInto(r, get(removed), get(left)))
			set(images, f.combine(operationIntersection, get(images), get(left)))
			set(candidates, f.combine(operationDifference, get(images), ends))
			set(images, f.imageWithin(r, get(left), get(candidates)))
		} else {
			set(candidates, f.combine(operationDifference, get(left), ends))
			set(images, f.imageInto(r, get(left), get(candidates)))
		}
		set(removed, f.combine(operationDifference, get(candidates), get(images)))
		if get(removed) == Empty {
			break
		}
		set(left, f.combine(operationDifference, get(left), get(removed)))
		few = fewNodes*f.Size(get(removed)) < f.Size(get(left))
	}
	result := get(left)
	f.scratch = f.scratch[:base]
	return result
}

// fewNodes is a factor between two diagrams: that of the states removed, and that of the states
// left. If the first is so many times smaller, it pays to look at its images first.
const fewNodes = 4
