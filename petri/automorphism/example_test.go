package automorphism_test

import (
	"context"
	"fmt"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/automorphism"
)

// Of five philosophers at a round table, a marking stands for those in which all have moved up by a few
// seats, and for those in a mirror. These are ten permutations with the identity.
func ExampleFind() {
	net := petritest.Philosophers(5)
	symmetries, err := automorphism.Find(context.Background(), net, nil, 1<<30)
	if err != nil {
		fmt.Println(err)
		return
	}
	all, _ := petritest.Explore(net, 1000)
	left := map[string]bool{}
	for _, m := range all.Markings {
		symmetries.Lower(m, make(petri.Marking, net.Places()))
		left[fmt.Sprint(m)] = true
	}
	fmt.Println(symmetries.Len(), "permutations,", len(left), "of", len(all.Markings), "markings")
	// Output: 9 permutations, 30 of 243 markings
}
