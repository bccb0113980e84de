package progress_test

import (
	"os"

	"pnmc/cmd/pnmc/internal/progress"
)

// A warning that is repeated for each line of a file is told once, and counted.
func ExampleMessenger_Warn() {
	m := progress.To(os.Stdout)
	m.Say("reading automata")
	for _, place := range []string{"a.hoa:3: ", "a.hoa:12: ", "a.hoa:21: "} {
		m.Warn(place, "the claim \"deterministic\" is not true")
	}
	m.TellRepeated()
	// Output:
	// pnmc: reading automata
	// pnmc: a.hoa:3: the claim "deterministic" is not true
	// pnmc: 2 times more: the claim "deterministic" is not true
}
