package witness_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/checker"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// cloned returns a copy that can be spoiled.
func cloned(c *witness.Counterexample) *witness.Counterexample {
	return &witness.Counterexample{Start: c.Start, Prefix: slices.Clone(c.Prefix), Cycle: slices.Clone(c.Cycle)}
}

// requireRejected demands that the replay accepts a counterexample, and rejects it
// for the reason given once it is spoiled.
func requireRejected(t *testing.T, net *petri.Net, property properties.Property, good *witness.Counterexample, reason string, spoil func(*witness.Counterexample)) {
	t.Helper()
	if err := witness.Replay(net, property.Automaton, property.Predicates, good); err != nil {
		t.Fatal(err)
	}
	c := cloned(good)
	spoil(c)
	if err := witness.Replay(net, property.Automaton, property.Predicates, c); err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("%v, expected %q", err, reason)
	}
}

// TestReplayRejects spoils what each approach finds in every way that the replay
// looks at.
func TestReplayRejects(t *testing.T) {
	net := petritest.Philosophers(3)
	property := checkertest.Negated(t, net, `G F fireable(leave0) | F deadlock`)
	other := checkertest.Negated(t, net, `! (G F fireable(leave0) | F deadlock)`)
	for _, approach := range checkertest.ReplayedApproaches {
		good := checkertest.Violation(t, net, property, approach)
		for _, c := range []struct {
			name, reason string
			spoil        func(*witness.Counterexample)
		}{
			{"no cycle", "the cycle is empty", func(c *witness.Counterexample) { c.Cycle = nil }},
			{"not initial", "is not initial", func(c *witness.Counterexample) { c.Start = 1000 }},
			{"no such edge", "does not leave state", func(c *witness.Counterexample) { c.Cycle[0].Edge = 1000 }},
			{"no such transition", "does not exist", func(c *witness.Counterexample) { c.Cycle[0].Transition = 1000 }},
			{"not enabled", "is not enabled", func(c *witness.Counterexample) {
				c.Cycle[len(c.Cycle)-1].Transition = notEnabled(net)
			}},
			{"stays without a deadlock", "no deadlock", func(c *witness.Counterexample) { c.Cycle[0].Stutter = true }},
			{"cut off", "does not return", func(c *witness.Counterexample) { c.Cycle = c.Cycle[:len(c.Cycle)-1] }},
		} {
			t.Run(approach.String()+"/"+c.name, func(t *testing.T) { requireRejected(t, net, property, good, c.reason, c.spoil) })
		}
		// The propositions have other values in some marking of the run.
		negated := slices.Clone(property.Predicates)
		for i, p := range negated {
			negated[i] = &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{p}}
		}
		if err := witness.Replay(net, property.Automaton, negated, good); err == nil || !strings.Contains(err.Error(), "does not match") {
			t.Errorf("%v: with negated propositions: %v", approach, err)
		}
		if witness.Replay(net, other.Automaton, other.Predicates, good) == nil {
			t.Errorf("%v: the run violates the negated property too", approach)
		}
	}
}

// notEnabled returns a transition of a net of philosophers that is not enabled at first, in
// whose place none of the runs here comes back to where its cycle starts.
func notEnabled(net *petri.Net) petri.Transition {
	for t := range petri.Transition(net.Transitions()) {
		if net.TransitionLabel(t).ID == "eatRight2" {
			return t
		}
	}
	return 0
}

// TestReplayOfTestingAutomata: the same for runs of automata that are testing ones
// themselves.
func TestReplayOfTestingAutomata(t *testing.T) {
	net := petritest.Philosophers(3)
	plain := checkertest.Negated(t, net, `G F fireable(leave0) | F deadlock`)
	v := stutter.Invariance{Whole: true, States: make([]bool, plain.Automaton.States())}
	for _, build := range []func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error){testingautomata.NewTA, testingautomata.NewTGTA} {
		a, err := build(t.Context(), plain.Automaton, v)
		if err != nil {
			t.Fatal(err)
		}
		property := properties.Property{Automaton: a, Predicates: plain.Predicates}
		good := checkertest.Violation(t, net, property, product.Auto)
		requireRejected(t, net, property, good, "does not return", func(c *witness.Counterexample) { c.Cycle = c.Cycle[:len(c.Cycle)-1] })
		requireRejected(t, net, property, good, "does not leave state", func(c *witness.Counterexample) { c.Prefix = nil })
	}
}

