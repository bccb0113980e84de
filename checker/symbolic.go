package checker

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"pnmc/logic"
	"pnmc/petri"
	"pnmc/symbolic"
)

// Symbolic decides questions on the set of all reachable markings, as a decision
// diagram: whether goals are reachable, the largest value of sums, and CTL by
// fixpoints over sets (McMillan, "Symbolic model checking", 1993).
type Symbolic struct {
	net     *petri.Net
	space   *symbolic.StateSpace
	forest  *symbolic.Forest
	reverse *symbolic.Relation
}

// ExploreSymbolically computes the reachable markings of net within memory
// bytes. An error tells why it could not.
func ExploreSymbolically(ctx context.Context, net *petri.Net, memory int64) (*Symbolic, error) {
	space, err := symbolic.Explore(ctx, net, symbolic.Options{Memory: memory, Encoding: symbolic.PerGroup})
	if err == nil && !space.Complete {
		err = errors.New("the set of reachable markings is not complete")
	}
	if err != nil {
		return nil, err
	}
	return &Symbolic{net: net, space: space, forest: space.Forest, reverse: space.Relation.Reverse()}, nil
}

// StateSpace is the set of reachable markings.
func (s *Symbolic) StateSpace() *symbolic.StateSpace { return s.space }

// Maximum is the largest value of sum in a reachable marking.
func (s *Symbolic) Maximum(sum logic.Sum) (*big.Int, error) {
	weights := make([]int64, s.net.Places())
	for _, t := range sum.Terms {
		weights[t.Place] += t.Coefficient
	}
	v, err := s.space.LargestSum(weights)
	if err != nil {
		return nil, err
	}
	return v.Add(v, big.NewInt(sum.Constant)), nil
}

// Reachable tells whether goal holds in some reachable marking.
func (s *Symbolic) Reachable(goal *logic.Predicate) (bool, error) {
	n, err := s.space.Satisfying(goal)
	return n != symbolic.Empty, err
}

// Reach tells whether goal holds in some reachable marking, and if so by which
// run. The run is found by going backwards from the goal in layers, and then
// forwards through them.
func (s *Symbolic) Reach(ctx context.Context, goal *logic.Predicate) (reachable bool, run []Burst, err error) {
	target, err := s.space.Satisfying(goal)
	if err != nil {
		return false, nil, err
	}
	if target == symbolic.Empty {
		return false, nil, nil
	}
	layers := []symbolic.Node{s.forest.Keep(target)}
	defer func() {
		for _, n := range layers {
			s.forest.Release(n)
		}
	}()
	all := s.forest.Keep(target)
	defer func() { s.forest.Release(all) }()
	initial := s.net.Initial()
	for !s.holds(layers[len(layers)-1], initial) {
		if ctx.Err() != nil {
			return true, nil, context.Cause(ctx)
		}
		next, err := s.before(layers[len(layers)-1])
		if err != nil {
			return true, nil, err
		}
		s.forest.Keep(next)
		if next, err = s.replace(next, s.forest.Difference, all); err != nil {
			return true, nil, err
		}
		layers = append(layers, next)
		if all, err = s.replace(all, s.forest.Union, next); err != nil {
			return true, nil, err
		}
		if next == symbolic.Empty {
			return true, nil, errors.New("the goal is reachable, but no run was found")
		}
	}
	run, err = s.forwards(layers)
	return true, run, err
}

// forwards follows layers, the last of which has the initial marking, to the
// first one.
func (s *Symbolic) forwards(layers []symbolic.Node) ([]Burst, error) {
	m := s.net.Initial()
	run := []Burst{}
	for i := len(layers) - 2; i >= 0; i-- {
		found := false
		for t := range petri.Transition(s.net.Transitions()) {
			next := slices.Clone(m)
			if s.net.Fire(next, t) && s.holds(layers[i], next) {
				m, found = next, true
				run = append(run, Burst{t, 1})
				break
			}
		}
		if !found {
			return nil, fmt.Errorf("no firing leads to layer %d", i)
		}
	}
	return run, nil
}

// holds tells whether the marking m is in n.
func (s *Symbolic) holds(n symbolic.Node, m petri.Marking) bool {
	v, ok := s.space.Vector(func(p uint32) int64 { return m[p] })
	return ok && s.forest.Contains(n, v)
}

// replace releases a kept set and keeps what operation makes of it.
func (s *Symbolic) replace(n symbolic.Node, operation func(a, b symbolic.Node) (symbolic.Node, error), with symbolic.Node) (symbolic.Node, error) {
	result, err := operation(n, with)
	s.forest.Release(n)
	return s.forest.Keep(result), err
}

// before is the set of reachable markings with a successor in n; not kept.
func (s *Symbolic) before(n symbolic.Node) (symbolic.Node, error) {
	image, err := s.reverse.Image(n)
	if err != nil {
		return symbolic.Empty, err
	}
	return s.forest.Intersection(image, s.space.Reachable)
}
