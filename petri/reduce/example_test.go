package reduce_test

import (
	"context"
	"fmt"

	"pnmc/internal/petritest"
	"pnmc/petri/reduce"
)

// Where only deadlocks matter, steps that happen one after the other in any case become one.
func ExampleApply() {
	net := petritest.Philosophers(3)
	r, err := reduce.Apply(context.Background(), net, make([]bool, net.Places()), reduce.Deadlock)
	fmt.Println(net.Places(), net.Transitions(), err)
	fmt.Println(r.Net.Places() < net.Places(), r.Net.Transitions() < net.Transitions())
	// Output:
	// 15 15 <nil>
	// true true
}
