package diagram

import (
	"context"
	"errors"

	"pnmc/checker/branching"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/symbolic"
)

// Decide reports whether the initial marking satisfies a formula of CTL.
//
// There are two ways to evaluate an operator on sets. Backwards: find all reachable markings that
// satisfy it, as fixpoints of predecessors. That works everywhere, but the set may have far more to
// do than the question. Forwards: from a set of markings, find those that the operator leads to.
// Then ask the rest of the formula of these: "does some marking of the set satisfy f". That looks
// only at what can be reached.
//
// For example, take EF (p ∧ EX q) in the initial marking. All reachable markings are known. Keep
// those with p, and take their successors. Is one of these in q? No predecessor was ever
// computed. But in EF (EX q ∧ EG r) a marking must satisfy both operands. The first is evaluated
// backwards, as a set that narrows the question, and only the last goes forwards.
//
// So some asks forwards as far as it can: through disjunctions, EX, EF, EU and EG, and through the
// last operand of a conjunction. Everything else is evaluated backwards by set, each subformula
// once. Universal operators are asked as negations of existential ones.
func (s *Space) Decide(ctx context.Context, f *ctl.Formula) (bool, error) {
	defer s.Forest.Within(ctx)()
	e := s.newBranching(ctx)
	defer e.release()
	return e.holds(f)
}

// newBranching returns an evaluation of one formula. Its user must release it.
func (s *Space) newBranching(ctx context.Context) *evaluation {
	return &evaluation{
		space: s.space, forest: s.Forest, ctx: ctx,
		known: make(map[*ctl.Formula]symbolic.Node), negations: make(map[*ctl.Formula]*ctl.Formula),
	}
}

// Live reports whether from every reachable marking each group can fire again, that is some
// transition of it. If not, dead is a group that cannot, and run leads to where it cannot. run is
// nil if the context that show makes ended before it was found. A net is live if each group fires
// somewhere in each terminal component of the state graph.
func (s *Space) Live(ctx context.Context, show func() (context.Context, context.CancelFunc), groups [][]uint32) (live bool, dead int, run []witness.Burst, err error) {
	defer s.Forest.Within(ctx)()
	dead = -1
	var failed error
	err = s.space.EachTerminalComponent(ctx, func(component symbolic.Node) bool {
		dead, failed = s.deadGroup(groups, component)
		if failed == nil && dead >= 0 {
			showing, cancel := show()
			defer cancel()
			if run, failed = s.runTo(showing, component); NotInTime(showing, failed) {
				run, failed = nil, nil
			}
		}
		return failed == nil && dead < 0
	})
	if err == nil {
		err = failed
	}
	return dead < 0 && err == nil, dead, run, err
}

// deadGroup returns a group without a transition that is enabled in some marking of the
// component, or -1.
func (s *Space) deadGroup(groups [][]uint32, component symbolic.Node) (int, error) {
	for i, g := range groups {
		fires, err := s.space.Satisfying(&logic.Predicate{Operator: logic.Fireable, Transitions: g})
		if err == nil {
			fires, err = s.Forest.Intersection(fires, component)
		}
		if err != nil {
			return -1, err
		}
		if fires == symbolic.Empty {
			return i, nil
		}
	}
	return -1, nil
}

// NotInTime reports whether err, of a search for a run within ctx, says that time or
// memory were too short, and nothing against the run.
func NotInTime(ctx context.Context, err error) bool {
	return err != nil && (errors.Is(err, context.Cause(ctx)) || errors.Is(err, symbolic.ErrMemory) || errors.Is(err, branching.ErrLongReplay))
}

// evaluation evaluates one formula. The sets that it makes are kept until release.
type evaluation struct {
	space  *symbolic.StateSpace
	forest *symbolic.Forest
	ctx    context.Context
	kept   []symbolic.Node
	known  map[*ctl.Formula]symbolic.Node // sets of the formulas met so far
	// negations are those made so far, both ways. A formula has one, so that sets are known of it, too.
	negations map[*ctl.Formula]*ctl.Formula
	untils    int // around what some looks at
}

// keep makes an operation's result outlive the next one.
func (e *evaluation) keep(n symbolic.Node, err error) (symbolic.Node, error) {
	if err != nil {
		return symbolic.Empty, err
	}
	e.kept = append(e.kept, e.forest.Keep(n))
	return n, nil
}

// release lets go of the sets that were made.
func (e *evaluation) release() {
	for _, n := range e.kept {
		e.forest.Release(n)
	}
	e.kept = nil
}

// holds decides f in the initial marking.
func (e *evaluation) holds(f *ctl.Formula) (bool, error) {
	switch f.Operator {
	case logic.Not:
		holds, err := e.holds(f.Operands[0])
		return !holds, err
	case logic.And, logic.Or:
		decisive := f.Operator == logic.Or
		for _, g := range f.Operands {
			if holds, err := e.holds(g); err != nil || holds == decisive {
				return holds, err
			}
		}
		return !decisive, nil
	case ctl.AllNext, ctl.AllFinally, ctl.AllGlobally, ctl.AllUntil:
		fails, err := e.some(e.space.Initial, e.negation(f))
		return !fails, err
	}
	return e.some(e.space.Initial, f)
}

