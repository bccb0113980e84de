package diagram

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pnmc/checker/branching"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/symbolic"
)

// This file shows by runs what fixpoints over sets of markings found.
//
// A set of markings says that a run exists, but not which one. Where a formula's value promises a
// run, one is made. To go from a marking into a set, layers are computed backwards. The first is
// the set itself, then come the markings one step before it, then those two steps before it, until
// a layer has the marking. Then the run goes forwards, in each step by a transition into the next
// layer. For EG the run leads to a deadlock or a cycle within a set (lasso.go).
//
// Sets only say where to go. The verdict that they show is checked on the original net, by the code
// that also replays runs of explicit searches (branching.Replay). Beside the marking of the net
// whose sets there are, a point has the marking of the original net. Predicates are evaluated in
// the latter.
//
// For example, EF (p ∧ EG q) holds. The layers of the set of p ∧ EG q lead there from the initial
// marking. In that marking p is evaluated, and EG q is shown by a run of its own. AG p that fails
// is shown as EF ¬p.

// DecideAndReplay decides as Decide does, and then replays on r.Net what a run can show
// of the value. Once the value is known, show makes the context for the replay. unshown
// says why not all of it was shown: time, memory, or ErrLongReplay. An error is one of
// deciding, or says that the replay contradicts the value, which then is not to be
// trusted.
func (s *Space) DecideAndReplay(ctx context.Context, f *ctl.Formula, r *branching.Replay, show func() (context.Context, context.CancelFunc)) (value bool, unshown, err error) {
	defer s.Forest.Within(ctx)()
	e := s.newBranching(ctx)
	defer e.release()
	value, err = e.holds(f)
	if err != nil {
		return false, nil, err
	}
	showing, cancel := show()
	defer cancel()
	defer s.Forest.Within(showing)()
	e.ctx = showing
	w := &setReplay{Replay: r, symbolic: s, sets: e}
	m, err := r.Start()
	if err == nil {
		err = w.confirm(claim{f, value}, &point{s.Net.Initial(), m})
	}
	if NotInTime(showing, err) {
		return value, err, nil
	}
	return value, nil, err
}

// A claim says that a formula has a value in some marking.
type claim struct {
	formula *ctl.Formula
	value   bool
}

// claims returns the claims that each of the formulas has the value.
func claims(value bool, formulas ...*ctl.Formula) []claim {
	list := make([]claim, len(formulas))
	for i, f := range formulas {
		list[i] = claim{f, value}
	}
	return list
}

// A point of a run has two markings: one of the net that was explored, and one of the net on which
// runs are replayed.
type point struct{ reduced, original petri.Marking }

// clone returns a copy that firings of the other do not change.
func (p *point) clone() *point { return &point{slices.Clone(p.reduced), slices.Clone(p.original)} }

// setReplay is a replay that sets guide.
type setReplay struct {
	*branching.Replay
	symbolic *Space
	sets     *evaluation
}

// pair returns the sets of two lists of claims.
func (w *setReplay) pair(first, second []claim) (a, b symbolic.Node, err error) {
	if a, err = w.set(first); err == nil {
		b, err = w.set(second)
	}
	return a, b, err
}

// set returns the set of reachable markings in which all claims are true.
func (w *setReplay) set(claims []claim) (symbolic.Node, error) {
	e := w.sets
	all := e.space.Reachable
	for _, c := range claims {
		n, err := e.set(c.formula)
		if err == nil {
			operation := e.forest.Intersection
			if !c.value {
				operation = e.forest.Difference
			}
			all, err = e.keep(operation(all, n))
		}
		if err != nil {
			return symbolic.Empty, err
		}
	}
	return all, nil
}

// confirmAll shows each of the claims at a point.
func (w *setReplay) confirmAll(claims []claim, at *point) error {
	for _, c := range claims {
		if err := w.confirm(c, at); err != nil {
			return err
		}
	}
	return nil
}

