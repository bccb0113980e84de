package product_test

import (
	"context"
	"fmt"

	"pnmc/automata"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// Some run stays without deadlock for ever.
func ExampleCheck() {
	net := petritest.Philosophers(3)
	b := automata.NewBuilder([]string{"deadlock"}, automata.Acceptance{Condition: &automata.Condition{Operator: automata.ConditionTrue}})
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, false)}, automata.NewMarks(0), 0)
	negated, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	property := properties.Property{Automaton: negated, Predicates: []*logic.Predicate{{Operator: logic.Deadlocked}}}
	result, err := product.Check(context.Background(), petri.NewKripke(net, petri.Facts{}, petri.Budget{}), property, nil)
	fmt.Println(result.Verdict, len(result.Counterexample.Cycle) > 0, err)
	// Output: violated true <nil>
}
