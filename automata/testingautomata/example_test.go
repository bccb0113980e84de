package testingautomata_test

import (
	"context"
	"fmt"

	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/automata/translate"
	"pnmc/logic/ltl"
)

// Beside the initial state, whose edges have valuations, the TGTA has states whose edges have
// changes.
func ExampleNewTGTA() {
	s := ltl.NewFormulas()
	f, _ := ltl.Parse("F a", s)
	a, _ := translate.ToAutomaton(context.Background(), s, f, translate.Options{})
	invariance, _ := stutter.DecideInvariance(context.Background(), a)
	tgta, err := testingautomata.NewTGTA(context.Background(), a, invariance)
	fmt.Println(tgta.Kind, tgta.States(), err)
	// Output: tgta 3 <nil>
}
