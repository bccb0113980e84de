package generic_test

import (
	"context"
	"fmt"

	"pnmc/automata"
	"pnmc/automata/emptiness/generic"
)

// Two nodes, each with a loop, and edges between them: without the loop of node 0, which is in
// set 1, they satisfy Inf(0) & Fin(1), and the loop of node 1 by itself does.
func ExampleGraph_AcceptingComponent() {
	condition := generic.NewCondition(automata.Acceptance{Sets: 2, Condition: &automata.Condition{
		Operator: automata.ConditionAnd,
		Operands: []*automata.Condition{{Operator: automata.Inf, Set: 0}, {Operator: automata.Fin, Set: 1}},
	}})
	g := generic.Graph{Start: []uint32{0, 2, 4}, Destination: []uint32{0, 1, 0, 1}, Marks: []uint64{2, 1, 0, 1}, Words: condition.Words}
	part, err := g.AcceptingComponent(context.Background(), condition.Formula())
	fmt.Println(part.Nodes, g.Cycle(part, 1, condition.Formula()), err)
	// Output: [0 1] [3] <nil>
}
