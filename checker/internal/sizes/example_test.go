package sizes_test

import (
	"fmt"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/sizes"
	"pnmc/internal/petritest"
)

// Five philosophers have 3^5 markings.
func ExampleGraph() {
	for _, a := range coretest.Decide(sizes.Graph, petritest.Philosophers(5), inquiry.Markings, inquiry.TokensInPlace) {
		fmt.Println(a.Value)
	}
	// Output:
	// 243
	// 1
}
