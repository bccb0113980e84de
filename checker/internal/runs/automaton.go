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

// Needed is a predicate that each accepted run satisfies at some time: the labels of edges
// into and within components that can accept. It is nil if the run may be in one from the
// start, or if it can't be found out.
func (l *Question) Needed(ctx context.Context) *logic.Predicate {
	a := l.Automaton
	if a.Kind != automata.Plain || a.Edges() > MostLabels {
		return nil
	}
	c := automata.FindComponents(a)
	accepting, err := automata.AcceptingComponents(ctx, a, c)
	if err != nil {
		return nil
	}
	for _, s := range a.Initial() {
		if accepting[c.Of(s)] {
			return nil
		}
	}
	var label automata.Label
	for e := range automata.Edge(a.Edges()) {
		from, to := c.Of(a.Source(e)), c.Of(a.Destination(e))
		if from != to && accepting[to] {
			label = append(label, a.Label(e)...)
		}
	}
	return LabelPredicate(label, l.Predicates).Simplify()
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
// letter it can do one of them.
func Eventually(property properties.Property) (p *logic.Predicate, ok bool) {
	a := property.Automaton
	if a.Kind != automata.Plain || a.Acceptance.Condition.UsesFin() || len(a.Initial()) != 1 {
		return nil, false
	}
	start := a.Initial()[0]
	if loopsForever(a, start) {
		return nil, false
	}
	looping := make(automata.Marks, a.MarkWords())
	var stays, leaves automata.Label
	first, end := a.Out(start)
	for e := first; e < end; e++ {
		switch to := a.Destination(e); {
		case to == start:
			stays = append(stays, a.Label(e)...)
			for w, marks := range a.Marks(e) {
				looping[w] |= marks
			}
		case loopsForever(a, to):
			leaves = append(leaves, a.Label(e)...)
		default:
			return nil, false
		}
	}
	if a.Acceptance.Condition.Accepts(looping, looping) || !slices.Concat(stays, leaves).Valid(context.Background()) {
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