// confirm shows a claim at a point, which it does not change.
func (w *setReplay) confirm(c claim, at *point) error {
	defer w.Within(w.Current)
	f := c.formula
	switch {
	case f.Operator == ctl.State:
		p := w.Predicates[f]
		if p == nil {
			return errors.New("a state predicate is not one of the original net")
		}
		if witness.Satisfies(w.Net, at.original, p) != c.value {
			return fmt.Errorf("a state predicate is not %t as it should be", c.value)
		}
		return nil
	case f.Operator == logic.Not:
		return w.confirm(claim{f.Operands[0], !c.value}, at)
	case (f.Operator == logic.And) == c.value && (f.Operator == logic.And || f.Operator == logic.Or):
		return w.confirmAll(claims(c.value, f.Operands...), at)
	case f.Operator == logic.And || f.Operator == logic.Or:
		return w.confirmSome(claims(c.value, f.Operands...), at)
	case (f.Operator >= ctl.ExistsNext && f.Operator <= ctl.ExistsUntil) != c.value:
		return nil // no run can show that there is none
	}
	first := claims(c.value, f.Operands[0])
	switch f.Operator {
	case ctl.ExistsNext, ctl.AllNext:
		return w.next(first, at.clone())
	case ctl.ExistsFinally, ctl.AllGlobally:
		return w.until(nil, first, at.clone())
	case ctl.ExistsGlobally, ctl.AllFinally:
		return w.globally(first, at.clone())
	case ctl.ExistsUntil:
		return w.until(first, claims(true, f.Operands[1]), at.clone())
	}
	return w.notUntil(claims(false, f.Operands[1]), claims(false, f.Operands...), at.clone())
}

// notUntil shows that A(a U b) fails: b fails up to a marking where a fails as well, or for ever.
// avoid claims that b fails, both that both fail.
func (w *setReplay) notUntil(avoid, both []claim, at *point) error {
	through, target, err := w.pair(avoid, both)
	if err != nil {
		return err
	}
	until, err := w.sets.keep(w.sets.space.ExistsUntil(w.sets.ctx, through, target))
	if err != nil {
		return err
	}
	if w.symbolic.holds(until, at.reduced) {
		return w.until(avoid, both, at)
	}
	return w.globally(avoid, at)
}

// confirmSome shows one of the claims that is true at a point.
func (w *setReplay) confirmSome(list []claim, at *point) error {
	for _, c := range list {
		n, err := w.set([]claim{c})
		if err != nil {
			return err
		}
		if w.symbolic.holds(n, at.reduced) {
			return w.confirm(c, at)
		}
	}
	return errors.New("no operand decides")
}

// follow fires a transition of the net that was explored, and what it stands for in the other.
func (w *setReplay) follow(t petri.Transition, at *point, told *[]petri.Transition) error {
	w.symbolic.Net.Fire(at.reduced, t)
	return w.Fire(t, at.original, told)
}

// next fires into a marking with goal.
func (w *setReplay) next(goal []claim, at *point) error {
	n, err := w.set(goal)
	if err != nil {
		return err
	}
	t, err := w.symbolic.firingInto(at.reduced, n)
	if err != nil {
		return err
	}
	if err := w.follow(t, at, &w.Begin().Prefix); err != nil {
		return err
	}
	return w.confirmAll(goal, at)
}

// until shows a run through markings with hold to one with goal.
func (w *setReplay) until(hold, goal []claim, at *point) error {
	through, target, err := w.pair(hold, goal)
	if err != nil {
		return err
	}
	if err := w.path(through, target, hold, at, &w.Begin().Prefix); err != nil {
		return err
	}
	return w.confirmAll(goal, at)
}

// path follows a shortest path through markings of through into target. Its last marking is the
// only one in target. It shows hold in all markings before that.
func (w *setReplay) path(through, target symbolic.Node, hold []claim, at *point, told *[]petri.Transition) error {
	layers, release, err := w.symbolic.layers(w.sets.ctx, target, through, at.reduced)
	defer release()
	if err != nil {
		return err
	}
	for i := len(layers) - 2; i >= 0; i-- {
		if err := w.step(layers[i], hold, at, told); err != nil {
			return err
		}
	}
	return nil
}

// step shows hold at a point and fires a transition into a set.
func (w *setReplay) step(into symbolic.Node, hold []claim, at *point, told *[]petri.Transition) error {
	if err := w.sets.ctx.Err(); err != nil {
		return context.Cause(w.sets.ctx)
	}
	if err := w.confirmAll(hold, at); err != nil {
		return err
	}
	t, err := w.symbolic.firingInto(at.reduced, into)
	if err != nil {
		return err
	}
	return w.follow(t, at, told)
}
