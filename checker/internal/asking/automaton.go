package asking

import (
	"context"

	"pnmc/automata"
	"pnmc/automata/reduce"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/runs"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// This file gives automata what formulas have. They are simplified by what is proven of the net.
// Those that accept the runs with "at some time p" are questions about reachability. Of the others
// it is asked whether what each accepted run needs can be reached at all.
//
// For example, let an edge have the label a ∧ b, where a stands for p = 2 and b for q = 1, and let
// an invariant say p + q = 1. No reachable marking takes the edge, and it is left out. States that
// cannot be reached any more, or from which nothing is accepted, are pruned then. If an edge of an
// invariant p + q = 1 has the label p ≤ 1, each marking takes it, and the label becomes true.

// automatonOf says an automaton's propositions over the nodes of the net.
func automatonOf(ctx context.Context, r *core.Task, asked inquiry.Automaton) *runs.Question {
	l := &runs.Question{Automaton: asked.Automaton, Budget: r.Budget}
	if l.Automaton.Kind != automata.Plain {
		for _, p := range asked.Predicates {
			l.Predicates = append(l.Predicates, predicate(r, p))
		}
		return l
	}
	predicates := make([]*logic.Predicate, len(asked.Predicates))
	for i, p := range asked.Predicates {
		predicates[i] = r.Groups.Predicate(p).Simplify()
	}
	l.Automaton, l.Predicates = simplerAutomaton(ctx, r, l.Automaton, predicates)
	l.FindTerminal(ctx)
	return l
}

// Disguised returns what a question is where it looks like another. The claims of an automaton
// are left out: engines find out by themselves what they rely on.
func Disguised(ctx context.Context, q inquiry.Question) inquiry.Question {
	switch q := q.(type) {
	case inquiry.Linear:
		if f := q.Formula; f.Operator() == ltl.Globally && f.Operands()[0].Has(ltl.Boolean) {
			return inquiry.Invariant{Predicate: runs.StatePredicate(f.Operands()[0], q.Predicates)}
		}
	case inquiry.Automaton:
		a := *q.Automaton
		a.Claims = 0
		q.Automaton = &a
		if plain, err := automata.ReadingValuations(ctx, &a); err == nil { // else it remains a testing automaton
			q.Automaton = plain
		}
		if p, ok := runs.Eventually(ctx, q.Property); ok {
			return inquiry.Invariant{Predicate: rephrase.Not(p)}
		}
		return q
	}
	return q
}

// simplerAutomaton drops edges whose label no reachable marking has, and makes true the
// labels that all have, by what is proven of the net. Then it prunes the automaton, and simplifies
// the predicates of its propositions. Labels are not looked at in an automaton with more than
// runs.MostLabels edges; equal labels are asked about once.
func simplerAutomaton(ctx context.Context, r *core.Task, a *automata.Automaton, predicates []*logic.Predicate) (*automata.Automaton, []*logic.Predicate) {
	if a.Edges() <= runs.MostLabels && r.Simplify != nil {
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
				p, by := r.Simplify(runs.LabelPredicate(label, predicates).Simplify())
				if operator = p.Operator; operator == logic.True || operator == logic.False {
					r.ChangedBy |= by
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
		if simple[i] = p; r.Simplify != nil {
			var by inquiry.Techniques
			simple[i], by = r.Simplify(p)
			r.ChangedBy |= by
		}
	}
	return a, simple
}

// labelKey returns a label as the key of a map.
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
