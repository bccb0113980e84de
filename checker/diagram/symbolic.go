package diagram

import (
	"context"
	"errors"

	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/symbolic"
)

// Space decides questions on the set of all reachable markings, as a decision
// diagram: whether goals are reachable, the largest value of sums, and CTL by
// fixpoints over sets (McMillan, "Symbolic model checking", 1993).
type Space struct {
	Net    *petri.Net
	space  *symbolic.StateSpace
	Forest *symbolic.Forest
}

// Explore computes the reachable markings of net, in diagrams of at most memory bytes. An error
// says why it could not.
func Explore(ctx context.Context, net *petri.Net, memory int64) (*Space, error) {
	return ExploreWithin(ctx, net, symbolic.Options{Memory: memory, Encoding: symbolic.PerGroup})
}

// ExploreWithin explores as Explore does, with more options.
func ExploreWithin(ctx context.Context, net *petri.Net, o symbolic.Options) (*Space, error) {
	space, err := symbolic.Explore(ctx, net, o)
	return of(net, space, err)
}

// ExploreBeside explores net, and after some time beside it other: Net of the result is the one of
// which all markings were found first.
func ExploreBeside(ctx context.Context, net, other *petri.Net, o symbolic.Options) (*Space, error) {
	space, found, err := symbolic.ExploreBeside(ctx, net, other, o)
	return of(found, space, err)
}

// of returns the space of what an exploration of a net found.
func of(net *petri.Net, space *symbolic.StateSpace, err error) (*Space, error) {
	if err == nil && !space.Complete {
		err = errors.New("the set of reachable markings is not complete")
	}
	if err != nil {
		return nil, err
	}
	return &Space{Net: net, space: space, Forest: space.Forest}, nil
}

// StateSpace returns the set of reachable markings.
func (s *Space) StateSpace() *symbolic.StateSpace { return s.space }

// Reachable reports whether goal holds in some reachable marking.
func (s *Space) Reachable(ctx context.Context, goal *logic.Predicate) (bool, error) {
	defer s.Forest.Within(ctx)()
	n, err := s.space.Satisfying(goal)
	return n != symbolic.Empty, err
}

// Reach reports whether goal holds in some reachable marking, and returns a shortest run to one.
// The run is found by going backwards from the goal in layers, and then forwards through them. That
// needs one image for each step of the run.
func (s *Space) Reach(ctx context.Context, goal *logic.Predicate) (reachable bool, run []witness.Burst, err error) {
	defer s.Forest.Within(ctx)()
	target, err := s.space.Satisfying(goal)
	if err != nil || target == symbolic.Empty {
		return false, nil, err
	}
	run, err = s.runTo(ctx, target)
	return true, run, err
}

// runTo returns a shortest run from the initial marking to one of target, which are
// reachable.
func (s *Space) runTo(ctx context.Context, target symbolic.Node) ([]witness.Burst, error) {
	m := s.Net.Initial()
	layers, release, err := s.layers(ctx, target, s.space.Reachable, m)
	defer release()
	if err != nil {
		return nil, err
	}
	run := []witness.Burst{}
	for i := len(layers) - 2; i >= 0; i-- {
		t, err := s.firingInto(m, layers[i])
		if err != nil {
			return nil, err
		}
		s.Net.Fire(m, t)
		run = append(run, witness.Burst{Transition: t, Times: 1})
	}
	return run, nil
}

// layers returns target, and then the markings of within from which a path of 1, 2, … firings in
// within leads there, and no shorter one. The last layer is the first that has from. They are kept
// until release is called, which must be done even after an error.
func (s *Space) layers(ctx context.Context, target, within symbolic.Node, from petri.Marking) (layers []symbolic.Node, release func(), err error) {
	layers = []symbolic.Node{s.Forest.Keep(target)}
	all := s.Forest.Keep(target)
	release = func() {
		s.Forest.Release(all)
		for _, n := range layers {
			s.Forest.Release(n)
		}
	}
	for !s.holds(layers[len(layers)-1], from) {
		if ctx.Err() != nil {
			return layers, release, context.Cause(ctx)
		}
		next, err := s.space.ExistsNext(ctx, layers[len(layers)-1])
		if err != nil {
			return layers, release, err
		}
		s.Forest.Keep(next)
		for _, narrow := range []struct {
			operation func(a, b symbolic.Node) (symbolic.Node, error)
			with      symbolic.Node
		}{{s.Forest.Intersection, within}, {s.Forest.Difference, all}} {
			if next, err = s.replace(next, narrow.operation, narrow.with); err != nil {
				return layers, release, err
			}
		}
		if next == symbolic.Empty {
			return layers, release, errNoRun
		}
		layers = append(layers, next)
		if all, err = s.replace(all, s.Forest.Union, next); err != nil {
			return layers, release, err
		}
	}
	return layers, release, nil
}

// errNoRun says that a set is not reachable from a marking, though it was found to be: a defect.
var errNoRun = errors.New("what should be reachable is not: no run was found")

// firingInto returns a transition that leads from m into the set n.
func (s *Space) firingInto(m petri.Marking, n symbolic.Node) (petri.Transition, error) {
	next := make(petri.Marking, len(m))
	for t := range petri.Transition(s.Net.Transitions()) {
		if copy(next, m); s.Net.Fire(next, t) && s.holds(n, next) {
			return t, nil
		}
	}
	return 0, errNoRun
}

// holds reports whether the marking m is in n.
func (s *Space) holds(n symbolic.Node, m petri.Marking) bool {
	v, ok := s.space.Vector(func(p uint32) int64 { return m[p] })
	return ok && s.Forest.Contains(n, v)
}

// replace releases a kept set and keeps what operation makes of it.
func (s *Space) replace(n symbolic.Node, operation func(a, b symbolic.Node) (symbolic.Node, error), with symbolic.Node) (symbolic.Node, error) {
	result, err := operation(n, with)
	s.Forest.Release(n)
	return s.Forest.Keep(result), err
}
