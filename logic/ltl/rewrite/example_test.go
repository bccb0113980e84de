package rewrite_test

import (
	"fmt"

	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
)

// Negations go to the propositions, and what says no more is left out.
func ExampleRewriter() {
	s := ltl.NewFormulas()
	f, err := ltl.Parse("!(F a | F (a & b))", s)
	if err != nil {
		fmt.Println(err)
		return
	}
	w := rewrite.New(s)
	fmt.Println(s.Text(w.NegationNormal(f, false), ltl.SpotSyntax))
	fmt.Println(s.Text(w.Simplify(w.NegationNormal(f, false)), ltl.SpotSyntax))
	// Output:
	// G!a & G(!a | !b)
	// G!a
}
