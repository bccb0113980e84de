package linear_test

import (
	"errors"
	"fmt"
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

// staircase returns a net of a token that climbs so many steps, and from each may fall down again:
// who goes at random never comes to the top, which is a deadlock.
func staircase(t *testing.T, steps int) *petri.Net { return stairs(t, steps, 1, stop) }

// atTop is what the token at the top of a staircase can do: nothing, go back to the foot, leaving
// so many others that no cycle is short, or make others without end.
type atTop uint8

const (
	stop atTop = iota
	jump
	grow
)

// stairs returns a net of several staircases beside each other, each with a token. What one can do
// at the tops is told.
func stairs(t *testing.T, steps, cases int, top atTop) *petri.Net {
	t.Helper()
	b := new(petri.Builder)
	for s := range cases {
		var places []petri.Place
		for i := range steps + 1 {
			tokens := int64(0)
			if i == 0 {
				tokens = 1
			}
			p, err := b.AddPlace(fmt.Sprint("p", s, " ", i), "", tokens)
			if err != nil {
				t.Fatal(err)
			}
			places = append(places, p)
		}
		move := func(name string, from, to petri.Place) {
			m, err := b.AddTransition(fmt.Sprint(name, " ", s), "")
			if err := errors.Join(err, b.AddInput(from, m, 1), b.AddOutput(m, to, 1)); err != nil {
				t.Fatal(err)
			}
		}
		beside := func(name string, from, to petri.Place, tokens int64) {
			q, err := b.AddPlace(fmt.Sprint(name, s, "ed"), "", 0)
			m, also := b.AddTransition(fmt.Sprint(name, s), "")
			if err := errors.Join(err, also, b.AddInput(from, m, 1), b.AddOutput(m, to, 1), b.AddOutput(m, q, tokens)); err != nil {
				t.Fatal(err)
			}
			if top == jump {
				drain, err := b.AddTransition(fmt.Sprint("drain", s), "")
				if err := errors.Join(err, b.AddInput(q, drain, 1)); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := range steps {
			move(fmt.Sprint("up", i), places[i], places[i+1])
			for j := range 3 {
				move(fmt.Sprint("down", i, " ", j), places[i], places[0])
			}
		}
		switch top {
		case jump:
			beside("jump", places[steps], places[0], 600)
		case grow:
			beside("grow", places[steps], places[steps], 1)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// nextThenEver returns an automaton of X F p: it is terminal.
func nextThenEver(t *testing.T, p *logic.Predicate) inquiry.Automaton {
	t.Helper()
	b := automata.NewBuilder([]string{"p"}, automata.GeneralizedBuchi(1))
	b.AddStates(3)
	b.AddInitial(0)
	all := automata.NewCube(1)
	b.AddEdge(0, automata.Label{all}, automata.NewMarks(1), 1)
	b.AddEdge(1, automata.Label{all.With(0, false)}, automata.NewMarks(1), 1)
	b.AddEdge(1, automata.Label{all.With(0, true)}, automata.NewMarks(1), 2)
	b.AddEdge(2, automata.Label{all}, automata.NewMarks(1, 0), 2)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return inquiry.Automaton{Property: properties.Property{Automaton: a, Predicates: []*logic.Predicate{p}}}
}

// TestWalksLeadWhereViolationsDo: runs that have to come to a rare marking are looked for there,
// whether an automaton asks or a formula, for a marking or for a deadlock; and where no marking
// is like that, nothing violates the property.
func TestWalksLeadWhereViolationsDo(t *testing.T) {
	const steps = 40
	net := staircase(t, steps)
	marked := func(p uint32, tokens int64) *logic.Predicate {
		return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: tokens, Terms: []logic.Term{{Place: p, Coefficient: -1}}}}
	}
	dead := &logic.Predicate{Operator: logic.Deadlocked}
	formula := func(p *logic.Predicate) inquiry.Linear {
		s := ltl.NewFormulas()
		return inquiry.Linear{Formulas: s, Predicates: []*logic.Predicate{p}, Formula: s.Next(s.Globally(s.Not(s.Atom("p"))))}
	}
	for name, test := range map[string]struct {
		question inquiry.Question
		want     inquiry.Value
	}{
		"automaton":              {nextThenEver(t, marked(steps, 1)), inquiry.Truth(false)},
		"automaton, deadlock":    {nextThenEver(t, dead), inquiry.Truth(false)},
		"formula":                {formula(marked(steps, 1)), inquiry.Truth(false)},
		"formula, deadlock":      {formula(dead), inquiry.Truth(false)},
		"automaton, two tokens":  {nextThenEver(t, marked(steps, 2)), inquiry.Truth(true)},
		"formula, tokens enough": {formula(marked(steps, 2)), inquiry.Truth(true)},
	} {
		answers := coretest.Decide(linear.RandomRuns, net, test.question)
		if len(answers) != 1 || !answers[0].Value.Equal(test.want) {
			t.Errorf("%s: %+v, expected %v", name, answers, test.want)
			continue
		}
		if shown := answers[0].Witness; test.want.IsFalse() {
			if m, err := witness.ReplayRun(net, shown.Run); err != nil || m[steps] != 1 {
				t.Errorf("%s: the run does not lead to the top: %v, %v", name, m, err)
			}
		}
	}
}
