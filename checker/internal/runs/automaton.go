package runs

import (
	"context"
	"slices"

	"pnmc/automata"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/properties"
	"pnmc/logic"
)

// MostLabels bounds the labels that are simplified, each of which may take its time.
const MostLabels = 500

// Needed are predicates each of which every accepted run satisfies at some time: labels of
// edges into components that can accept, unless the run may be in one from the start, and of
// edges within them, for each acceptance set that the condition does not do without. There are
// none if they can't be found out.
func (l *Question) Needed(ctx context.Context) (needed []*logic.Predicate) {
	a := l.Automaton
	if a.Kind != automata.Plain || a.Edges() > MostLabels {
		return nil
	}
	c := automata.FindComponents(a)
	accepting, err := automata.AcceptingComponents(ctx, a, c)
	if err != nil {
		return nil
	}
	need := func(in func(e automata.Edge) bool) {
		var label automata.Label
		for e := range automata.Edge(a.Edges()) {
			if accepting[c.Of(a.Destination(e))] && in(e) {
				label = append(label, a.Label(e)...)
			}
		}
		if p := LabelPredicate(label, l.Letters()).Simplify(); p.Operator != logic.True {
			needed = append(needed, p)
		}
	}
	inside := func(e automata.Edge) bool { return c.Of(a.Source(e)) == c.Of(a.Destination(e)) }
	if !slices.ContainsFunc(a.Initial(), func(s automata.State) bool { return accepting[c.Of(s)] }) {
		need(func(e automata.Edge) bool { return !inside(e) })
	}
	some := false
	for set := range min(a.Acceptance.Sets, MostSets) {
		if !AcceptsWithout(a.Acceptance.Condition, set) {
			some = true
			need(func(e automata.Edge) bool { return inside(e) && a.Marks(e).Has(set) })
		}
	}
	if !some {
		need(inside)
	}
	return needed
}

// MostSets bounds the acceptance sets of which it is asked whether they are needed.
const MostSets = 32

// AcceptsWithout reports whether a condition may accept a run that does not come to a set again
// and again. What it says of the others is looked at one by one, so that it may in truth accept
// none.
func AcceptsWithout(c *automata.Condition, set int) bool {
	without := func(o *automata.Condition) bool { return AcceptsWithout(o, set) }
	switch c.Operator {
	case automata.ConditionFalse:
		return false
	case automata.Inf:
		return c.Negated || c.Set != set
	case automata.Fin:
		return !c.Negated || c.Set != set
	case automata.ConditionAnd:
		return !slices.ContainsFunc(c.Operands, func(o *automata.Condition) bool { return !without(o) })
	case automata.ConditionOr:
		return slices.ContainsFunc(c.Operands, without)
	}
	return true
}

// initially is what the initial marking shows of an automaton: whether a run can begin so,
// and where the marking is a deadlock whether its only run is accepted.
func (l *Question) initially(letter []bool, deadlock bool) Truth {
	if l.Automaton.Kind != automata.Plain {
		return Unknown
	}
	if deadlock {
		switch accepted, err := accepts(l.Automaton, [][]bool{letter}, 0); {
		case err != nil:
			return Unknown
		case accepted:
			return No
		}
		return Yes
	}
	v := valuationOf(letter)
	for _, s := range l.Automaton.Initial() {
		first, end := l.Automaton.Out(s)
		for e := first; e < end; e++ {
			if l.Automaton.Matches(e, v) {
				return Unknown
			}
		}
	}
	return Yes
}

// LabelPredicate is a label as a predicate, whose propositions mean what predicates say.
func LabelPredicate(label automata.Label, predicates []*logic.Predicate) *logic.Predicate {
	or := &logic.Predicate{Operator: logic.Or}
	for _, cube := range label {
		and := &logic.Predicate{Operator: logic.And}
		for i, p := range predicates {
			switch occurs, positive := cube.Literal(i); {
			case occurs && positive:
				and.Operands = append(and.Operands, p)
			case occurs:
				and.Operands = append(and.Operands, rephrase.Not(p))
			}
		}
		or.Operands = append(or.Operands, and)
	}
	return or
}

// Eventually is the predicate p if an automaton accepts exactly the runs that satisfy p at
// some time, as that of the negation of "always not p" does: its one initial state loops,
// without acceptance, or leads to a state from where every word is accepted, and for each
// letter it can do one of them. What can't be found out until ctx ends is not so.
func Eventually(ctx context.Context, property properties.Property) (p *logic.Predicate, ok bool) {
	a := property.Automaton
	if a.Kind != automata.Plain || len(a.Initial()) != 1 {
		return nil, false
	}
	start := a.Initial()[0]
	c := automata.FindComponents(a)
	strengths := automata.Strengths(ctx, a, c)
	if len(c.States(c.Of(start))) != 1 || strengths[c.Of(start)] != automata.Rejecting {
		return nil, false
	}
	var stays, leaves automata.Label
	first, end := a.Out(start)
	for e := first; e < end; e++ {
		switch to := a.Destination(e); {
		case to == start:
			stays = append(stays, a.Label(e)...)
		case strengths[c.Of(to)] == automata.Terminal || loopsForever(a, to):
			leaves = append(leaves, a.Label(e)...)
		default:
			return nil, false
		}
	}
	if !slices.Concat(stays, leaves).Valid(ctx) {
		return nil, false
	}
	return LabelPredicate(leaves, property.Predicates).Simplify(), true
}

// loopsForever reports whether a state accepts every word by a loop of its own.
func loopsForever(a *automata.Automaton, s automata.State) bool {
	first, end := a.Out(s)
	for e := first; e < end; e++ {
		if a.Destination(e) != s || !a.Acceptance.Condition.Accepts(a.Marks(e), a.Marks(e)) {
			continue
		}
		for i := range a.Cubes(e) {
			if a.Cube(e, i).Literals() == 0 {
				return true
			}
		}
	}
	return false
}
