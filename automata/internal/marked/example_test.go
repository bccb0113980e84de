package marked_test

import (
	"context"
	"fmt"

	"pnmc/automata"
	"pnmc/automata/internal/marked"
)

// From state 1 all words are accepted, and from state 2 only that in which a always holds. So the
// edge to state 2 is dropped beside that to state 1. After any letter all words are accepted, so that
// states 0 and 1 become one.
func ExampleReduceBySimulation() {
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	b.AddStates(3)
	b.AddInitial(0)
	always, a := automata.Label{automata.NewCube(1)}, automata.Label{automata.NewCube(1).With(0, true)}
	none, accepting := automata.NewMarks(1), automata.NewMarks(1, 0)
	b.AddEdge(0, always, none, 1)
	b.AddEdge(0, always, none, 2)
	b.AddEdge(1, always, accepting, 1)
	b.AddEdge(2, a, accepting, 2)
	before, err := b.Build()
	if err != nil {
		panic(err)
	}
	after, err := marked.ReduceBySimulation(context.Background(), before)
	if err != nil {
		panic(err)
	}
	fmt.Println(before.States(), "states,", before.Edges(), "edges")
	fmt.Println(after.States(), "states,", after.Edges(), "edges")
	// Output:
	// 3 states, 4 edges
	// 1 states, 1 edges
}
