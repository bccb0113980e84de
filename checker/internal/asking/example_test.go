package asking_test

import (
	"fmt"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/ledger"
)

// Questions that the same engines decide go together.
func ExampleParts() {
	questions := []inquiry.Question{inquiry.Deadlock{}, inquiry.Markings, inquiry.Live{}, inquiry.TokensInPlace}
	fmt.Println(asking.Check(questions))
	for _, part := range asking.Parts(questions, ledger.NewAnswers(len(questions), nil)) {
		fmt.Println(part.Numbers)
	}
	// Output:
	// <nil>
	// [0]
	// [1 3]
	// [2]
}
