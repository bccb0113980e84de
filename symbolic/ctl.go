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
	before := f.imageInto(s.backwards(), n, s.Reachable)
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
	return f.guarded([]Node{n}, func() Node { return s.trim(s.backwards(), n, dead) })
}

// trim is the largest part of n in which each state has another one as its image under r, or
// is one of ends: states with neither are removed until there are none. Where few states go
// in a round, only those are looked at in the next whose image was among them.
func (s *StateSpace) trim(r *Relation, n, ends Node) Node {
	f := s.Forest
	base := len(f.scratch)
	// What is under way is a root, in its place of scratch.
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

// fewNodes is how many times smaller the diagram of what is removed is than that of what is left
// where it is worth while to look for its images.
const fewNodes = 4
