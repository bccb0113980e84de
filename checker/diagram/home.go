package diagram

import (
	"errors"
	"time"

	"pnmc/checker/internal/lanes"
	"pnmc/symbolic"
)

// A home space is a set of markings that every reachable marking leads to. If it is a terminal
// component, each of its markings leads to each other. So where p holds in one of them, every reachable
// marking has EF p, and no fixpoint is needed. AG EF p, and EF p within other formulas, are
// decided so.
//
// For example, most workflows that begin anew return to their initial marking from everywhere. All
// reachable markings are one component then, and EF p is all of them, or nothing if p holds nowhere.
// Backwards from p, diagrams of the markings in between may be thousands of times larger.
//
// The home space is looked for when it is first of use, for a quarter of the time that the question
// has; if that does not do, again when a question has twice as much.

// home is what is known of the home space of a state space.
type home struct {
	known bool
	space symbolic.Node // Empty: there is none, or it was too large
	tried time.Duration // how long it was looked for in vain
}

// homeShare is the part of a question's time in which its home space is looked for.
const homeShare = 4

// homeSpace returns the home space, or Empty if there is none, or if it was not found in time.
func (e *evaluation) homeSpace() (symbolic.Node, error) {
	h := e.home
	if h.known {
		return h.space, nil
	}
	part, cancel := e.ctx, func() {}
	if deadline, ok := e.ctx.Deadline(); ok {
		share := time.Until(deadline) / homeShare
		if share < 2*h.tried {
			return symbolic.Empty, nil
		}
		h.tried = share
		part, cancel = lanes.Sliced(e.ctx, share)
	}
	defer cancel()
	space, err := e.space.HomeSpace(part)
	switch {
	case err == nil || errors.Is(err, symbolic.ErrMemory):
		h.known, h.space = true, space
		return space, nil
	case e.ctx.Err() == nil && part.Err() != nil:
		return symbolic.Empty, nil
	}
	return symbolic.Empty, err
}

// leadingTo returns the set of reachable markings that lead to one of n: EF n.
func (e *evaluation) leadingTo(n symbolic.Node) (symbolic.Node, error) {
	if n == symbolic.Empty || n == e.space.Reachable {
		return n, nil
	}
	home, err := e.homeSpace()
	if err != nil {
		return symbolic.Empty, err
	}
	if home != symbolic.Empty {
		met, err := e.forest.Intersection(home, n)
		if err != nil || met != symbolic.Empty {
			return e.space.Reachable, err
		}
	}
	return e.keep(e.space.ExistsUntil(e.ctx, e.space.Reachable, n))
}
