package atoms_test

import (
	"fmt"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/atoms"
	"pnmc/checker/internal/core/coretest"
	"pnmc/internal/petritest"
)

// Three philosophers may all take their left forks.
func ExampleGraph() {
	for _, a := range coretest.Decide(atoms.Graph, petritest.Philosophers(3), inquiry.Deadlock{}) {
		fmt.Println(a.Value, a.By, len(a.Witness.Run))
	}
	// Output: true EXPLICIT STRUCTURAL_REDUCTION STATE_COMPRESSION 3
}