// TestReplayRejectsUnaccepted: a cycle that closes has to be accepted, too, on the
// edges that it takes.
func TestReplayRejectsUnaccepted(t *testing.T) {
	net := petritest.Philosophers(3)
	for _, approach := range checkertest.ReplayedApproaches {
		b := automata.NewBuilder([]string{"eats0"}, automata.GeneralizedBuchi(1))
		b.AddStates(1)
		b.AddInitial(0)
		b.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(1), 0)
		b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1, 0), 0)
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		property, err := properties.Bind(a, checker.Vocabulary(net), nil)
		if err != nil {
			t.Fatal(err)
		}
		good := checkertest.Violation(t, net, property, approach)
		unmarked := automata.Edge(0)
		for a.Marks(unmarked).Has(0) {
			unmarked++
		}
		requireRejected(t, net, property, good, "acceptance condition", func(c *witness.Counterexample) {
			for i := range c.Cycle {
				c.Cycle[i].Edge = unmarked
			}
		})
	}
}

// TestUnconfirmedIsNotTold: no approach tells a run that the replay refuses. While
// the search goes on, what the replay takes the propositions for is turned around
// behind its back.
func TestUnconfirmedIsNotTold(t *testing.T) {
	const tokens = 10000
	net := checkertest.Moving(t, tokens)
	for _, approach := range []product.Approach{product.ByTGBA, product.ByBA, product.ByTA, product.ByTGTA} {
		for _, fin := range []bool{false, true} {
			property := checkertest.Negated(t, net, `G "q < 10000"`)
			if fin {
				if approach != product.ByTGBA {
					continue // has no Fin any more when it searches
				}
				property.Automaton = withFin(t, property.Automaton)
			}
			turned := false
			progress := func(properties.Statistics) {
				for i, p := range property.Predicates {
					if !turned {
						property.Predicates[i] = &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{p}}
					}
				}
				turned = true
			}
			k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
			result, err := product.CheckBy(t.Context(), k, property, product.Settings{Approach: approach, Progress: progress})
			if !turned {
				t.Fatalf("%v: the search was over before it could be cheated", approach)
			}
			if err == nil || !strings.Contains(err.Error(), "does not replay") || result.Verdict != properties.Unknown {
				t.Errorf("%v, Fin %v: %v, %v", approach, fin, result.Verdict, err)
			}
		}
	}
}

// withFin returns an automaton with a set more that no edge is in, and whose condition
// says so.
func withFin(t *testing.T, a *automata.Automaton) *automata.Automaton {
	t.Helper()
	sets := a.Acceptance.Sets
	condition := &automata.Condition{Operator: automata.ConditionAnd, Operands: []*automata.Condition{
		a.Acceptance.Condition, {Operator: automata.Fin, Set: sets}}}
	b := automata.NewBuilder(a.Propositions, automata.Acceptance{Sets: sets + 1, Condition: condition})
	b.AddStates(a.States())
	for _, s := range a.Initial() {
		b.AddInitial(s)
	}
	for e := range automata.Edge(a.Edges()) {
		marks := automata.NewMarks(sets + 1)
		copy(marks, a.Marks(e))
		b.AddEdge(a.Source(e), a.Label(e), marks, a.Destination(e))
	}
	c, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A cycle that adds tokens until they can't be counted is neither confirmed nor refuted: the
// verdict is unknown, not a defect.
func TestReplayOverflows(t *testing.T) {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 1)
	q, _ := b.AddPlace("q", "", 0)
	source, _ := b.AddTransition("source", "")
	for _, err := range []error{b.AddInput(p, source, 1), b.AddOutput(source, p, 1), b.AddOutput(source, q, 1<<62)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	builder := automata.NewBuilder(nil, automata.GeneralizedBuchi(0))
	builder.AddInitial(builder.AddState(""))
	builder.AddEdge(0, automata.Label{automata.NewCube(0)}, automata.NewMarks(0), 0)
	a, err := builder.Build()
	if err != nil {
		t.Fatal(err)
	}
	step := witness.Step{Transition: source}
	err = witness.Replay(net, a, nil, &witness.Counterexample{Cycle: []witness.Step{step, step}})
	if !errors.As(err, new(*petri.OverflowError)) {
		t.Errorf("%v, expected that tokens can't be counted", err)
	}
	if err := witness.Replay(net, a, nil, &witness.Counterexample{Cycle: []witness.Step{step}}); err != nil {
		t.Error(err)
	}
}
