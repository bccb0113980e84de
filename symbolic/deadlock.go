package symbolic

import (
	"context"
	"math/big"
)

// DeadlockCount returns the number of reachable states in which no event is possible. s must be
// complete.
func (s *StateSpace) DeadlockCount(ctx context.Context) (*big.Int, error) {
	dead, err := s.Deadlocks(ctx)
	if err != nil {
		return nil, err
	}
	return s.Forest.CountWithin(ctx, dead)
}

// Deadlocks returns the set of reachable states in which no event is possible. s must be complete.
func (s *StateSpace) Deadlocks(ctx context.Context) (Node, error) {
	defer s.Forest.within(ctx)()
	return s.findDeadlocks()
}

// deadlocks returns the result of Deadlocks, which it remembers and keeps.
func (s *StateSpace) deadlocks() (Node, error) {
	if !s.hasDead {
		dead, err := s.findDeadlocks()
		if err != nil {
			return Empty, err
		}
		s.dead, s.hasDead = s.Forest.Keep(dead), true
	}
	return s.dead, nil
}

// findDeadlocks returns the deadlocks, in the present context of the forest.
func (s *StateSpace) findDeadlocks() (Node, error) {
	f := s.Forest
	return f.guarded([]Node{s.Reachable}, func() Node {
		r := f.NewRelation()
		for _, w := range s.enablings {
			r.addRule(w.rule)
		}
		if r.idle {
			return Empty
		}
		r.merge()
		return f.dead(r, f.rules.freshOperation(), s.Reachable)
	})
}

// dead returns the vectors of n to which no event of r applies that begins at the level of n or below.
//
// The plain way is to unite, for all events, the states in which they are possible, and to take
// that from the reachable ones. But nearly all states have some event, and their set as a diagram
// may be far larger than that of the few deadlocks. So events take away from below: first those of
// level 1 from each node there, then those of level 2 from what is left, and so on up. For example,
// with processes side by side, each process's events leave of its own levels only the states where
// it is stuck. The rest, for the events above, is small already.
//
// It is right since an event of level k says nothing of the levels above k: whether it applies to a
// vector depends on the vector's end from level k down. So it can be taken away from each node of
// level k, once.
func (f *Forest) dead(r *Relation, operation uint32, n Node) Node {
	if n <= Unit {
		return n
	}
	if left, ok := f.cache.find(operation, n, Empty); ok {
		return left
	}
	f.step(int(f.degree(n)))
	level := int(f.nodes[n].level)
	base := len(f.scratch)
	for i, size := uint32(0), f.degree(n); i < size; i++ {
		e := f.edge(n, i)
		if child := f.dead(r, operation, e.Child); child != Empty {
			f.begin(Edge{e.Value, child})
		}
	}
	left := f.makeNode(level, base)
	for _, rule := range r.top[level] {
		f.push(left)
		live := f.fire(nil, rule, left, anything)
		f.push(live)
		left = f.combine(operationDifference, left, live)
		f.pop()
		f.pop()
	}
	f.cache.put(operation, n, Empty, left)
	return left
}
