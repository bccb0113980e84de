package diagram

import (
	"slices"

	"pnmc/checker/branching"
	"pnmc/petri"
	"pnmc/symbolic"
)

// globally shows a maximal path on which hold is true everywhere: one that ends in a deadlock, or
// comes to a cycle.
//
// A marking from which such a path begins is known, and the set of all such markings. But to go on
// at random within the set may never close a cycle. So it looks at all markings onwards from the
// point within the set:
//
//   - If there is a deadlock among them, the path leads there.
//   - If all of them lead back to the point, they are a strongly connected component, and any step
//     begins a cycle.
//   - Otherwise those that do not lead back are closed: no path leads from them to the point. The
//     path goes on to one of them, and begins again there. The markings onwards are fewer now, as
//     the point is not among them.
//
// For example, let the path be 1→2→3→2. From 1, the markings onwards are 1, 2 and 3, and none but 1
// itself leads back to 1. The path goes on to 2. From 2, all of 2 and 3 lead back: the cycle is
// 2→3→2.
func (w *setReplay) globally(hold []claim, at *point) error {
	e := w.sets
	always, err := w.set(hold)
	if err != nil {
		return err
	}
	if always, err = e.keep(e.space.ExistsGlobally(e.ctx, always)); err != nil {
		return err
	}
	if !w.symbolic.holds(always, at.reduced) {
		return errNoRun
	}
	dead, err := e.keep(e.space.Deadlocks(e.ctx))
	if err != nil {
		return err
	}
	run := w.Begin()
	for {
		here, err := w.singleton(at.reduced)
		if err != nil {
			return err
		}
		onwards, err := e.keep(e.space.Onwards(e.ctx, here, always))
		if err != nil {
			return err
		}
		ends, err := e.keep(e.forest.Intersection(onwards, dead))
		if err != nil {
			return err
		}
		if ends != symbolic.Empty {
			return w.toDeadlock(always, ends, hold, at, run)
		}
		back, err := e.keep(e.space.ExistsUntil(e.ctx, onwards, here))
		if err != nil {
			return err
		}
		away, err := e.keep(e.forest.Difference(onwards, back))
		if err != nil {
			return err
		}
		if away == symbolic.Empty {
			return w.cycle(onwards, here, hold, at, run)
		}
		if err := w.path(always, away, hold, at, &run.Prefix); err != nil {
			return err
		}
	}
}

// singleton returns the set of one marking.
func (w *setReplay) singleton(m petri.Marking) (symbolic.Node, error) {
	e := w.sets
	v, ok := e.space.Vector(func(p uint32) int64 { return m[p] })
	if !ok {
		return symbolic.Empty, errNoRun
	}
	return e.keep(e.forest.Singleton(v))
}

// toDeadlock ends the path in a marking of ends, which are deadlocks.
func (w *setReplay) toDeadlock(through, ends symbolic.Node, hold []claim, at *point, run *branching.Run) error {
	if err := w.path(through, ends, hold, at, &run.Prefix); err != nil {
		return err
	}
	if err := w.confirmAll(hold, at); err != nil {
		return err
	}
	return w.EndsHere(at.original, &run.Prefix)
}

// cycle goes from the point, whose marking here has, through a strongly connected set and back to it.
func (w *setReplay) cycle(through, here symbolic.Node, hold []claim, at *point, run *branching.Run) error {
	before := slices.Clone(at.original)
	if err := w.step(through, hold, at, &run.Cycle); err != nil {
		return err
	}
	if err := w.path(through, here, hold, at, &run.Cycle); err != nil {
		return err
	}
	return w.Returns(before, at.original)
}
