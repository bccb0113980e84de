package inquiry_test

import (
	"fmt"

	"pnmc/checker/inquiry"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// Predicates speak of a net's nodes by their identifiers.
func ExampleVocabulary() {
	net := petritest.Philosophers(2)
	_, err := logic.ParsePredicate("fork0 + fork1 >= 1", inquiry.Vocabulary(net))
	fmt.Println(err)
	_, err = logic.ParsePredicate("fork2 >= 1", inquiry.Vocabulary(net))
	fmt.Println(err)
	// Output:
	// <nil>
	// 1:1: no place "fork2"; did you mean "fork0" or "fork1"?
}
