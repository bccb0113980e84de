package properties_test

import (
	"fmt"

	"pnmc/automata"
	"pnmc/checker/inquiry"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// An automaton's propositions are state predicates about a net.
func ExampleBind() {
	net := petritest.Philosophers(2)
	b := automata.NewBuilder([]string{"deadlock"}, automata.Acceptance{Condition: &automata.Condition{Operator: automata.ConditionTrue}})
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, false)}, automata.NewMarks(0), 0)
	a, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	property, err := properties.Bind(a, inquiry.Vocabulary(net), nil)
	fmt.Println(property.Predicates[0].Operator == logic.Deadlocked, err)
	b = automata.NewBuilder([]string{"forks"}, a.Acceptance)
	a, _ = b.Build()
	_, err = properties.Bind(a, inquiry.Vocabulary(net), nil)
	fmt.Println(err)
	// Output:
	// true <nil>
	// proposition "forks": 1:1: no place "forks"; did you mean "fork0" or "fork1"?
}
