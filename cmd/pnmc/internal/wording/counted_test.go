package wording_test

import (
	"fmt"
	"time"

	"pnmc/cmd/pnmc/internal/wording"
)

func ExampleCounted() {
	fmt.Println(wording.Counted(1, "state", "states"), wording.Counted(3, "state", "states"))
	// Output: 1 state 3 states
}

func ExampleOneLine() {
	fmt.Println(wording.OneLine("G (a\n   -> F b)\x1b"))
	// Output: G (a -> F b)\x1b
}

func ExampleGrouped() {
	fmt.Println(wording.Grouped(3046477), wording.Grouped(-1000), wording.Grouped(999))
	// Output: 3,046,477 -1,000 999
}

func ExampleDuration() {
	fmt.Println(wording.Duration(90*time.Second), wording.Duration(150*time.Minute))
	// Output: 90 seconds 3 hours
}
