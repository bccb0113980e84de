package labelling_test

import (
	"context"
	"fmt"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/labelling"
)

// Two propositions make four labels at most. In no marking of two philosophers somebody eats while
// nothing is enabled: so three labels are met, and numbered as they come.
func ExampleLabels_Of() {
	net := petritest.Philosophers(2)
	var eating, dead labelling.Proposition
	var sum []petri.Arc
	for _, id := range []string{"eats0", "eats1"} {
		p, _ := net.PlaceByID(id)
		sum = append(sum, petri.Arc{Place: p, Weight: -1})
	}
	eating.AtMostZero(1, sum) // 1 - eats0 - eats1 ≤ 0
	dead.Deadlock()
	k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	k.Begin(context.Background())
	labels := labelling.New(k, []*labelling.Proposition{&eating, &dead})
	states := map[uint32]int{}
	for s := petri.StateID(0); int(s) < k.Len(); s++ {
		states[labels.Of(s)]++
		if _, err := k.Successors(s); err != nil { // which k numbers from here on
			panic(err)
		}
	}
	for n := range uint32(labels.Count()) {
		bits := labels.Label(n)[0]
		fmt.Printf("label %d: eating %v, dead %v, in %d markings\n", n, bits&1 > 0, bits&2 > 0, states[n])
	}
	// Output:
	// label 0: eating false, dead false, in 5 markings
	// label 1: eating true, dead false, in 2 markings
	// label 2: eating false, dead true, in 2 markings
}
