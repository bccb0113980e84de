package liveness_test

import (
	"fmt"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/liveness"
	"pnmc/internal/petritest"
)

// After a deadlock nothing fires.
func ExampleGraph() {
	for _, a := range coretest.Decide(liveness.Graph, petritest.Philosophers(3), inquiry.Live{}) {
		fmt.Println(a.Value, a.Witness.Confirmed)
	}
	// Output: false true
}
