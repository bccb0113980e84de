package asking_test

import (
	"fmt"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/ledger"
	"pnmc/internal/petritest"
)

// Questions that the same engines decide go together.
func ExampleParts() {
	questions := []inquiry.Question{inquiry.Deadlock{}, inquiry.Markings, inquiry.Live{}, inquiry.TokensInPlace}
	fmt.Println(asking.Check(inquiry.Problem{Net: petritest.Kanban(1)}, questions))
	for _, part := range asking.Parts(questions, ledger.NewAnswers(len(questions), nil)) {
		fmt.Println(part.Numbers)
	}
	// Output:
	// <nil>
	// [0]
	// [1 3]
	// [2]
}
