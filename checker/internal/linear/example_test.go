package linear_test

import (
	"fmt"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/linear"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// Not all runs end: there are infinite ones without deadlock.
func ExampleProducts() {
	s := ltl.NewFormulas()
	question := inquiry.Linear{Formulas: s, Predicates: []*logic.Predicate{{Operator: logic.Deadlocked}}}
	question.Formula = s.Finally(s.Atom("deadlock"))
	for _, a := range coretest.Decide(linear.Products, petritest.Philosophers(3), question) {
		fmt.Println(a.Value, a.By, len(a.Witness.Cycle) > 0)
	}
	// Output: false EXPLICIT STATE_COMPRESSION true
}
