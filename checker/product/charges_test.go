package product_test

import (
	"testing"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// philosophersWith returns a property of philosophers, by the automaton of its negation over names of places
// and of two predicates more: dead, and never.
func philosophersWith(net *petri.Net, a *automata.Automaton) properties.Property {
	meaning := map[string]*logic.Predicate{"dead": {Operator: logic.Deadlocked}, "never": {Operator: logic.False}}
	for place := range uint32(net.Places()) {
		meaning[net.PlaceLabel(petri.Place(place)).ID] = &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: place, Coefficient: -1}}}}
	}
	property := properties.Property{Automaton: a}
	for _, name := range a.Propositions {
		property.Predicates = append(property.Predicates, meaning[name])
	}
	return property
}

// conditionWithFin returns an automaton over eats0, eats1 and eats2: set 0, which must be met finitely
// often, has the steps where the first holds, and set 1, infinitely often, those where both others do.
func conditionWithFin(t *testing.T) *automata.Automaton {
	t.Helper()
	b := automata.NewBuilder([]string{"eats0", "eats1", "eats2"}, automata.Acceptance{Sets: 2, Condition: &automata.Condition{Operator: automata.ConditionAnd, Operands: []*automata.Condition{{Operator: automata.Fin}, {Operator: automata.Inf, Set: 1}}}})
	b.AddStates(1)
	b.AddInitial(0)
	free := automata.NewCube(3)
	b.AddEdge(0, automata.Label{free.With(0, true)}, automata.NewMarks(2, 0), 0)
	b.AddEdge(0, automata.Label{free.With(0, false).With(1, true).With(2, true)}, automata.NewMarks(2, 1), 0)
	b.AddEdge(0, automata.Label{free.With(0, false).With(1, false)}, automata.NewMarks(2), 0)
	b.AddEdge(0, automata.Label{free.With(0, false).With(2, false).With(1, true)}, automata.NewMarks(2), 0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestProductsChargeTheirOwnWork: on a graph that is kept, a product charges the states and edges that it
// looks at, what it holds, and what telling a run takes. Each number is what the last part of a check charges,
// which is the search if nothing is found, and else the telling: a charge that is missing makes it less.
// Where edges are not kept, what is charged for exploring them again is in it, too.
func TestProductsChargeTheirOwnWork(t *testing.T) {
	none, cycle := "G F !dead & G F dead", "G F eats0 & G F (eats1 & thinks2) & G F left2"
	for _, test := range []struct {
		formula  string // or empty: a condition with Fin
		approach product.Approach
		kept     bool
		verdict  properties.Verdict
		least    int64
	}{
		{none, product.ByTGBA, true, properties.Holds, 3_588_488},
		{none, product.ByTGBA, false, properties.Holds, 5_320_600},
		{none, product.ByTA, true, properties.Holds, 3_123_128},
		{cycle, product.ByTGBA, true, properties.Violated, 363_712},
		{cycle, product.ByBA, true, properties.Violated, 27_096},
		{cycle, product.ByTGTA, true, properties.Violated, 1_390_284},
		{"F G dead", product.ByTA, true, properties.Violated, 811_388},
		{"F eats0", product.ByTGBA, true, properties.Violated, 2_043_269},
		{"F eats0", product.ByTGTA, true, properties.Violated, 274_984},
		{"", product.Auto, true, properties.Holds, 11_870},
		{"", product.Auto, false, properties.Holds, 13_283},
		{"", product.Auto, true, properties.Violated, 3_496_376},
	} {
		a := conditionWithFin(t)
		philosophers := 8
		if test.formula == "" && test.verdict == properties.Holds {
			philosophers = 3 // of whom no two eat at once
		} else if test.formula == "" {
			a.Propositions[2] = "thinks2"
		} else {
			s := ltl.NewFormulas()
			f, err := ltl.Parse(test.formula, s)
			if err == nil {
				a, err = translate.ToAutomaton(t.Context(), s, f, translate.Options{})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		net := petritest.Philosophers(philosophers)
		budget := petri.Budget{}
		if !test.kept {
			budget.EdgeBytes = 1
		}
		k := petri.NewKripke(net, petri.Facts{}, budget)
		k.Begin(t.Context())
		for s := petri.StateID(0); int(s) < k.Len(); s++ {
			if _, err := k.Successors(s); err != nil {
				t.Fatal(err)
			}
		}
		r, err := product.CheckBy(t.Context(), k, philosophersWith(net, a), product.Settings{Approach: test.approach})
		if err != nil || r.Verdict != test.verdict {
			t.Fatalf("%q by %v: %v %s, %v", test.formula, test.approach, r.Verdict, r.Reason, err)
		}
		spent := k.Account().Spent() - 1<<20 // an account begins with a look
		if spent < test.least {
			t.Errorf("%q by %v: %d units charged, expected %d", test.formula, test.approach, spent, test.least)
		}
	}
}
