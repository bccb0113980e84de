package product

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pnmc/automata"
	"pnmc/automata/emptiness"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// UnsupportedError says that no engine decides an automaton of this kind.
type UnsupportedError = properties.UnsupportedError

// Check decides whether the property's automaton accepts some run of the net whose state graph is
// k. If it does, the property is violated. Several checks may share k: what one has explored, the
// next finds.
//
// The verdict is Unknown, with a reason, when ctx ends or the budget of k is spent first. An error
// is an *UnsupportedError, or else internal: a counterexample that does not replay is never a
// verdict.
//
// The cost is linear in the product, which has at most as many states as the state graph times the
// automaton; see emptiness.go.
//
// progress, unless nil, is called now and then with the statistics so far.
func Check(ctx context.Context, k *petri.Kripke, property properties.Property, progress func(properties.Statistics)) (properties.Result, error) {
	return checkPlain(ctx, k, property, Settings{Progress: progress})
}

// checkPlain checks as Check does, with several threads if the settings have some. A guided search of a net without
// bounds may fire what raises a place before what would show a violation, and give up there. Then a search
// follows that leaves nothing out.
func checkPlain(ctx context.Context, k *petri.Kripke, property properties.Property, s Settings) (properties.Result, error) {
	result, guided, err := searchPlain(ctx, k, property, s)
	if guided && err == nil && result.Verdict == properties.Unknown && !result.MemoryFull && k.Unbounded() != nil && ctx.Err() == nil {
		s.Guided = false
		result, _, err = searchPlain(ctx, k, property, s)
	}
	return result, err
}

// searchPlain searches once, and reports whether it was guided.
func searchPlain(ctx context.Context, k *petri.Kripke, property properties.Property, s Settings) (_ properties.Result, guided bool, _ error) {
	a := property.Automaton
	if len(property.Predicates) != len(a.Propositions) {
		return properties.Result{}, false, fmt.Errorf("%d predicates for %d propositions", len(property.Predicates), len(a.Propositions))
	}
	if a.Kind != automata.Plain {
		return properties.Result{}, false, &UnsupportedError{Reason: "a testing automaton, which CheckBy checks, and Check does not"}
	}
	k.Begin(ctx)
	propositions := properties.CompileAll(k.Net(), property.Predicates)
	k.FollowGrowth(largestConstant(property.Predicates))
	if a.Acceptance.Condition.UsesFin() {
		result, err := checkWithFin(ctx, k, property, propositions, s.Progress)
		return result, false, err
	}
	made := newProduct(ctx, k, propositions, a)
	if s.Guided {
		made.guide(ctx, property.Predicates)
		defer made.saved()
		guided = made.guided != nil
	}
	x := &componentsOnTheFly{product: made, most: states.Most, predicates: property.Predicates, progress: s.Progress}
	if s.Threads.several() && togetherFits(&x.acceptance) {
		x.most = s.Threads.First
	}
	found, err := x.search()
	if err == states.ErrMore {
		if k.Unbounded() == nil {
			together := newTogether(s.Threads.graph(k), x, s.Threads.knobs.yield)
			if result, ok, err := s.Threads.check(ctx, k, together, property); ok || err != nil {
				return result, guided, err
			}
		}
		x = &componentsOnTheFly{product: x.product, most: states.Most, predicates: property.Predicates, progress: s.Progress}
		x.transition = 0
		k.Begin(ctx)
		found, err = x.search()
	}
	result := properties.Result{Statistics: x.statistics()}
	var run *witness.Counterexample
	if err == nil && found != nil {
		run, err = x.counterexample(ctx, found)
	}
	switch {
	case err != nil && !isLimit(ctx, err):
		return result, guided, err
	case err != nil:
		result.GiveUp(err)
	default:
		result.Counterexample = run
		result, err = concluded(ctx, k, property, result)
		return result, guided, err
	}
	return result, guided, nil
}

// concluded returns the result of a search that went to its end. With a counterexample the property is
// violated, if the counterexample is confirmed. Without one the property holds, if all markings were
// seen: in an unbounded net they were not.
func concluded(ctx context.Context, k *petri.Kripke, property properties.Property, result properties.Result) (properties.Result, error) {
	switch {
	case result.Counterexample != nil:
		return confirmed(ctx, k, property, result, nil)
	case k.Unbounded() != nil:
		result.Reason = k.Unbounded().Error()
	default:
		result.Verdict = properties.Holds
	}
	return result, nil
}

// isLimit reports whether err is a reason to give up rather than a defect.
func isLimit(ctx context.Context, err error) bool {
	var memory *petri.MemoryError
	var overflow *petri.OverflowError
	over := context.Cause(ctx)
	return over != nil && errors.Is(err, over) || errors.As(err, &memory) || errors.As(err, &overflow) ||
		errors.Is(err, states.ErrTooMany) || errors.Is(err, states.ErrTooManySteps) || errors.Is(err, states.ErrEndless) || errors.Is(err, emptiness.ErrTooManyEdges) || errors.Is(err, petri.ErrTooManyStates)
}

// largestConstant returns the largest number that a token count is compared with.
func largestConstant(predicates []*logic.Predicate) int64 {
	largest := int64(0)
	for _, p := range predicates {
		largest = max(largest, largestConstant(p.Operands))
		if c := p.Sum.Constant; p.Operator == logic.AtMost || p.Operator == logic.Equal {
			largest = max(largest, c, -max(c, -math.MaxInt64))
		}
	}
	return largest
}

// statistics returns what was met so far. Each product state that has a number counts as explored.
func (x *componentsOnTheFly) statistics() properties.Statistics {
	s := properties.Statistics{
		ProductStates: int64(x.numbering.Count), ProductTransitions: x.transition,
		ExploredStates: int64(x.numbering.Count), ExploredTransitions: x.transition,
		LabelHits: x.labelling.Hits, LabelMisses: x.labelling.Misses, LabelLastHits: x.labelling.LastHits,
	}
	s.States = int64(x.kripke.Len())
	_, s.Transitions = x.kripke.Explored()
	for _, k := range x.guided {
		if k != nil {
			_, more := k.Explored()
			s.Transitions += more
		}
	}
	return s
}
