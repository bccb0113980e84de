package witness_test

import (
	"fmt"

	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// Two philosophers take their left forks: then nothing can fire.
func ExampleReplayRun() {
	net := petritest.Philosophers(2)
	m, err := witness.ReplayRun(net, witness.Bursts([]petri.Transition{0, 5}))
	fmt.Println(net.Deadlock(m), err)
	_, err = witness.ReplayRun(net, witness.Bursts([]petri.Transition{0, 0}))
	fmt.Println(err)
	// Output:
	// true <nil>
	// step 2: transition "takeLeft0" is not enabled
}
