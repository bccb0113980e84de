package checker

import (
	"context"

	"pnmc/automata"
	"pnmc/automata/reduce"
	"pnmc/checker/internal/rephrase"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// automatonOf says an automaton's propositions over the nodes of the net.
func (r *task) automatonOf(ctx context.Context, asked Automaton) *linear {
	l := &linear{automaton: asked.Automaton}
	if l.automaton.Kind != automata.Plain {
		for _, p := range asked.Predicates {
			l.predicates = append(l.predicates, r.predicate(p))
		}
		return l
	}
	predicates := make([]*logic.Predicate, len(asked.Predicates))
	for i, p := range asked.Predicates {
		predicates[i] = r.groups.Predicate(p).Simplify()
	}
	l.automaton, l.predicates = r.simplerAutomaton(ctx, l.automaton, predicates)
	return l
}

// disguised is what a question is where it looks like another. What an automaton claims is
// left out: what engines rely on they find out.
func disguised(ctx context.Context, q Question) Question {
	switch q := q.(type) {
	case Linear:
		if f := q.Formula; f.Operator() == ltl.Globally && f.Operands()[0].Has(ltl.Boolean) {
			return Invariant{Predicate: statePredicate(f.Operands()[0], q.Predicates)}
		}
	case Automaton:
		a := *q.Automaton
		a.Claims = 0
		q.Automaton = &a
		if plain, err := automata.ReadingValuations(ctx, &a); err == nil { // else it remains a testing automaton
			q.Automaton = plain
		}
		if p, ok := eventually(q.Property); ok {
			return Invariant{Predicate: rephrase.Not(p)}
		}
		return q
	}
	return q
}

// simplerAutomaton drops edges whose label no reachable marking has, and makes true the
// labels that all have, by what is proven of the net. The propositions that are left have
// their predicates simplified.
func (r *task) simplerAutomaton(ctx context.Context, a *automata.Automaton, predicates []*logic.Predicate) (*automata.Automaton, []*logic.Predicate) {
	if a.Edges() <= mostLabels && r.simplify != nil {
		b := automata.NewBuilder(a.Propositions, a.Acceptance)
		b.AddStates(a.States())
		for _, s := range a.Initial() {
			b.AddInitial(s)
		}
		known := make(map[string]logic.Operator)
		for e := range automata.Edge(a.Edges()) {
			label := a.Label(e)
			key := labelKey(label)
			operator, seen := known[key]
			if !seen {
				p, by := r.simplify(labelPredicate(label, predicates).Simplify())
				if operator = p.Operator; operator == logic.True || operator == logic.False {
					r.changedBy |= by
				}
				known[key] = operator
			}
			switch operator {
			case logic.False:
				continue
			case logic.True:
				label = automata.Label{automata.NewCube(len(a.Propositions))}
			}
			b.AddEdge(a.Source(e), label, a.Marks(e), a.Destination(e))
		}
		if simpler, err := b.Build(); err == nil {
			a = simpler
		}
	}
	if pruned, err := reduce.Prune(ctx, a); err == nil { // else it is not generalized Büchi, or time is over
		a = pruned
		a.Claims = 0
	}
	simple := make([]*logic.Predicate, len(predicates))
	for i, p := range predicates {
		if simple[i] = p; r.simplify != nil {
			var by Techniques
			simple[i], by = r.simplify(p)
			r.changedBy |= by
		}
	}
	return a, simple
}

func labelKey(label automata.Label) string {
	var key []byte
	for _, cube := range label {
		for _, word := range cube {
			for i := range 8 {
				key = append(key, byte(word>>(8*i)))
			}
		}
	}
	return string(key)
}
