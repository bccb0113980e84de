package stateequation_test

import (
	"context"
	"fmt"

	"pnmc/checker/stateequation"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// The state equation bounds the tokens of a place, and proves that it never has two.
func ExampleEquation() {
	equation := stateequation.New(context.Background(), petritest.Philosophers(3))
	first := logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}}}
	fmt.Println(equation.UpperBound(context.Background(), first))
	two := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 2, Terms: []logic.Term{{Place: 0, Coefficient: -1}}}}
	fmt.Println(equation.Contradicts(context.Background(), two))
	// Output:
	// 1 true
	// true
}

// A trap rules out what the equation alone allows: t takes two tokens of p and puts one back, so
// that the one token of p never becomes one of x.
func ExampleEquation_Contradicts() {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 1)
	x, _ := b.AddPlace("x", "", 0)
	t, _ := b.AddTransition("t", "")
	if b.AddInput(p, t, 2) != nil || b.AddOutput(t, p, 1) != nil || b.AddOutput(t, x, 1) != nil {
		panic("arc refused")
	}
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	some := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: uint32(x), Coefficient: -1}}}}
	fmt.Println(stateequation.New(context.Background(), net).Contradicts(context.Background(), some))
	// Output: true
}
