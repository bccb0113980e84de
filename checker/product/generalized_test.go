package product_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// drawLivelockAutomaton draws a testing automaton with livelock acceptance and that
// many Büchi sets.
func drawLivelockAutomaton(t *rapid.T, propositions, sets int) *automata.Automaton {
	literal := func(o automata.ConditionOperator, set int) *automata.Condition {
		return &automata.Condition{Operator: o, Set: set}
	}
	livelock := &automata.Condition{Operator: automata.ConditionAnd, Operands: []*automata.Condition{
		literal(automata.Fin, sets+1), literal(automata.Inf, sets)}}
	acceptance := automata.Acceptance{Sets: sets + 2, Condition: &automata.Condition{Operator: automata.ConditionOr,
		Operands: []*automata.Condition{automata.GeneralizedBuchi(sets).Condition, livelock}}}
	var names []string
	for i := range propositions {
		names = append(names, fmt.Sprintf("a%d", i))
	}
	b := automata.NewBuilder(names, acceptance)
	b.Kind = automata.TA
	states := rapid.IntRange(1, 4).Draw(t, "states")
	b.AddStates(1 + states)
	b.AddInitial(0)
	for letter := range 1 << propositions {
		cube := automata.NewCube(propositions)
		for p := range propositions {
			cube = cube.With(p, letter>>p&1 == 1)
		}
		for s := 1; s <= states; s++ {
			if rapid.IntRange(0, 2).Draw(t, "start") > 0 {
				b.AddEdge(0, automata.Label{cube}, automata.NewMarks(sets+2), automata.State(s))
			}
			for d := 1; d <= states; d++ {
				var marks []int
				switch {
				case letter == 0 && s != d:
					continue
				case letter == 0:
					if rapid.IntRange(0, 5).Draw(t, "livelock") == 0 {
						marks = append(marks, sets)
					}
				case rapid.Bool().Draw(t, "edge"):
					marks = append(marks, sets+1)
					for set := range sets {
						if rapid.IntRange(0, 2).Draw(t, "set") == 0 {
							marks = append(marks, set)
						}
					}
				default:
					continue
				}
				b.AddEdge(automata.State(s), automata.Label{cube}, automata.NewMarks(sets+2, marks...), automata.State(d))
			}
		}
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Testing automata with livelock acceptance and one or several Büchi sets give the
// verdict of the plain automaton for the same words, whose condition has Fin.
func TestGeneralizedTestingAutomata(t *testing.T) {
	count := map[properties.Verdict]int{}
	if !petritest.CheckUntil(t, func() bool { return count[properties.Holds] >= 3 && count[properties.Violated] >= 3 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.StateMachines(true)).Draw(t, "net")
		if _, finite := petritest.Explore(net, 40); !finite {
			t.Skip("too large or unbounded")
		}
		propositions := rapid.IntRange(1, 2).Draw(t, "propositions")
		property := properties.Property{Automaton: drawLivelockAutomaton(t, propositions, rapid.IntRange(1, 3).Draw(t, "sets"))}
		for range propositions {
			property.Predicates = append(property.Predicates, checkertest.Predicate(t, net))
		}
		ctx := context.Background()
		k := petri.NewKripke(net, invariant.Prove(ctx, net, 0), petri.Budget{})
		plain, err := automata.ReadingValuations(t.Context(), property.Automaton)
		if err != nil {
			t.Fatal(err)
		}
		want, err := product.CheckBy(ctx, k, properties.Property{Automaton: plain, Predicates: property.Predicates}, product.Settings{Approach: product.ByTGBA})
		if err != nil {
			t.Fatal(err)
		}
		got, err := product.CheckBy(ctx, k, property, product.Settings{})
		if err != nil || got.Verdict != want.Verdict {
			t.Fatalf("%v, expected %v: %v", got.Verdict, want.Verdict, err)
		}
		count[want.Verdict]++
	}) {
		t.Errorf("too one-sided to mean much: %v", count)
	}
}
