package runs

import (
	"context"
	"slices"

	"pnmc/automata"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/properties"
	"pnmc/logic"
)

// MostLabels bounds the edges of an automaton whose labels are made predicates.
const MostLabels = 500

// Needed returns predicates. Every accepted run satisfies each of them at some time, in no fixed
// order.
//
// An accepted run ends up in an accepting component. Unless it may begin in one, it takes an edge
// into one: some label of these edges holds. In the component, for each acceptance set that the
// condition needs, it takes an edge of that set: some label of these holds. If no set is needed, it
// takes some edge there.
//
// For example, an automaton of F (a ∧ G ¬b) has an initial state with a loop for everything, an
// edge with a ∧ ¬b to a second state, and there an accepting loop with ¬b. Needed are a ∧ ¬b, by
// the edge into the accepting component, and ¬b, by the loop in its acceptance set. A predicate
// that is true says nothing, and is left out.
//
// The result is nil if the automaton is a testing automaton, or too large, or ctx ends.
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

// MostSets bounds the acceptance sets that are asked about.
const MostSets = 32

// AcceptsWithout reports whether a condition may accept a run that does not come to a set again and
// again. It looks at the parts of the condition one by one, so that true may be wrong: parts may rule
// each other out. False is always right.
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

// initially returns the truth of a question that has an automaton of its negation, as far as the
// initial marking shows it. If the automaton has no edge for its letter, no run is accepted: Yes.
// If the marking is a deadlock, it has one run, which is accepted or not.
func (l *Question) initially(ctx context.Context, letter []bool, deadlock bool) Truth {
	if l.Automaton.Kind != automata.Plain {
		return Unknown
	}
	if deadlock {
		switch accepted, err := l.accepts(ctx, [][]bool{letter}, 0); {
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

// LabelPredicate returns a label as a predicate. Proposition i means predicates[i].
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

// Eventually returns the predicate p if the automaton accepts exactly the runs that satisfy p at
// some time. Such an automaton has one initial state. That loops without acceptance, or leads to a
// state that accepts every word, and for each letter it can do one of the two. The automaton of the
// negation of "always not p" is one. The question is then one of reachability. ok is false if the
// automaton is of another form, or ctx ends before that is known.
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
