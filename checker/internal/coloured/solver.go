package coloured

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/colourless"
)

// Solver decides questions about a coloured net. It makes the skeleton and the unfolded
// net once, and uses them for later questions, too.
type Solver struct {
	source       *symmetric.Net
	shared       *core.Shared
	keepBindings bool
	plans        Plans
	onUnfolded   Decider

	unfolding sync.Mutex // while a net is unfolded

	mutex      sync.Mutex // guards what follows
	skeleton   *skeleton
	unfoldings [2]*symmetric.Unfolding // with all bindings; merged
}

// Plans are the phases that prove something of a skeleton, by what is asked.
type Plans struct{ Reachability, Linear, Branching []core.Phase }

// Decider is a function that puts questions to a task's net, and decides them by the plan of
// their family. It reports whether more time could help.
type Decider = func(ctx context.Context, r *core.Task, stop context.CancelFunc, p *ledger.Part, questions []inquiry.Question) (cut bool)

// skeleton is what is known of a coloured net's skeleton.
type skeleton struct {
	net           *petri.Net
	approximation *approximation
	stoppable     *petri.Net
	falseEnd      *logic.Predicate
}

// NewSolver unfolds the net with all its bindings if these are to be kept; else those
// that do the same become one. onUnfolded decides questions on the unfolded net.
func NewSolver(net *symmetric.Net, s *core.Shared, keepBindings bool, plans Plans, onUnfolded Decider) *Solver {
	return &Solver{source: net, shared: s, keepBindings: keepBindings, plans: plans, onUnfolded: onUnfolded}
}

// Close drops what was made of the net.
func (s *Solver) Close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.unfoldings, s.skeleton = [2]*symmetric.Unfolding{}, nil
}

// skeletonOf returns the skeleton of the coloured net, made once: what is kept about it is of use
// to later questions.
func (s *Solver) skeletonOf() (*skeleton, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.skeleton == nil {
		k := &skeleton{approximation: newApproximation(s.source)}
		var err error
		if k.net, err = colourless.Skeleton(s.source); err != nil {
			return nil, err
		}
		if k.stoppable, k.falseEnd, err = k.approximation.stoppable(k.net); err != nil {
			return nil, err
		}
		s.skeleton = k
	}
	return s.skeleton, nil
}

// unfolded returns the coloured net unfolded, once.
func (s *Solver) unfolded(ctx context.Context, merge bool) (*symmetric.Unfolding, error) {
	which := 0
	if merge {
		which = 1
	}
	lanes.Lock(ctx, &s.unfolding) // who comes meanwhile waits for it
	defer s.unfolding.Unlock()
	s.mutex.Lock()
	u := s.unfoldings[which]
	s.mutex.Unlock()
	if u != nil {
		return u, nil
	}
	most := s.mostNodes()
	limited, release := account.Within(lanes.Plain(ctx), petri.Budget{MemoryBytes: s.shared.MemoryBytes})
	within := lanes.Of(ctx, limited)
	u, err := s.source.Unfold(within, symmetric.Options{MaxNodes: most, Merge: merge})
	if err != nil && ctx.Err() == nil {
		err = cmp.Or(context.Cause(within), err) // that memory is short
	}
	release(err)
	if errors.Is(err, symmetric.ErrTooLarge) && most < symmetric.DefaultMaxNodes {
		err = fmt.Errorf("%w, as many as a memory limit of %d MB allows", err, s.shared.MemoryBytes>>20)
	}
	if err != nil {
		return nil, err
	}
	s.shared.Note("unfolded to %d places, %d transitions", u.Net.Places(), u.Net.Transitions())
	s.mutex.Lock()
	s.unfoldings[which] = u
	s.mutex.Unlock()
	return u, nil
}

// bytesPerNode is about the memory that a node of an unfolded net takes, with what
// engines build for it.
const bytesPerNode = 4000

// mostNodes bounds unfolded nets by the memory there is.
func (s *Solver) mostNodes() int {
	if s.shared.MemoryBytes == 0 {
		return symmetric.DefaultMaxNodes
	}
	return int(min(symmetric.DefaultMaxNodes, s.shared.MemoryBytes/bytesPerNode))
}
