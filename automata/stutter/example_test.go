package stutter_test

import (
	"context"
	"fmt"

	"pnmc/automata/stutter"
	"pnmc/automata/translate"
	"pnmc/logic/ltl"
)

// What X tells changes when a letter is repeated; a formula may have an X that does not.
func ExampleDecideInvariance() {
	for _, text := range []string{"F a", "X a", "a & X F a"} {
		s := ltl.NewFormulas()
		f, _ := ltl.Parse(text, s)
		a, _ := translate.ToAutomaton(context.Background(), s, f, translate.Options{})
		invariance, err := stutter.DecideInvariance(context.Background(), a)
		fmt.Println(text, invariance.Whole, invariance.Refuted, err)
	}
	// Output:
	// F a true false <nil>
	// X a false true <nil>
	// a & X F a false true <nil>
}