// some reports whether some marking of from satisfies f. All markings of from must be reachable.
func (e *evaluation) some(from symbolic.Node, f *ctl.Formula) (bool, error) {
	if from == symbolic.Empty {
		return false, nil
	}
	switch f.Operator {
	case logic.Or:
		for _, g := range f.Operands {
			if found, err := e.some(from, g); err != nil || found {
				return found, err
			}
		}
		return false, nil
	case logic.And:
		// All but the last narrow from; the last may go forwards.
		last := len(f.Operands) - 1
		for _, g := range f.Operands[:last] {
			set, err := e.set(g)
			if err != nil {
				return false, err
			}
			if from, err = e.keep(e.forest.Intersection(from, set)); err != nil {
				return false, err
			}
		}
		return e.some(from, f.Operands[last])
	case logic.Not:
		if g := f.Operands[0]; g.Operator != ctl.State && g.Operator != ctl.ExistsUntil {
			return e.some(from, e.negation(g))
		}
	case ctl.ExistsNext:
		next, err := e.keep(e.space.Successors(e.ctx, from))
		if err != nil {
			return false, err
		}
		return e.some(next, f.Operands[0])
	case ctl.ExistsFinally:
		onwards, err := e.onwards(from)
		if err != nil {
			return false, err
		}
		return e.some(onwards, f.Operands[0])
	case ctl.ExistsUntil:
		return e.someUntil(from, f.Operands[0], f.Operands[1])
	case ctl.ExistsGlobally:
		set, err := e.set(f.Operands[0])
		if err != nil {
			return false, err
		}
		return e.space.HasMaximalPath(e.ctx, from, set)
	}
	set, err := e.set(f)
	if err != nil {
		return false, err
	}
	both, err := e.forest.Intersection(from, set)
	return both != symbolic.Empty, err
}

// onwards returns the markings reachable from those of from.
func (e *evaluation) onwards(from symbolic.Node) (symbolic.Node, error) {
	if from == e.space.Initial {
		return e.space.Reachable, nil
	}
	return e.keep(e.space.Onwards(e.ctx, from, e.space.Reachable))
}

// askedTwice is in how many operators around it the same formula may be asked of two sets: of eight sets at most.
const askedTwice = 3

// someUntil answers as some does, for E(hold U reach). A marking with reach is in from, or it is a
// successor of a marking to which a path leads from from through hold. Those of from are asked first, and
// the answer may be there; but within several such operators only both together, or the sets would
// be 2^n for n of them.
func (e *evaluation) someUntil(from symbolic.Node, hold, reach *ctl.Formula) (bool, error) {
	e.untils++
	defer func() { e.untils-- }()
	apart := e.untils <= askedTwice
	if apart {
		if found, err := e.some(from, reach); err != nil || found {
			return found, err
		}
	}
	set, err := e.set(hold)
	if err != nil {
		return false, err
	}
	onwards, err := e.keep(e.space.Onwards(e.ctx, from, set))
	if err != nil {
		return false, err
	}
	next, err := e.keep(e.space.Successors(e.ctx, onwards))
	if err == nil && !apart {
		next, err = e.keep(e.forest.Union(from, next))
	}
	if err != nil {
		return false, err
	}
	return e.some(next, reach)
}

// set returns the set of reachable markings that satisfy f, kept.
func (e *evaluation) set(f *ctl.Formula) (symbolic.Node, error) {
	if n, ok := e.known[f]; ok {
		return n, nil
	}
	n, err := e.newSet(f)
	if err == nil {
		e.known[f] = n
	}
	return n, err
}

// newSet computes the set of a formula whose set is not known yet. It goes
// backwards.
func (e *evaluation) newSet(f *ctl.Formula) (symbolic.Node, error) {
	if e.ctx.Err() != nil {
		return symbolic.Empty, context.Cause(e.ctx)
	}
	switch f.Operator {
	case ctl.State:
		return e.keep(e.space.Satisfying(f.Predicate))
	case logic.And, logic.Or:
		return e.setOfAll(f)
	case ctl.AllNext, ctl.AllFinally, ctl.AllGlobally, ctl.AllUntil:
		fails, err := e.set(e.negation(f))
		if err != nil {
			return symbolic.Empty, err
		}
		return e.keep(e.forest.Difference(e.space.Reachable, fails))
	}
	first, err := e.set(f.Operands[0])
	if err != nil {
		return symbolic.Empty, err
	}
	switch f.Operator {
	case logic.Not:
		return e.keep(e.forest.Difference(e.space.Reachable, first))
	case ctl.ExistsNext:
		return e.keep(e.space.ExistsNext(e.ctx, first))
	case ctl.ExistsFinally:
		return e.keep(e.space.ExistsUntil(e.ctx, e.space.Reachable, first))
	case ctl.ExistsGlobally:
		return e.keep(e.space.ExistsGlobally(e.ctx, first))
	}
	reach, err := e.set(f.Operands[1])
	if err != nil {
		return symbolic.Empty, err
	}
	return e.keep(e.space.ExistsUntil(e.ctx, first, reach))
}

// setOfAll returns the set of a conjunction or disjunction.
func (e *evaluation) setOfAll(f *ctl.Formula) (symbolic.Node, error) {
	combine := e.forest.Intersection
	if f.Operator == logic.Or {
		combine = e.forest.Union
	}
	all, err := e.set(f.Operands[0])
	for _, g := range f.Operands[1:] {
		if err != nil {
			return symbolic.Empty, err
		}
		var set symbolic.Node
		if set, err = e.set(g); err == nil {
			all, err = e.keep(combine(all, set))
		}
	}
	return all, err
}
