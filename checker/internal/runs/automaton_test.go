package runs_test

import (
	"testing"

	"pnmc/automata"
	"pnmc/checker/internal/runs"
	"pnmc/checker/properties"
	"pnmc/logic"
)

// TestEventually: reachability in disguise is known by any condition and any form of the states
// that accept all words; what may stay away from them for ever, or accept on the way, is none.
func TestEventually(t *testing.T) {
	inf := func(set int) *automata.Condition { return &automata.Condition{Operator: automata.Inf, Set: set} }
	fin := func(set int) *automata.Condition { return &automata.Condition{Operator: automata.Fin, Set: set} }
	both := func(o automata.ConditionOperator, l, r *automata.Condition) *automata.Condition {
		return &automata.Condition{Operator: o, Operands: []*automata.Condition{l, r}}
	}
	for name, test := range map[string]struct {
		condition      *automata.Condition
		waiting, there []int // sets
		complete, want bool
	}{
		"Büchi":                    {inf(0), nil, []int{0}, true, true},
		"co-Büchi":                 {fin(0), []int{0}, nil, true, true},
		"Rabin":                    {both(automata.ConditionAnd, fin(0), inf(1)), []int{0}, []int{1}, true, true},
		"Streett":                  {both(automata.ConditionOr, fin(0), inf(1)), []int{0}, []int{1}, true, true},
		"Rabin, accepts waiting":   {both(automata.ConditionAnd, fin(0), inf(1)), []int{1}, []int{1}, true, false},
		"Streett, accepts waiting": {both(automata.ConditionOr, fin(0), inf(1)), nil, []int{1}, true, false},
		"Rabin, some words":        {both(automata.ConditionAnd, fin(0), inf(1)), []int{0}, []int{1}, false, false},
	} {
		b := automata.NewBuilder([]string{"p"}, automata.Acceptance{Sets: 2, Condition: test.condition})
		b.AddStates(3)
		b.AddInitial(0)
		all := automata.NewCube(1)
		yes, no := automata.Label{all.With(0, true)}, automata.Label{all.With(0, false)}
		waiting, there := automata.NewMarks(2, test.waiting...), automata.NewMarks(2, test.there...)
		b.AddEdge(0, no, waiting, 0)
		b.AddEdge(0, yes, waiting, 1)
		b.AddEdge(1, yes, there, 2)
		b.AddEdge(1, no, there, 1)
		b.AddEdge(2, yes, there, 2)
		if test.complete {
			b.AddEdge(2, no, there, 1)
		}
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		asked := &logic.Predicate{Operator: logic.Deadlocked}
		p, ok := runs.Eventually(t.Context(), properties.Property{Automaton: a, Predicates: []*logic.Predicate{asked}})
		if ok != test.want || ok && p.Operator != logic.Deadlocked {
			t.Errorf("%s: %v, %v", name, p, ok)
		}
	}
}
