package automata

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// What simulation shows, the search for a counterexample does not refute.
func TestStutterSimulationAgainstComplement(t *testing.T) {
	shown, open := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a := smallAutomaton(t)
		if rapid.Bool().Draw(t, "closed") {
			a = reduced(t, stutterClosed(t, a))
		}
		d, err := newStutterDecision(context.Background(), a)
		if err != nil || d == nil {
			t.Fatal(err)
		}
		simulated := d.simulation != nil && d.simulation.invariant(a.Initial())
		d.simulation = nil
		answer, err := d.of(context.Background(), a.Initial())
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case simulated && answer == stutterSensitive:
			t.Fatal("simulation shows what is false")
		case simulated:
			shown++
		case answer == stutterSensitive:
			open++
		}
	})
	if shown == 0 || open == 0 {
		t.Errorf("too one-sided to mean much: %d shown, %d refuted", shown, open)
	}
}

// literalEdge is an edge with the literals of its label: proposition p as p+1 if
// positive, and -p-1 if not.
type literalEdge struct {
	from, to State
	literals []int
	marks    []int
}

func buildLiteral(t *testing.T, propositions, states int, acceptance Acceptance, initial []State, edges []literalEdge) *Automaton {
	t.Helper()
	var names []string
	for p := range propositions {
		names = append(names, fmt.Sprintf("p%d", p))
	}
	b := NewBuilder(names, acceptance)
	b.AddStates(states)
	for _, s := range initial {
		b.AddInitial(s)
	}
	for _, e := range edges {
		cube := NewCube(propositions)
		for _, l := range e.literals {
			cube = cube.With(max(l, -l)-1, l > 0)
		}
		b.AddEdge(e.from, Label{cube}, NewMarks(acceptance.Sets, e.marks...), e.to)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// notAllRecur is ¬(GF p0 ∧ … ∧ GF pn): one of them is false from some time on.
func notAllRecur(t *testing.T, n int) *Automaton {
	edges := []literalEdge{{0, 0, nil, nil}}
	for p := range n {
		s := State(p + 1)
		edges = append(edges, literalEdge{0, s, []int{-p - 1}, nil}, literalEdge{s, s, []int{-p - 1}, []int{0}})
	}
	return buildLiteral(t, n, n+1, GeneralizedBuchi(1), []State{0}, edges)
}

// Automata with several starts, with other conditions, with many propositions.
func TestDecideInvarianceOfMany(t *testing.T) {
	fin := Acceptance{Sets: 1, Condition: &Condition{Operator: Fin}}
	for _, c := range []struct {
		name      string
		automaton *Automaton
		invariant bool
	}{
		{"G p0 or G p1, a start each", buildLiteral(t, 2, 2, GeneralizedBuchi(0), []State{0, 1},
			[]literalEdge{{0, 0, []int{1}, nil}, {1, 1, []int{2}, nil}}), true},
		{"FG p0, two starts", buildLiteral(t, 1, 2, GeneralizedBuchi(1), []State{0, 1},
			[]literalEdge{{0, 0, nil, nil}, {0, 1, nil, nil}, {1, 1, []int{1}, []int{0}}}), true},
		{"p0 at even or at odd positions, two starts", buildLiteral(t, 1, 2, GeneralizedBuchi(0), []State{0, 1},
			[]literalEdge{{0, 1, []int{1}, nil}, {1, 0, nil, nil}}), false},
		{"FG not p0, by Fin", buildLiteral(t, 1, 1, fin, []State{0},
			[]literalEdge{{0, 0, []int{1}, []int{0}}, {0, 0, []int{-1}, nil}}), true},
		{"X p0, by Fin", buildLiteral(t, 1, 3, fin, []State{0},
			[]literalEdge{{0, 1, nil, nil}, {1, 2, []int{1}, nil}, {2, 2, nil, nil}}), false},
		{"not all of six recur", notAllRecur(t, 6), true},
		{"not all of twenty recur", notAllRecur(t, 20), true},
	} {
		v, err := DecideInvariance(context.Background(), c.automaton)
		if err != nil {
			t.Fatal(err)
		}
		if v.Whole != c.invariant || v.Refuted == c.invariant {
			t.Errorf("%s: invariant %v, refuted %v", c.name, v.Whole, v.Refuted)
		}
		claimed, err := DecideStatesInvariance(context.Background(), c.automaton)
		if err != nil {
			t.Fatal(err)
		}
		if claimed.Whole != c.invariant || claimed.Refuted == c.invariant {
			t.Errorf("%s: believed to be invariant %v, refuted %v", c.name, claimed.Whole, claimed.Refuted)
		}
	}
}
