package arithmetic_test

import (
	"fmt"

	"pnmc/internal/arithmetic"
)

func ExampleMultiply() {
	fmt.Println(arithmetic.Multiply(1<<31, 1<<31))
	_, fits := arithmetic.Multiply(1<<32, 1<<32)
	fmt.Println(fits)
	// Output:
	// 4611686018427387904 true
	// false
}
