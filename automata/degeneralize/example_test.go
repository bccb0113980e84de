package degeneralize_test

import (
	"context"
	"fmt"

	"pnmc/automata/degeneralize"
	"pnmc/automata/translate"
	"pnmc/logic/ltl"
)

// The translation has one state and a set for each of a and b; the Büchi automaton, whose accepting states
// come after both, remembers which it waits for.
func ExampleDegeneralize() {
	s := ltl.NewFormulas()
	f, _ := ltl.Parse("G F a & G F b", s)
	generalized, _ := translate.ToAutomaton(context.Background(), s, f, translate.Options{})
	buchi, err := degeneralize.Degeneralize(context.Background(), generalized)
	fmt.Println(generalized.States(), generalized.Acceptance.Sets)
	fmt.Println(buchi.States(), buchi.Acceptance.Sets, err)
	// Output:
	// 1 2
	// 3 1 <nil>
}
