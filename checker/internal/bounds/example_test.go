package bounds_test

import (
	"context"
	"fmt"

	"pnmc/checker/internal/bounds"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri/invariant"
)

// No place of a net of philosophers has two tokens, so that this sum has 3 at most.
func ExampleOf() {
	net := petritest.Philosophers(3)
	facts := invariant.Prove(context.Background(), net, 1<<20)
	sum := logic.Sum{Constant: 1, Terms: []logic.Term{{Place: 0, Coefficient: 2}}}
	fmt.Println(bounds.Of(sum, facts))
	// Output: 3 true
}
