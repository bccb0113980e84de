package linear_test

import (
	"testing"

	"pnmc/automata"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/linear"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// TestRunsAreLedByAutomata: runs that have to come to several rare markings one after the other,
// to one of several, or to some again and again, are led there edge by edge of the automaton,
// whatever its condition; where the order is impossible none is found.
func TestRunsAreLedByAutomata(t *testing.T) {
	const steps = 40
	at := func(place int) *logic.Predicate {
		return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: uint32(place), Coefficient: -1}}}}
	}
	topA, topB := at(steps), at(2*steps+1)
	for name, test := range map[string]struct {
		net     *petri.Net
		formula string // what violations satisfy
		atoms   []*logic.Predicate
	}{
		"one after the other":    {stairs(t, steps, 2, jump), "F(a & X F b)", []*logic.Predicate{topA, topB}},
		"the one that is nearer": {stairs(t, steps, 1, stop), "X(F a | G b)", []*logic.Predicate{topA, at(1)}},
		"again and again":        {stairs(t, steps, 1, jump), "G F a", []*logic.Predicate{topA}},
		"both again and again":   {stairs(t, steps, 1, jump), "X (G F a & G F b)", []*logic.Predicate{topA, at(steps / 2)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ltl.NewFormulas()
			f, err := ltl.Parse(test.formula, s)
			if err != nil {
				t.Fatal(err)
			}
			answers := coretest.Decide(linear.RandomRuns, test.net, inquiry.Linear{Formulas: s, Predicates: test.atoms, Formula: s.Not(f)})
			if len(answers) != 1 || !answers[0].Value.IsFalse() {
				t.Fatalf("%+v", answers)
			}
			if shown := answers[0].Witness; len(shown.Run)+len(shown.Cycle) < steps {
				t.Errorf("the run is %v, then %v", shown.Run, shown.Cycle)
			} else if _, err := witness.ReplayRun(test.net, shown.Run); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTerminalWhateverTheCondition: an automaton of two states that accept all words between them,
// by a condition with Fin, is led to as one with a single loop is.
func TestTerminalWhateverTheCondition(t *testing.T) {
	const steps = 40
	b := automata.NewBuilder([]string{"p"}, automata.Acceptance{Sets: 2, Condition: &automata.Condition{Operator: automata.ConditionAnd,
		Operands: []*automata.Condition{{Operator: automata.Fin, Set: 0}, {Operator: automata.Inf, Set: 1}}}})
	b.AddStates(4)
	b.AddInitial(0)
	all := automata.NewCube(1)
	no, yes := automata.Label{all.With(0, false)}, automata.Label{all.With(0, true)}
	b.AddEdge(0, automata.Label{all}, automata.NewMarks(2, 0), 1)
	b.AddEdge(1, no, automata.NewMarks(2, 0), 1)
	b.AddEdge(1, yes, automata.NewMarks(2, 0), 2)
	b.AddEdge(2, no, automata.NewMarks(2, 1), 3)
	b.AddEdge(2, yes, automata.NewMarks(2, 1), 2)
	b.AddEdge(3, no, automata.NewMarks(2, 1), 3)
	b.AddEdge(3, yes, automata.NewMarks(2, 1), 2)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	top := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: steps, Coefficient: -1}}}}
	answers := coretest.Decide(linear.RandomRuns, stairs(t, steps, 1, grow), inquiry.Automaton{
		Property: properties.Property{Automaton: a, Predicates: []*logic.Predicate{top}}})
	if len(answers) != 1 || !answers[0].Value.IsFalse() {
		t.Fatalf("%+v", answers)
	}
	if shown := answers[0].Witness; len(shown.Cycle) != 0 {
		t.Errorf("the run needs no cycle: %v", shown.Cycle)
	}
}
