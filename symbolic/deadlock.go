package symbolic

import (
	"context"
	"math/big"
)

// DeadlockCount is the number of reachable states in which no event is possible. s
// must be complete.
func (s *StateSpace) DeadlockCount(ctx context.Context) (*big.Int, error) {
	dead, err := s.Deadlocks(ctx)
	if err != nil {
		return nil, err
	}
	return s.Forest.CountWithin(ctx, dead)
}

// Deadlocks is the set of reachable states in which no event is possible. s must
// be complete.
func (s *StateSpace) Deadlocks(ctx context.Context) (Node, error) {
	defer s.Forest.within(ctx)()
	return s.findDeadlocks()
}

// deadlocks is Deadlocks, remembered and kept.
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

// findDeadlocks is Deadlocks in the context that the forest has.
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

// dead is the set of the vectors of n that no event of r, of the level of n or below,
// applies to. Events take away from what those below them have left, so that each looks
// at the levels below its own once. The states in which some event is possible, whose
// diagram may be far larger than that of the others, are never united.
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
