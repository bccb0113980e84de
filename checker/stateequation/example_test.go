package stateequation_test

import (
	"context"
	"fmt"

	"pnmc/checker/stateequation"
	"pnmc/logic"
	"pnmc/petri/petritest"
)

// The state equation bounds the tokens of a place, and proves that it never has two.
func ExampleEquation() {
	equation := stateequation.New(petritest.Philosophers(3))
	first := logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}}}
	fmt.Println(equation.UpperBound(context.Background(), first))
	two := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 2, Terms: []logic.Term{{Place: 0, Coefficient: -1}}}}
	fmt.Println(equation.Contradicts(context.Background(), two))
	// Output:
	// 1 true
	// true
}
