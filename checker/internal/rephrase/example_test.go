package rephrase_test

import (
	"fmt"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/petritest"
)

// That a transition is fireable, in tokens of places.
func ExampleOverPlaces() {
	net := petritest.Philosophers(2)
	fireable := rephrase.FireableAmong([]uint32{0})
	fmt.Println(rephrase.OverPlaces(net, fireable).Simplify().Text(inquiry.Vocabulary(net)))
	// Output: tokens-count("fork0") >= 1 & tokens-count("thinks0") >= 1
}
