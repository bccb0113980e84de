package coloured_test

import (
	"context"
	"fmt"

	"pnmc/checker/internal/coloured"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/colourless"
)

// A token of colour 0 cannot meet one of colour 1. The net without colours does not see that, and
// the one that Start returns does.
func ExampleStart() {
	colours := &symmetric.Class{Name: "C", Size: 2}
	x := symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.Variable}}}}
	colour := func(n int64) symmetric.Expression {
		return symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.Constant, Value: n}}}}
	}
	net := &symmetric.Net{
		Places: []symmetric.Place{
			{ID: "a", Domain: symmetric.Domain{colours}, Initial: colour(0)},
			{ID: "b", Domain: symmetric.Domain{colours}, Initial: colour(1)},
		},
		Transitions: []symmetric.Transition{{
			ID: "meet", Variables: []symmetric.VariableDeclaration{{Name: "x", Class: colours}},
			Pre: []symmetric.Arc{{Place: 0, Expression: x}, {Place: 1, Expression: x}},
		}},
	}
	skeleton, err := colourless.Skeleton(net)
	if err != nil {
		panic(err)
	}
	start, err := coloured.Start(context.Background(), net, skeleton, (*symmetric.Walk).Enabled)
	if err != nil {
		panic(err)
	}
	fmt.Println("without colours:", skeleton.Enabled(skeleton.Initial(), 0))
	fmt.Println("with colours:", start.Enabled(start.Initial(), 0))
	// Output:
	// without colours: true
	// with colours: false
}
