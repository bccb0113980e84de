package product_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/checker"
	"pnmc/checker/diagram"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/symbolic"
)

// thenNot returns an automaton for p ∧ X ¬p with a false claim, and as many further
// propositions, true ones here, which have to be true infinitely often.
func thenNot(t *testing.T, net *petri.Net, further int) properties.Property {
	t.Helper()
	names := []string{"p >= 1"}
	for i := range further {
		names = append(names, fmt.Sprintf("q >= -%d", i))
	}
	n := len(names)
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(further))
	b.AddStates(3)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(n).With(0, true)}, automata.NewMarks(further), 1)
	b.AddEdge(1, automata.Label{automata.NewCube(n).With(0, false)}, automata.NewMarks(further), 2)
	b.AddEdge(2, automata.Label{automata.NewCube(n)}, automata.NewMarks(further), 2)
	for i := range further {
		b.AddEdge(2, automata.Label{automata.NewCube(n).With(1+i, true)}, automata.NewMarks(further, i), 2)
	}
	b.Claims = automata.ClaimStutterInvariant
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	property := properties.Property{Automaton: a}
	for i := range names {
		p := &logic.Predicate{Operator: logic.True}
		if i == 0 {
			p = &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{
				{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}}}}}}
		}
		property.Predicates = append(property.Predicates, p)
	}
	return property
}

// TestFalseClaim: a claim of stutter invariance that is false is told as such,
// whether it is found out before the search or by what the search finds, and is
// not believed where it is not asked for.
func TestFalseClaim(t *testing.T) {
	net := checkertest.Moving(t, 3) // p p p !p !p …, so p ∧ X ¬p has no run
	space, err := symbolic.Explore(t.Context(), net, symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, further := range []int{0, 12} { // more letters than are looked at
		property := thenNot(t, net, further)
		for _, approach := range []product.Approach{product.ByTA, product.ByTGTA, product.BySymbolicTGTA} {
			check := func(distrust bool) (properties.Verdict, error) {
				if approach.Symbolic() {
					r, err := diagram.Check(t.Context(), space, net, property, diagram.Settings{Approach: approach, Distrust: distrust})
					return r.Verdict, err
				}
				k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
				r, err := product.CheckBy(t.Context(), k, property, product.Settings{Approach: approach, Distrust: distrust})
				return r.Verdict, err
			}
			var unsupported *product.UnsupportedError
			// Decision diagrams hold on to single steps where nothing is said of states.
			if verdict, err := check(false); approach.Symbolic() && further > 0 {
				if verdict != properties.Holds || err != nil {
					t.Errorf("%v: %v, %v", approach, verdict, err)
				}
			} else if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), "--distrust") {
				t.Errorf("%d further propositions, %v: %v, %v", further, approach, verdict, err)
			}
			verdict, err := check(true)
			switch {
			case approach != product.ByTA:
				if err != nil || verdict != properties.Holds {
					t.Errorf("%d further propositions, %v, distrusted: %v, %v", further, approach, verdict, err)
				}
			case further == 0:
				if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), "is not stutter-invariant") {
					t.Errorf("ta, distrusted: %v, %v", verdict, err)
				}
			case err != nil || verdict != properties.Unknown:
				t.Errorf("ta, not known to be stutter-invariant: %v, %v", verdict, err)
			}
		}
	}
}

// TestManySets: more acceptance sets than fit into a word are no obstacle.
func TestManySets(t *testing.T) {
	net := checkertest.Moving(t, 3)
	for _, sets := range []int{64, 65, 70} {
		b := automata.NewBuilder([]string{"p >= 1"}, automata.GeneralizedBuchi(sets))
		b.AddStates(1)
		b.AddInitial(0)
		all := make([]int, sets)
		for i := range all {
			all[i] = i
		}
		b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, false)}, automata.NewMarks(sets, all...), 0)
		b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(sets, all[1:]...), 0)
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		property, err := properties.Bind(a, checker.Vocabulary(net), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, approach := range checkertest.ReplayedApproaches {
			checkertest.Violation(t, net, property, approach)
		}
	}
}
